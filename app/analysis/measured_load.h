// A load that was measured, and so is known only within limits: what that makes of a prediction, and how long a queue
// must be watched before its mean says anything. Pure; any thread.
#pragma once

#include <functional>
#include <optional>

#include "app/analysis/queueing.h"

namespace n2nq::analysis {

struct MeasuredLoad {
  QueueLoad load{};
  double arrivals_error = 0;  // standard error of each rate, as a part of it
  double services_error = 0;
};

// The ends of a 95 % confidence interval.
struct Reach {
  double low = 0;
  std::optional<double> high{};  // nothing: the servers might not keep up
};
Reach utilisation_reach(const MeasuredLoad& measured);
// For the mean waiting time that `model` says, where it says any: what the error of each rate makes of it.
using Model = std::function<std::optional<QueuePrediction>(const QueueLoad&)>;
std::optional<Reach> waiting_reach(const Model& model, const MeasuredLoad& measured);

// How long a queue takes to forget how full it was: the relaxation time of M/M/s, of one queue or of each of many.
// Fixed service times forget about twice as fast. Nothing where the servers cannot keep up.
std::optional<double> shared_queue_memory_s(const QueueLoad& load);
std::optional<double> split_queues_memory_s(const QueueLoad& load);

// Of unequal queues: that of the one with this part of the arrivals.
std::optional<double> queue_memory_s(const QueueLoad& load, double part);

// The same load with arrivals so many times as many.
QueueLoad with_arrivals(QueueLoad load, double times);

}  // namespace n2nq::analysis
