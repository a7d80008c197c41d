#include "app/plan/metric_limit.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"
#include "app/plan/plan_limits.h"
#include "broker/base/join.h"
#include "broker/base/units.h"

namespace n2nq::plan {
namespace {

// The longer ones first: "<" is the beginning of "<=".
constexpr std::array kRelations{Relation::at_most, Relation::at_least, Relation::below, Relation::above,
                                Relation::equal};

// By Relation.
constexpr std::array<std::string_view, 5> kSigns{"<", "<=", "=", ">=", ">"};

struct UnitForm {
  std::string_view name;  // behind the number; empty: there is none
  std::string_view what;
  std::string_view example;
};
// By MetricUnit.
constexpr std::array kUnitForms{UnitForm{"", "a duration", "5ms"}, UnitForm{"/s", "a rate", "20000/s"},
                                UnitForm{"", "a number", "0"},     UnitForm{"%", "a percentage", "80%"},
                                UnitForm{"B", "a size", "1kB"},    UnitForm{"MB/s", "a rate", "20MB/s"},
                                UnitForm{"", "a number", "0"}};
// By LimitUse.
constexpr std::array kUseForms{
    "a limit is a metric, <= or >=, a value, and stop if it ends the run: p99 <= 5ms stop",
    "a limit is a metric, one of <=, >=, <, > and =, and a value: p99 <= 5ms, lost = 0",
    "a condition is a metric, > or <, and a limit: p99 > 5ms, lost > 0; or the word doubtful",
    "a condition is a metric, > or <, and a limit: p99 > 1.1x, p99 > 5ms, lost > 0; or the word doubtful"};

const UnitForm& form_of(MetricUnit unit) {
  return kUnitForms[static_cast<size_t>(unit)];
}

std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::optional<double> real_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value >= 0 && value <= kLargestLimit ? std::optional(value) : std::nullopt;
}

std::optional<double> value_of(MetricUnit unit, std::string_view text) {
  if (unit == MetricUnit::duration) {
    const auto ns = parse_duration(text);
    return ns ? std::optional(static_cast<double>(*ns)) : std::nullopt;
  }
  const std::string_view name = form_of(unit).name;
  const auto value = real_of(text.ends_with(name) ? trimmed(text.substr(0, text.size() - name.size())) : text);
  if (value || unit != MetricUnit::bytes) return value;
  const auto size = parse_size(text);
  return size ? std::optional(static_cast<double>(*size)) : std::nullopt;
}

Result<double> parse_ratio(LimitUse use, const LimitMetric& metric, std::string_view text) {
  if (use == LimitUse::run_condition)
    return fail(in_quotes(text) + ": a ratio is for compare, as a run has nothing to be compared with; expected " +
                limit_value_form(metric));
  const auto ratio = real_of(text.substr(0, text.size() - 1));
  if (!ratio || *ratio == 0) return fail(in_quotes(text) + " is not a ratio; expected one such as 1.1x");
  if (metric.unit == MetricUnit::messages)
    return fail(std::string(metric.name) + " cannot be a ratio, as it is often 0; expected " +
                limit_value_form(metric));
  return *ratio;
}

}  // namespace

std::string_view to_text(Relation relation) {
  return kSigns[static_cast<size_t>(relation)];
}

bool holds(double value, Relation relation, double limit) {
  if (value < limit) return relation == Relation::below || relation == Relation::at_most;
  if (value > limit) return relation == Relation::above || relation == Relation::at_least;
  return relation != Relation::below && relation != Relation::above;
}

bool takes(LimitUse use, Relation relation) {
  if (use == LimitUse::search) return true;
  if (use == LimitUse::plan) return relation == Relation::at_most || relation == Relation::at_least;
  return relation == Relation::below || relation == Relation::above;
}

bool takes(LimitUse use, const LimitMetric& metric) {
  return use == LimitUse::plan ? !metric.label.empty() : metric.compared;
}

const LimitMetric* find_limit_metric(LimitUse use, std::string_view name) {
  const auto found = std::ranges::find(kLimitMetrics, name, &LimitMetric::name);
  return found != kLimitMetrics.end() && takes(use, *found) ? &*found : nullptr;
}

Result<const LimitMetric*> limit_metric_named(LimitUse use, std::string_view name) {
  if (const LimitMetric* metric = find_limit_metric(use, name)) return metric;
  return fail(in_quotes(name) + (use == LimitUse::plan ? " cannot limit a plan" : " is not a metric") + "; there are " +
              limit_metric_names(use));
}

std::string limit_metric_names(LimitUse use) {
  std::string names;
  for (const LimitMetric& metric : kLimitMetrics)
    if (takes(use, metric)) add_part(names, ", ", metric.name);
  return names;
}

LimitParts limit_parts(std::string_view text) {
  const size_t at = std::min(text.find_first_of("<>="), text.size());
  LimitParts parts{.metric = trimmed(text.substr(0, at))};
  for (const Relation relation : kRelations) {
    if (!text.substr(at).starts_with(to_text(relation))) continue;
    parts.relation = relation;
    parts.value = trimmed(text.substr(at + to_text(relation).size()));
    break;
  }
  return parts;
}

Result<MetricLimit> parse_metric_limit(LimitUse use, std::string_view text) {
  const LimitParts parts = limit_parts(text);
  if (!parts.relation || !takes(use, *parts.relation))
    return fail(in_quotes(text) + ": " + kUseForms[static_cast<size_t>(use)]);
  const auto metric = limit_metric_named(use, parts.metric);
  if (!metric) return std::unexpected(metric.error());
  const bool condition = use == LimitUse::run_condition || use == LimitUse::comparison;
  const bool ratio = condition && parts.value.ends_with('x');
  const auto value = ratio ? parse_ratio(use, **metric, parts.value) : parse_limit_value(use, **metric, parts.value);
  if (!value) return std::unexpected(value.error());
  return MetricLimit{.metric = *metric, .relation = *parts.relation, .value = *value, .ratio = ratio};
}

Result<double> parse_limit_value(LimitUse use, const LimitMetric& metric, std::string_view text) {
  if (const auto value = value_of(metric.unit, plain_quantity(text))) return *value;
  return fail(in_quotes(text) + " is not a limit for " + std::string(metric.name) + "; expected " +
              limit_value_form(metric) + (use == LimitUse::comparison ? ", or a ratio such as 1.1x" : ""));
}

std::string limit_value_form(const LimitMetric& metric) {
  const UnitForm& form = form_of(metric.unit);
  const bool bare = metric.unit == MetricUnit::messages || metric.unit == MetricUnit::number;
  return std::string(form.what) + (bare ? "" : " such as " + std::string(form.example));
}

std::string limit_value_example(const LimitMetric& metric) {
  return std::string(form_of(metric.unit).example);
}

std::string exact_value(const LimitMetric& metric, double value) {
  if (metric.unit == MetricUnit::duration) return exact_duration(std::llround(value));
  if (metric.unit == MetricUnit::bytes && value == std::floor(value)) return exact_size(static_cast<uint64_t>(value));
  std::array<char, 64> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return (error == std::errc() ? std::string(text.data(), end) : "0") + std::string(form_of(metric.unit).name);
}

}  // namespace n2nq::plan
