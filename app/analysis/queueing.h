// What queueing theory says of waiting, to be drawn beside what was measured. Arrivals are Poisson, queues unbounded.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace n2nq::analysis {

struct QueueLoad {
  double arrivals_per_s = 0;  // of all queues together
  double services_per_s = 0;  // of one server that is never idle
  uint32_t servers = 1;       // at least 1
};

struct QueuePrediction {
  double utilisation = 0;                     // part of the time that a server is busy, below 1
  std::optional<double> waits_probability{};  // that an arrival finds no idle server, where it is known
  double waiting_s = 0;                       // mean, in the queue (Wq)
  double in_system_s = 0;                     // mean, in the queue and in service (Ws)
  double queue_length = 0;                    // mean number waiting, over all queues (Lq)
  double in_system = 0;                       // mean number waiting or in service (Ls)
  std::optional<double> empty_probability{};  // that nothing waits or is served (P0), where it is known
};

// One queue, from which each server takes the next as soon as it is idle; service times are exponential (M/M/s).
// Nothing where the servers cannot keep up with the arrivals, or a rate is not above 0.
std::optional<QueuePrediction> shared_queue(const QueueLoad& load);
// The same with a fixed service time (M/D/s).
std::optional<QueuePrediction> shared_queue_fixed(const QueueLoad& load);
// A queue for each server, an arrival goes to any of them at random (s times M/M/1).
std::optional<QueuePrediction> split_queues(const QueueLoad& load);
// The same with a fixed service time (s times M/D/1).
std::optional<QueuePrediction> split_queues_fixed(const QueueLoad& load);

// A queue for each server, each of which gets every s-th arrival in turn (s times E_s/M/1).
std::optional<QueuePrediction> queues_in_turn(const QueueLoad& load);
// The same with a fixed service time (s times E_s/D/1): one shared queue serves in turn as well, so it waits as long.
std::optional<QueuePrediction> queues_in_turn_fixed(const QueueLoad& load);
// A queue for each server, to which this part of the arrivals goes; parts are of sum 1. Nothing where any of the
// servers cannot keep up.
std::optional<QueuePrediction> unequal_queues(const QueueLoad& load, std::span<const double> parts);
std::optional<QueuePrediction> unequal_queues_fixed(const QueueLoad& load, std::span<const double> parts);

// Probability that an arrival waits longer than this, for exponential service times.
double shared_queue_waits_longer(const QueueLoad& load, double seconds);
double split_queues_wait_longer(const QueueLoad& load, double seconds);

}  // namespace n2nq::analysis
