#include "app/findings/measure.h"

#include <cstdio>

#include "app/plan/metric_limit.h"
#include "app/text/quantity.h"

namespace n2nq::findings {
namespace {

constexpr double kKept = 0.95;  // of all messages, in the trimmed mean

std::optional<double> spikes_of(const record::RunRecord& run) {
  const auto& latency = run.latencies[Latency::latency];
  if (!latency.mean || !latency.trimmed_mean_p95) return std::nullopt;
  return (*latency.mean - kKept * *latency.trimmed_mean_p95) / (1 - kKept);
}

}  // namespace

std::string Measure::label() const {
  if (metric == nullptr) return "latency, mean of the highest 5 %";
  return under == nullptr ? std::string(metric->label) : std::string(metric->name) + " by " + std::string(under->name);
}

std::optional<double> Measure::value(const record::RunRecord& run) const {
  if (metric == nullptr) return spikes_of(run);
  const auto above = metric->value(run);
  if (under == nullptr || !above) return above;
  const auto below = under->value(run);
  if (!below || *below <= 0) return std::nullopt;
  return *above / *below;
}

bool Measure::of_actual_send() const {
  return metric == nullptr || figures::intended_of(*metric) != nullptr;
}

std::string Measure::text(double value) const {
  if (metric == nullptr) return text::duration(value);
  if (under == nullptr) return figures::value_text(*metric, value);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", value);
  return buffer;
}

std::optional<Measure> find_measure(std::string_view name) {
  if (name == "spikes") return Measure{};
  const size_t slash = name.find('/');
  Measure measure{.metric = figures::find_metric(name.substr(0, slash))};
  if (slash != std::string_view::npos) measure.under = figures::find_metric(name.substr(slash + 1));
  if (measure.metric == nullptr || (slash != std::string_view::npos && measure.under == nullptr)) return std::nullopt;
  return measure;
}

std::string label_of(std::string_view name) {
  return find_measure(name)->label();
}

std::string measure_names() {
  return plan::limit_metric_names(plan::LimitUse::search) + ", spikes, and quotients such as max/p95";
}

}  // namespace n2nq::findings
