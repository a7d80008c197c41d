// Rules about figures themselves: means, and how many runs are beyond a limit.
#include <algorithm>
#include <cmath>

#include "app/analysis/proportion.h"
#include "app/findings/rules.h"

namespace n2nq::findings {
namespace {

using analysis::Contrast;
using analysis::Group;
using analysis::Scale;

// "No run does" is said where so few more would.
constexpr double kSeldom = 0.1;

std::string percent(double share) {
  return times(share * 100) + " %";
}

bool inside(const Contrast& mean, double low, double high) {
  return mean.low > low && mean.high < high;
}
bool outside(const Contrast& mean, double low, double high) {
  return mean.high < low || mean.low > high;
}

Outcome outcome_of(const Rule& rule, const Contrast& mean) {
  if (rule.kind == RuleKind::above) {
    if (mean.low > rule.value) return Outcome::agrees;
    return mean.high < rule.value ? Outcome::differs : Outcome::unknown;
  }
  const bool near = rule.kind == RuleKind::alike;
  const double low = near ? -rule.within : rule.value / rule.factor;
  const double high = near ? rule.within : rule.value * rule.factor;
  if (inside(mean, low, high)) return Outcome::agrees;
  return outside(mean, low, high) ? Outcome::differs : Outcome::unknown;
}

std::string beyond_text(const analysis::Proportion& share) {
  return std::to_string(share.found) + " of " + runs_text(share.of) + ", 95 % CI of all such runs " +
         percent(share.low) + " to " + percent(share.high);
}

bool begins_with_its_longest(const record::RunRecord& run) {
  int64_t longest = -1, at_ns = 0, end_ns = 0;
  for (const live::SeriesPoint& point : run.series) {
    end_ns = std::max(end_ns, point.start_ns + point.width_ns);
    if (!point.max_ns || *point.max_ns <= longest) continue;
    longest = *point.max_ns;
    at_ns = point.start_ns;
  }
  return longest >= 0 && at_ns * 10 < end_ns;
}

}  // namespace

// For one selection, or of `a` less `b` at each place where both have all their runs.
Judgement judge_mean(const Rule& rule, const CaseResults& results) {
  const bool difference = !rule.b.empty();
  std::vector<Group> groups;
  size_t places = 0;
  const auto of_a = apart_from(results.select(rule.where, rule.a), rule.a);
  const auto of_b = apart_from(results.select(rule.where, rule.b), rule.b);
  for (const auto& [labels, cells] : of_a) {
    const auto other = of_b.find(labels);
    if (!all_complete(cells) || (difference && (other == of_b.end() || !all_complete(other->second)))) continue;
    places++;
    add_groups(groups, cells, 1);
    if (difference) add_groups(groups, other->second, -1);
  }
  Where all = rule.where;
  all.insert(rule.a.begin(), rule.a.end());
  const std::string what = text_of(results, all);
  if (places == 0) return {.ours = too_few_text(results, results.select(rule.where, rule.a), what)};
  for (Group& group : groups) group.weight /= static_cast<double>(places);
  const auto mean = contrast_of(groups, Scale::linear);
  if (!mean) return {.ours = mean.error().text};
  const Measure& measure = results.measure();
  return {.outcome = outcome_of(rule, *mean),
          .ours = what + (difference ? " less " + text_of(results, rule.b) : "") + ": " + measure.text(mean->estimate) +
                  " over " + (places == of_a.size() ? "" : std::to_string(places) + " of ") +
                  std::to_string(of_a.size()) + (of_a.size() == 1 ? " point, " : " points, ") +
                  interval_text(*mean, measure.text(mean->low), measure.text(mean->high))};
}

Judgement judge_share(const Rule& rule, const CaseResults& results) {
  size_t runs = 0, beyond = 0;
  double largest = 0;
  const auto cells = results.select(rule.where);
  for (const Cell* cell : cells)
    for (const double value : cell->values) {
      runs++;
      beyond += value > rule.value ? 1 : 0;
      largest = std::max(largest, value);
    }
  const std::string what = text_of(results, rule.where);
  if (runs == 0) return {.ours = too_few_text(results, cells, what)};
  const auto share = analysis::proportion_of(beyond, runs);
  Judgement judgement{.ours = what + ": at most " + results.measure().text(largest) + "; above " +
                              results.measure().text(rule.value) + " " + beyond_text(share)};
  const bool wanted = rule.kind == RuleKind::exceeds;
  if (beyond > 0)
    judgement.outcome = wanted ? Outcome::agrees : Outcome::differs;
  else if (share.high < kSeldom)
    judgement.outcome = wanted ? Outcome::differs : Outcome::agrees;
  return judgement;
}

Judgement judge_at_start(const Rule& rule, const CaseResults& results, const LoadResult& load) {
  size_t runs = 0, at_start = 0;
  const auto cells = results.select(rule.where);
  for (const Cell* cell : cells)
    for (const record::RunRecord* run : cell->runs) {
      const auto whole = load(run->id);
      if (!whole || whole->series.empty()) continue;
      runs++;
      at_start += begins_with_its_longest(*whole) ? 1 : 0;
    }
  const std::string what = text_of(results, rule.where);
  if (runs == 0) return {.ours = "no run has a series over time: " + what};
  const auto share = analysis::proportion_of(at_start, runs);
  Judgement judgement{.ours = what + ": the longest latency in the first tenth of the run in " + beyond_text(share)};
  if (share.low > 0.5) judgement.outcome = Outcome::agrees;
  if (share.high < 0.5) judgement.outcome = Outcome::differs;
  return judgement;
}

}  // namespace n2nq::findings
