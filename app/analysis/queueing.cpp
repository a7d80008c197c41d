#include "app/analysis/queueing.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace n2nq::analysis {
namespace {

double offered(const QueueLoad& load) {
  return load.arrivals_per_s / load.services_per_s;
}

bool is_stable(const QueueLoad& load) {
  return load.arrivals_per_s > 0 && load.services_per_s > 0 && load.servers > 0 &&
         offered(load) < static_cast<double>(load.servers);
}

// Erlang's C formula, by way of his B formula, whose recursion stays within [0, 1] for any number of servers.
double waits_probability(const QueueLoad& load) {
  const double erlangs = offered(load);
  double blocked = 1;
  for (uint32_t s = 1; s <= load.servers; s++) blocked = erlangs * blocked / (s + erlangs * blocked);
  const double busy = erlangs / load.servers;
  return blocked / (1 - busy + busy * blocked);
}

// Of M/M/s. Terms of Erlang's sum are taken beside the largest, as they may outgrow a double.
double empty_probability(const QueueLoad& load) {
  const double erlangs = offered(load);
  double logarithm = 0, largest = 0;
  for (uint32_t i = 1; i <= load.servers; i++) largest = std::max(largest, logarithm += std::log(erlangs / i));
  logarithm = 0;
  double sum = 0;
  for (uint32_t i = 1; i <= load.servers; i++) {
    sum += std::exp(logarithm - largest);
    logarithm += std::log(erlangs / i);
  }
  sum += std::exp(logarithm - largest) / (1 - erlangs / load.servers);
  return std::exp(-largest) / sum;
}

QueuePrediction of_queue_length(const QueueLoad& load, double queue_length, std::optional<double> waits) {
  const double waiting_s = queue_length / load.arrivals_per_s;
  return {.utilisation = offered(load) / load.servers,
          .waits_probability = waits,
          .waiting_s = waiting_s,
          .in_system_s = waiting_s + 1 / load.services_per_s,
          .queue_length = queue_length,
          .in_system = queue_length + offered(load)};
}

// For s equal queues, one of which this is; arrivals at one say nothing of those at others.
QueuePrediction times(QueuePrediction one, uint32_t servers) {
  one.queue_length *= servers;
  one.in_system *= servers;
  if (one.empty_probability) one.empty_probability = std::pow(*one.empty_probability, servers);
  return one;
}

QueueLoad part_of_one(const QueueLoad& load) {
  return {.arrivals_per_s = load.arrivals_per_s / load.servers, .services_per_s = load.services_per_s, .servers = 1};
}

// Gaps between arrivals at a server are sums of s exponential ones. An arrival finds n there with probability
// (1 - x) x^n, x being the root below 1 of x = (a / (a + 1 - x))^s with the arrivals a of all in the time of a service.
// Newton's way to it from 0 only rises.
double found_ratio(const QueueLoad& load) {
  const double arrivals = offered(load);
  double root = 0;
  for (int step = 0; step < 1'000; step++) {
    const double gap = arrivals / (arrivals + 1 - root);
    const double value = std::pow(gap, load.servers);
    const double slope = load.servers * value / (arrivals + 1 - root);
    const double moved = (value - root) / (1 - slope);
    root += moved;
    if (std::abs(moved) < 1e-15) break;
  }
  return root;
}

using OneQueue = std::optional<QueuePrediction> (*)(const QueueLoad&);

std::optional<QueuePrediction> by_parts(const QueueLoad& load, std::span<const double> parts, OneQueue one_queue) {
  if (!is_stable(load)) return std::nullopt;
  double queue_length = 0, empty = 1;
  for (const double part : parts) {
    if (part <= 0) continue;
    const auto one =
        one_queue({.arrivals_per_s = load.arrivals_per_s * part, .services_per_s = load.services_per_s, .servers = 1});
    if (!one) return std::nullopt;
    queue_length += one->queue_length;
    empty *= one->empty_probability.value_or(0);
  }
  QueuePrediction found = of_queue_length(load, queue_length, std::nullopt);
  found.empty_probability = empty;
  return found;
}

// Whoever waits at a moment has, one service time later, seen all that were in service leave: the queue length follows
// q' = max(q + a - s, 0) with a Poisson number a of arrivals. Its mean comes from the roots of z^s = e^(A(z - 1)) in
// the unit circle, A being the mean of a (bulk service queue; the iteration contracts by A/s).
double fixed_queue_length(const QueueLoad& load) {
  const double arrivals = offered(load);
  const auto servers = static_cast<double>(load.servers);
  const double contraction = arrivals / servers;
  double sum = 0;
  for (uint32_t k = 1; k < load.servers; k++) {
    const std::complex<double> turn = std::polar(1.0, 2 * std::numbers::pi * k / servers);
    std::complex<double> root = 0;
    for (int step = 0; step < 100'000; step++) {
      const std::complex<double> next = turn * std::exp(contraction * (root - 1.0));
      const double moved = std::abs(next - root);
      root = next;
      if (moved < 1e-14) break;
    }
    sum += (1.0 / (1.0 - root)).real();
  }
  const double length = arrivals / (2 * (servers - arrivals)) - (servers - 1 + arrivals) / 2 + sum;
  return std::max(length, 0.0);  // what is nearly nothing may come out below
}

}  // namespace

std::optional<QueuePrediction> shared_queue(const QueueLoad& load) {
  if (!is_stable(load)) return std::nullopt;
  const double waits = waits_probability(load);
  const double busy = offered(load) / load.servers;
  QueuePrediction found = of_queue_length(load, waits * busy / (1 - busy), waits);
  found.empty_probability = empty_probability(load);
  return found;
}

std::optional<QueuePrediction> shared_queue_fixed(const QueueLoad& load) {
  if (!is_stable(load)) return std::nullopt;
  QueuePrediction found = of_queue_length(load, fixed_queue_length(load), std::nullopt);
  if (load.servers == 1) found.empty_probability = 1 - offered(load);
  return found;
}

std::optional<QueuePrediction> split_queues(const QueueLoad& load) {
  if (!is_stable(load)) return std::nullopt;
  return times(*shared_queue(part_of_one(load)), load.servers);
}

std::optional<QueuePrediction> split_queues_fixed(const QueueLoad& load) {
  if (!is_stable(load)) return std::nullopt;
  return times(*shared_queue_fixed(part_of_one(load)), load.servers);
}

std::optional<QueuePrediction> queues_in_turn(const QueueLoad& load) {
  if (!is_stable(load)) return std::nullopt;
  const double ratio = found_ratio(load);
  return of_queue_length(load, ratio / (1 - ratio) * offered(load), std::nullopt);
}

std::optional<QueuePrediction> queues_in_turn_fixed(const QueueLoad& load) {
  return shared_queue_fixed(load);
}

std::optional<QueuePrediction> unequal_queues(const QueueLoad& load, std::span<const double> parts) {
  return by_parts(load, parts, shared_queue);
}

std::optional<QueuePrediction> unequal_queues_fixed(const QueueLoad& load, std::span<const double> parts) {
  return by_parts(load, parts, shared_queue_fixed);
}

double shared_queue_waits_longer(const QueueLoad& load, double seconds) {
  if (!is_stable(load)) return 1;
  const double spare = load.servers * load.services_per_s - load.arrivals_per_s;
  return waits_probability(load) * std::exp(-spare * seconds);
}

double split_queues_wait_longer(const QueueLoad& load, double seconds) {
  return is_stable(load) ? shared_queue_waits_longer(part_of_one(load), seconds) : 1;
}

}  // namespace n2nq::analysis
