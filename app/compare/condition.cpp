#include "app/compare/condition.h"

#include <cstdio>

#include "app/plan/filter_text.h"
#include "app/text/number.h"
#include "broker/base/assert.h"

namespace n2nq::compare {
namespace {

constexpr const char* kConditionForm = "a condition is a metric, > or <, and a limit: p99 > 1.1x, p99 > 5ms, lost > 0";

Result<double> parse_limit(const figures::Metric& metric, std::string_view text) {
  if (const auto value = parse_value(metric, text)) return *value;
  return fail("\"" + std::string(text) + "\" is not a limit for " + std::string(metric.name) + "; expected " +
              figures::form_of_values(metric) + ", or a ratio such as 1.1x");
}

std::string times(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3gx", ratio);
  return text;
}

bool beyond(const Condition& condition, double value) {
  return condition.above ? value > condition.limit : value < condition.limit;
}

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  const size_t at = text.find_first_of("<>");
  if (at == std::string_view::npos) return fail("\"" + std::string(text) + "\": " + kConditionForm);
  const std::string_view name = plan::trimmed(text.substr(0, at));
  const std::string_view limit = plan::trimmed(text.substr(at + 1));
  Condition condition{.text = std::string(text), .metric = figures::find_metric(name), .above = text[at] == '>'};
  if (condition.metric == nullptr)
    return fail("\"" + std::string(name) + "\" is not a metric; there are " + figures::metric_names());
  if (limit.ends_with('x')) {
    const auto ratio = text::parse_real(limit.substr(0, limit.size() - 1));
    if (!ratio || *ratio == 0) return fail("\"" + std::string(limit) + "\" is not a ratio; expected one such as 1.1x");
    if (condition.metric->quantity == figures::Quantity::messages)
      return fail(std::string(name) + " cannot be a ratio, as it is often 0; expected a number");
    condition.relative = true;
    condition.limit = *ratio;
    return condition;
  }
  const auto value = parse_limit(*condition.metric, limit);
  if (!value) return std::unexpected(value.error());
  condition.limit = *value;
  return condition;
}

Result<Condition> parse_run_condition(std::string_view text) {
  auto condition = parse_condition(text);
  if (condition && condition->relative)
    return fail("\"" + condition->text +
                "\": a ratio is for compare, as a run has nothing to be compared with; expected " +
                figures::form_of_values(*condition->metric));
  return condition;
}

namespace {

// Counts are summed over the runs, other figures are their mean.
Judgement judge_quantity(const Condition& condition, const MetricComparison& found) {
  if (!found.of_b) return {.outcome = Outcome::unknown, .reason = "unknown for all runs of B"};
  const bool counts = found.metric->quantity == figures::Quantity::messages;
  const double value = counts ? sum_of(found.b) : found.of_b->mean;
  const std::string runs = std::to_string(found.of_b->runs) + (found.of_b->runs == 1 ? " run" : " runs");
  return {.outcome = beyond(condition, value) ? Outcome::met : Outcome::not_met,
          .reason = "B has " + value_text(*found.metric, value) + (counts ? ", in " : ", the mean of ") + runs};
}

// A limit on the side where B would be worse is met where the runs show a difference, and its best estimate is beyond
// the limit. One on the other side ("at least 10 % better") wants the whole interval to be clear of it.
Judgement judge_ratio(const Condition& condition, const MetricComparison& found) {
  if (!found.b_to_a) return {.outcome = Outcome::unknown, .reason = found.statement};
  const analysis::RunComparison& ratio = *found.b_to_a;
  const std::string reason = "B has " + times(ratio.ratio) + " of A: " + found.statement;
  const bool demands_change = condition.above ? condition.limit < 1 : condition.limit > 1;
  if (!demands_change)
    return {.outcome = beyond(condition, ratio.ratio) && ratio.differs() ? Outcome::met : Outcome::not_met,
            .reason = reason};
  if (beyond(condition, ratio.low) && beyond(condition, ratio.high)) return {.outcome = Outcome::met, .reason = reason};
  if (!beyond(condition, ratio.low) && !beyond(condition, ratio.high))
    return {.outcome = Outcome::not_met, .reason = reason};
  return {.outcome = Outcome::unknown, .reason = reason + "; the limit lies within that interval"};
}

}  // namespace

Judgement judge(const Condition& condition, const MetricComparison& found) {
  Judgement judgement = condition.relative ? judge_ratio(condition, found) : judge_quantity(condition, found);
  // Those that came through say nothing of those that did not.
  if (judgement.outcome == Outcome::not_met && found.failed_b > 0)
    return {.outcome = Outcome::unknown,
            .reason = std::to_string(found.failed_b) + " of B's runs failed; of the others: " + judgement.reason};
  return judgement;
}

Judgement judge(const Condition& condition, const record::RunRecord& run) {
  N2NQ_ASSERT(!condition.relative);
  const auto value = condition.metric->value(run);
  if (!value) return {.outcome = Outcome::unknown, .reason = "the run does not have this figure"};
  const std::string has = "the run has " + value_text(*condition.metric, *value);
  const bool met = beyond(condition, *value);
  const bool told = met && condition.metric->quantity == figures::Quantity::messages;
  if (!counts(run.verdict) && !told)
    return {.outcome = Outcome::unknown, .reason = has + ", which does not count: " + to_text(run.verdict)};
  return {.outcome = met ? Outcome::met : Outcome::not_met, .reason = has};
}

}  // namespace n2nq::compare
