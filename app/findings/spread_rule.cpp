// The rule about how much runs scatter.
#include <cmath>

#include "app/analysis/spread_ratio.h"
#include "app/findings/rules.h"

namespace n2nq::findings {
namespace {

std::vector<std::vector<double>> values_of(const std::vector<const Cell*>& cells) {
  std::vector<std::vector<double>> values;
  for (const Cell* cell : cells) values.push_back(cell->values);
  return values;
}

// A standard deviation of logarithms as a share of the figure.
std::string scatter_text(double deviation) {
  return times((std::exp(deviation) - 1) * 100) + " %";
}

}  // namespace

Judgement judge_no_steadier(const Rule& rule, const CaseResults& results) {
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  const auto all = results.select(rule.where);
  const std::string what = text_of(results, rule.where);
  if (labels.size() < 2) return {.ours = too_few_text(results, all, what)};
  const auto first = results.select(rule.where, {{rule.over, {labels.front()}}});
  const auto last = results.select(rule.where, {{rule.over, {labels.back()}}});
  if (!all_complete(first) || !all_complete(last)) return {.ours = too_few_text(results, all, what)};
  const auto spread = analysis::spread_ratio_of(values_of(first), values_of(last));
  if (!spread) return {.ours = spread.error().text};
  const analysis::Contrast& ratio = spread->ratio;
  Judgement judgement{.ours = "runs of a point scatter by " + scatter_text(spread->of_a) + " at " + labels.front() +
                              ", by " + scatter_text(spread->of_b) + " at " + labels.back() + " " + rule.over +
                              ": the first " + times(ratio.estimate) + " times as much, " + interval_text(ratio)};
  if (ratio.high < rule.factor) judgement.outcome = Outcome::agrees;
  if (ratio.low > rule.factor) judgement.outcome = Outcome::differs;
  return judgement;
}

}  // namespace n2nq::findings
