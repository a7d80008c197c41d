#include "app/analysis/measured_load.h"

#include <algorithm>
#include <cmath>

namespace n2nq::analysis {
namespace {

constexpr double kBound = 1.96;  // of the normal distribution: rates are means of very many times

QueueLoad with_services(QueueLoad load, double times) {
  load.services_per_s *= times;
  return load;
}

double utilisation(const QueueLoad& load) {
  return load.arrivals_per_s / load.services_per_s / load.servers;
}

// Below 1: nothing has no rate.
double down(double error) {
  return 1 - std::min(kBound * error, 0.99);
}
double up(double error) {
  return 1 + kBound * error;
}

std::optional<double> memory_s(double arrivals_per_s, double services_per_s) {
  if (arrivals_per_s <= 0 || services_per_s <= arrivals_per_s) return std::nullopt;
  const double apart = std::sqrt(services_per_s) - std::sqrt(arrivals_per_s);
  return 1 / (apart * apart);
}

}  // namespace

QueueLoad with_arrivals(QueueLoad load, double times) {
  load.arrivals_per_s *= times;
  return load;
}

Reach utilisation_reach(const MeasuredLoad& measured) {
  const double busy = utilisation(measured.load);
  const double error = std::hypot(measured.arrivals_error, measured.services_error);
  Reach reach{.low = busy * down(error)};
  if (busy * up(error) < 1) reach.high = busy * up(error);
  return reach;
}

std::optional<Reach> waiting_reach(const Model& model, const MeasuredLoad& measured) {
  const auto here = model(measured.load);
  if (!here) return std::nullopt;
  const auto off = [&](const QueueLoad& load) -> std::optional<double> {
    const auto there = model(load);
    return there ? std::optional(there->waiting_s - here->waiting_s) : std::nullopt;
  };
  // Fewer arrivals and faster services wait less, more and slower ones more; the two errors are independent.
  const auto fewer = off(with_arrivals(measured.load, down(measured.arrivals_error)));
  const auto faster = off(with_services(measured.load, up(measured.services_error)));
  const auto more = off(with_arrivals(measured.load, up(measured.arrivals_error)));
  const auto slower = off(with_services(measured.load, down(measured.services_error)));
  Reach reach{.low = here->waiting_s - std::hypot(fewer.value_or(0), faster.value_or(0))};
  if (more && slower && utilisation_reach(measured).high) reach.high = here->waiting_s + std::hypot(*more, *slower);
  return reach;
}

std::optional<double> shared_queue_memory_s(const QueueLoad& load) {
  return memory_s(load.arrivals_per_s, load.services_per_s * load.servers);
}

std::optional<double> split_queues_memory_s(const QueueLoad& load) {
  return queue_memory_s(load, 1.0 / load.servers);
}

std::optional<double> queue_memory_s(const QueueLoad& load, double part) {
  return memory_s(load.arrivals_per_s * part, load.services_per_s);
}

}  // namespace n2nq::analysis
