#include "app/figures/limit_text.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/plan/exact_text.h"
#include "app/plan/metric_limit.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::figures {
namespace {

const plan::LimitMetric* in_plans(const std::string& metric) {
  return plan::find_limit_metric(plan::LimitUse::plan, metric);
}

std::string label_of(const std::string& metric) {
  return std::string(in_plans(metric)->label);
}

std::string when_text(const record::PassedLimit& passed) {
  if (!passed.since_begin_ns) return ", over the whole run";
  const std::string when = text::duration(static_cast<double>(*passed.since_begin_ns));
  const bool rate = in_plans(passed.metric) != nullptr && limit_metric(passed.metric).part == MetricPart::rates;
  return (rate ? ", at " : ", as of ") + when;
}

template <class AnyLimit>
std::string whole_text(const AnyLimit& limit) {
  return limit.metric + " " + std::string(plan::to_text(plan::relation_of(limit.at_most))) + " " +
         limit_value_text(limit);
}

std::string clause_of(const record::PassedLimit& passed) {
  if (in_plans(passed.metric) == nullptr) return passed.metric;  // of a newer bench
  return whole_text(passed) + ": it was " + value_text(limit_metric(passed.metric), passed.value) + when_text(passed);
}

}  // namespace

std::string passed_text(const record::PassedLimit& passed) {
  if (in_plans(passed.metric) == nullptr) return passed.metric;  // of a newer bench
  return label_of(passed.metric) + " " + value_text(limit_metric(passed.metric), passed.value) +
         (passed.at_most ? ", above " : ", below ") + limit_value_text(passed);
}

std::string passed_when_text(const record::PassedLimit& passed) {
  return passed_text(passed) + when_text(passed);
}

std::string warned_text(std::span<const record::PassedLimit> passed) {
  std::string text;
  for (const record::PassedLimit& one : passed)
    if (only_warns(one)) text += (text.empty() ? "limit exceeded: " : "; ") + passed_when_text(one);
  return text;
}

std::string failed_text(std::span<const record::PassedLimit> passed) {
  std::string text;
  for (const record::PassedLimit& one : passed)
    if (one.fails) add_part(text, "; ", clause_of(one));
  return text;
}

std::string verdict_words(record::Verdict verdict, std::span<const record::PassedLimit> passed) {
  return record::to_text(verdict) + (passed.empty() ? "" : ", limit exceeded");
}

std::string limit_value_text(const Metric& metric, double value) {
  if (metric.quantity != Quantity::duration_ns) return value_text(metric, value);
  return plan::told(plan::exact_duration(std::llround(std::clamp(value, 0.0, 1e18))));
}

std::string limit_value_text(const plan::RunLimit& limit) {
  return limit_value_text(limit_metric(limit.metric), limit.value);
}

std::string limit_value_text(const record::PassedLimit& passed) {
  return limit_value_text(limit_metric(passed.metric), passed.limit);
}

std::string limit_text(const plan::RunLimit& limit) {
  return whole_text(limit);
}

namespace {

std::vector<Limit> lines_of(std::span<const plan::RunLimit> limits, const std::function<bool(const Metric&)>& shows,
                            bool intended = false) {
  std::vector<Limit> lines;
  for (const plan::RunLimit& limit : limits) {
    const Metric& metric = limit_metric(limit.metric);
    const bool of_actual = intended && &shown_metric(metric, true) != &metric;
    if (shows(metric))
      lines.push_back({.label = limit.metric + (of_actual ? " from the actual send" : "") +
                                (limit.at_most ? " at most " : " at least ") + figures::limit_value_text(limit),
                       .value = limit.value});
  }
  return lines;
}

}  // namespace

std::vector<Limit> latency_lines(std::span<const plan::RunLimit> limits, bool turnaround, bool intended) {
  const auto of_them = [turnaround](const Metric& metric) {
    return metric.quantity == Quantity::duration_ns &&
           metric.part == (turnaround ? MetricPart::turnaround : MetricPart::latency);
  };
  return lines_of(limits, of_them, intended);
}

std::vector<Limit> rate_lines(std::span<const plan::RunLimit> limits) {
  return lines_of(limits, [](const Metric& metric) { return metric.part == MetricPart::rates; });
}

}  // namespace n2nq::figures
