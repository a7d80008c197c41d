#include "app/compare/metric.h"

#include <array>
#include <cmath>

#include "app/results/waiting.h"
#include "app/text/number.h"
#include "app/text/quantity.h"
#include "broker/base/units.h"

namespace n2nq::compare {
namespace {

using results::Quantity;
using results::RunRecord;
using statistics::Better;
using Value = std::optional<double>;

Value per_second(const RunRecord& run, uint64_t count) {
  if (!run.began_utc_ns || run.ended_utc_ns <= *run.began_utc_ns) return std::nullopt;
  return static_cast<double>(count) * 1e9 / static_cast<double>(run.ended_utc_ns - *run.began_utc_ns);
}

Value predicted_waiting(const RunRecord& run) {
  const auto waiting = results::waiting_of(results::waiting_sums_of(run));
  const auto* model = waiting ? waiting->fitting() : nullptr;
  return model != nullptr ? Value(waiting->predicted_ns(*model)) : std::nullopt;
}

Value queue_length(const RunRecord& run, const Value& waiting_ns) {
  const auto waiting = results::waiting_of(results::waiting_sums_of(run));
  if (!waiting || !waiting_ns || waiting->arrivals_per_s == 0) return std::nullopt;
  return waiting->queue_length(*waiting_ns);
}

constexpr std::array kMetrics{
    Metric{"p50", "latency, median", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.p50); }},
    Metric{"p90", "latency, 90 % below", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.p90); }},
    Metric{"p95", "latency, 95 % below", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.p95); }},
    Metric{"p99", "latency, 99 % below", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.p99); }},
    Metric{"p99.9", "latency, 99.9 % below", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.p999); }},
    Metric{"max", "latency, longest", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.max); }},
    Metric{"mean", "latency, mean", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.mean); }},
    Metric{"trimmed", "latency, mean of the lowest 95 %", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.latency.trimmed_mean_p95); }},
    Metric{"scheduled-p50", "latency from the schedule, median", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.scheduled_latency.p50); }},
    Metric{"scheduled-p99", "latency from the schedule, 99 % below", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.scheduled_latency.p99); }},
    Metric{"rate", "deliveries received", Quantity::rate_per_s, Better::higher,
           [](const RunRecord& run) { return per_second(run, run.totals.received); }},
    Metric{"sent-rate", "messages sent", Quantity::rate_per_s, Better::higher,
           [](const RunRecord& run) { return per_second(run, run.totals.sent); }},
    Metric{"lost", "lost", Quantity::messages, Better::lower,
           [](const RunRecord& run) { return text::real(run.totals.lost); }},
    Metric{"duplicates", "duplicates", Quantity::messages, Better::lower,
           [](const RunRecord& run) { return Value(static_cast<double>(run.totals.duplicates)); }},
    Metric{"waiting", "waiting for service, mean", Quantity::duration_ns, Better::lower,
           [](const RunRecord& run) { return text::real(run.waiting.mean); }, predicted_waiting},
    Metric{"queue-length", "messages that wait, mean", Quantity::number, Better::lower,
           [](const RunRecord& run) { return queue_length(run, run.waiting.mean); },
           [](const RunRecord& run) { return queue_length(run, predicted_waiting(run)); }},
};

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

const Metric* find_metric(std::string_view name) {
  for (const Metric& metric : kMetrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

std::string metric_names() {
  std::string names;
  for (const Metric& metric : kMetrics) names += (names.empty() ? "" : ", ") + std::string(metric.name);
  return names;
}

std::optional<double> parse_value(const Metric& metric, std::string_view written) {
  const std::string text = plain_quantity(written);
  if (metric.quantity == Quantity::duration_ns) {
    const auto ns = parse_duration(text);
    return ns ? Value(static_cast<double>(*ns)) : std::nullopt;
  }
  return text::parse_real(text);
}

std::string form_of_values(const Metric& metric) {
  return metric.quantity == Quantity::duration_ns ? "a duration such as 5ms" : "a number";
}

std::string value_text(const Metric& metric, double value) {
  switch (metric.quantity) {
    case Quantity::duration_ns:
      return text::duration(value);
    case Quantity::rate_per_s:
      return text::rate(value);
    case Quantity::number:
      return text::decimals(value, 2);
    default:
      return text::count(std::llround(value));
  }
}

text::Unit unit_of(const Metric& metric) {
  switch (metric.quantity) {
    case Quantity::duration_ns:
      return text::Unit::duration;
    case Quantity::rate_per_s:
      return text::Unit::rate;
    default:
      return text::Unit::number;
  }
}

}  // namespace n2nq::compare
