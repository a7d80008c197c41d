#include "app/compare/condition.h"

#include <cstdio>

#include "app/record/trust.h"
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
  if (text == kDoubtful) return Condition{.text = std::string(text)};
  const auto limit = parse_limit(text, use);
  if (!limit) return std::unexpected(limit.error());
  return Condition{.text = std::string(text), .limit = *limit};
}

// Counts are summed over the runs, other figures are their mean.
Judgement judge_quantity(const Limit& limit, const MetricComparison& found) {
  if (!found.of_b) return {.outcome = Outcome::unknown, .reason = "unknown for all runs of B"};
  const bool counts = found.metric->quantity == figures::Quantity::messages;
  const double value = counts ? sum_of(found.b) : found.of_b->mean;
  const std::string runs = text::amount(found.of_b->runs, "run");
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

Judgement judge_trust(const record::RunRecord& run) {
  switch (run.trust) {
    case record::Trust::doubtful:
      return {.outcome = Outcome::met, .reason = record::doubts_text(run)};
    case record::Trust::sound:
      return {.outcome = Outcome::not_met, .reason = "the run's figures are sound"};
    case record::Trust::not_judged:
      break;
  }
  return {.outcome = Outcome::unknown, .reason = "whether the run's figures can be believed was not judged"};
}

}  // namespace

Result<Condition> parse_condition(std::string_view text) {
  return parse(text, plan::LimitUse::comparison);
}

Result<Condition> parse_run_condition(std::string_view text) {
  return parse(text, plan::LimitUse::run_condition);
}

Judgement judge(const Limit& limit, const MetricComparison& found) {
  Judgement judgement = limit.ratio ? judge_ratio(limit, found) : judge_quantity(limit, found);
  // Those that came through say nothing of those that did not.
  if (judgement.outcome == Outcome::not_met && found.failed_b > 0)
    return {.outcome = Outcome::unknown,
            .reason = std::to_string(found.failed_b) + " of B's runs failed; of the others: " + judgement.reason};
  return judgement;
}

Judgement judge(const Condition& condition, const Side& a, const Side& b) {
  if (condition.limit) return judge(*condition.limit, compare_by(*condition.limit->metric, a, b));
  Judgement worst{.outcome = Outcome::not_met, .reason = "the figures of all runs are sound"};
  for (const Side* side : {&a, &b})
    for (const record::RunRecord& run : side->runs) {
      const Judgement one = judge_trust(run);
      if (one.outcome == Outcome::not_met || worst.outcome == Outcome::met) continue;
      worst = {.outcome = one.outcome,
               .reason = "#" + std::to_string(run.id) + " of " + side->name + ": " + one.reason};
    }
  return worst;
}

Judgement judge(const Condition& condition, const record::RunRecord& run) {
  if (!condition.limit) return judge_trust(run);
  const Limit& limit = *condition.limit;
  N2NQ_ASSERT(!limit.ratio);
  const auto value = limit.metric->value(run);
  if (!value) return {.outcome = Outcome::unknown, .reason = "the run does not have this figure"};
  const std::string has = "the run has " + value_text(*limit.metric, *value);
  if (const auto some = figures::measured(*limit.metric, run); some && !some->complete())
    return {.outcome = Outcome::unknown, .reason = has + ", but " + record::missing_text(*some)};
  const bool met = beyond(limit, *value);
  const bool told = met && limit.metric->quantity == figures::Quantity::messages;
  if (!counts(run.verdict) && !told)
    return {.outcome = Outcome::unknown, .reason = has + ", which does not count: " + to_text(run.verdict)};
  return {.outcome = met ? Outcome::met : Outcome::not_met, .reason = has};
}

}  // namespace n2nq::compare
