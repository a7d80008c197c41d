#include "app/compare/condition.h"

#include <cstdio>

#include "broker/base/assert.h"

namespace n2nq::compare {
namespace {

std::string times(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3gx", ratio);
  return text;
}

bool beyond(const Limit& limit, double value) {
  return plan::holds(value, limit.relation, limit.value);
}

Result<Condition> parse(std::string_view text, plan::LimitUse use) {
  const auto limit = parse_limit(text, use);
  if (!limit) return std::unexpected(limit.error());
  return Condition{.text = std::string(text), .limit = *limit};
}

// Counts are summed over the runs, other figures are their mean.
Judgement judge_quantity(const Limit& limit, const MetricComparison& found) {
  if (!found.of_b) return {.outcome = Outcome::unknown, .reason = "unknown for all runs of B"};
  const bool counts = found.metric->quantity == figures::Quantity::messages;
  const double value = counts ? sum_of(found.b) : found.of_b->mean;
  const std::string runs = std::to_string(found.of_b->runs) + (found.of_b->runs == 1 ? " run" : " runs");
  return {.outcome = beyond(limit, value) ? Outcome::met : Outcome::not_met,
          .reason = "B has " + value_text(*found.metric, value) + (counts ? ", in " : ", the mean of ") + runs};
}

// A limit on the side where B would be worse is met where the runs show a difference, and its best estimate is beyond
// the limit. One on the other side ("at least 10 % better") wants the whole interval to be clear of it.
Judgement judge_ratio(const Limit& limit, const MetricComparison& found) {
  if (!found.b_to_a) return {.outcome = Outcome::unknown, .reason = found.statement};
  const analysis::RunComparison& ratio = *found.b_to_a;
  const std::string reason = "B has " + times(ratio.ratio) + " of A: " + found.statement;
  const bool demands_change = limit.relation == plan::Relation::above ? limit.value < 1 : limit.value > 1;
  if (!demands_change)
    return {.outcome = beyond(limit, ratio.ratio) && ratio.differs() ? Outcome::met : Outcome::not_met,
            .reason = reason};
  if (beyond(limit, ratio.low) && beyond(limit, ratio.high)) return {.outcome = Outcome::met, .reason = reason};
  if (!beyond(limit, ratio.low) && !beyond(limit, ratio.high)) return {.outcome = Outcome::not_met, .reason = reason};
  return {.outcome = Outcome::unknown, .reason = reason + "; the limit lies within that interval"};
}

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  return parse(text, plan::LimitUse::comparison);
}

Result<Condition> parse_run_condition(std::string_view text) {
  return parse(text, plan::LimitUse::run_condition);
}

Judgement judge(const Condition& condition, const MetricComparison& found) {
  Judgement judgement =
      condition.limit.ratio ? judge_ratio(condition.limit, found) : judge_quantity(condition.limit, found);
  // Those that came through say nothing of those that did not.
  if (judgement.outcome == Outcome::not_met && found.failed_b > 0)
    return {.outcome = Outcome::unknown,
            .reason = std::to_string(found.failed_b) + " of B's runs failed; of the others: " + judgement.reason};
  return judgement;
}

Judgement judge(const Condition& condition, const record::RunRecord& run) {
  N2NQ_ASSERT(!condition.limit.ratio);
  const auto value = condition.limit.metric->value(run);
  if (!value) return {.outcome = Outcome::unknown, .reason = "the run does not have this figure"};
  const std::string has = "the run has " + value_text(*condition.limit.metric, *value);
  const bool met = beyond(condition.limit, *value);
  const bool told = met && condition.limit.metric->quantity == figures::Quantity::messages;
  if (!counts(run.verdict) && !told)
    return {.outcome = Outcome::unknown, .reason = has + ", which does not count: " + to_text(run.verdict)};
  return {.outcome = met ? Outcome::met : Outcome::not_met, .reason = has};
}

}  // namespace n2nq::compare
