// How long messages of a run waited for their service, beside what queueing theory says of it (docs/theory.md). Pure;
// any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/measured_load.h"
#include "app/figures/run_view.h"
#include "app/live/waiting_batches.h"

namespace n2nq::figures {

// What it is told from.
struct WaitingSums {
  const plan::RunPlan& plan;
  measure::LatencySummary waiting{}, service{}, in_system{}, handover{}, occupied{}, delay{};
  std::span<const live::WaitingBatch> batches{};
  bool rate_reached = true;
  uint64_t expired = 0;
  std::vector<uint64_t> received{};  // by receiver, where the bus deals them out by chance; else none
};
WaitingSums waiting_sums_of(const RunView& run);

struct WaitingModel {
  std::string name{};      // "M/M/3", "3 x M/D/1"
  bool fits_plan = false;  // it is the one of what the plan says
  analysis::QueuePrediction prediction{};
  analysis::Reach waiting_s{};  // within which the error of the measured load leaves its waiting time
  double memory_s = 0;          // of its queue, at the upper end of what the load may be
};

// Times in ns. What the bus takes to hand a message over to a receiver that is free is not waiting as theory knows it:
// predictions are drawn with it added.
struct Waiting {
  uint64_t messages = 0;
  double mean_ns = 0;                         // of waiting, from when a message was due to the begin of its service
  std::optional<double> low_ns{}, high_ns{};  // its 95 % confidence interval, by batches; nothing of too short a run
  size_t batches = 0;                         // that it rests on
  bool independent = true;                    // false: the batches hang together, and the interval is too narrow
  double service_ns = 0;                      // mean
  double in_system_ns = 0;                    // mean, of both: from when a message was due to the end of its service
  double handover_ns = 0;                     // mean, the part of waiting that is the bus'
  double arrivals_per_s = 0;                  // of all queues together; 0: not known
  double services_per_s = 0;                  // of a receiver that is never idle, asking for the next included
  uint32_t receivers = 0;
  double length_s = 0;     // of the part of the run that is in the figures
  analysis::Reach load{};  // within which the utilisation is known
  double beside_mean = 1;  // how much busier the busiest queue is than all are on average
  double utilisation() const;
  bool overloaded() const { return utilisation() >= 1; }
  bool busiest_overloaded() const { return utilisation() * beside_mean >= 1; }  // one of its queues at least
  // Of messages that are there for so long each: the queue length of a waiting time (Little's law).
  double number(double time_ns) const { return arrivals_per_s * time_ns / 1e9; }
  double predicted_ns(const WaitingModel& model) const { return model.prediction.waiting_s * 1e9 + handover_ns; }
  // With the service as it was: what keeps a receiver besides is in the waiting of the next message already.
  double predicted_in_system_ns(const WaitingModel& model) const { return predicted_ns(model) + service_ns; }

  std::vector<WaitingModel> models{};   // none if overloaded, or the arrivals are not known
  std::vector<std::string> caveats{};   // what is not as theory assumes, and what that does
  const WaitingModel* fitting() const;  // null: none of them is the plan's
  // The ends of what the model says, as the load is not known better; high: nothing where it may be an overload.
  double predicted_low_ns(const WaitingModel& model) const;
  std::optional<double> predicted_high_ns(const WaitingModel& model) const;
  // Whether the run says nothing of the fitting one: its queue remembers for too long, or the load might be none that
  // receivers can serve.
  bool too_short() const;
  double needed_s() const;  // how long it should be for that; 0: there is no model
  // Whether what the fitting one says and what was measured differ by no more than both may be off, with a confidence
  // of 95 %; nothing without it, or of too short a run.
  std::optional<bool> agrees() const;
};

// A run shorter than so many memories of its queue says nothing of its mean.
inline constexpr double kFewestMemories = 15;

// Nothing without a service time, or before a message was served.
std::optional<Waiting> waiting_of(const WaitingSums& sums);
std::optional<Waiting> waiting_of(const record::RunRecord& record);

// Before a run, of what the plan asks for: the models and the load, and nothing that was measured; the bus takes no
// time. Nothing without a service time, or a rate.
std::optional<Waiting> expected_of(const plan::RunPlan& plan);
// The fewest receivers with which the plan's own model says that messages wait no longer on average; nothing where it
// has none, or where more than kMostReceiversTried would be needed.
inline constexpr uint32_t kMostReceiversTried = 1000;
std::optional<uint32_t> fewest_receivers(plan::RunPlan plan, double waiting_ns);
// "by theory (M/M/8) receivers are 86 % busy and messages wait 362 ms"; "receivers are offered 120 % of their capacity
// ..."
std::string expected_text(const Waiting& waiting);

// "M/M/3 says 2.84 ms; measured was 3 % more, no more than chance makes of it (95 % confidence)"
std::string verdict_text(const Waiting& waiting);

}  // namespace n2nq::figures
