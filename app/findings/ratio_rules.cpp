// Rules that hold one side against another.
#include <algorithm>
#include <cmath>

#include "app/analysis/run_comparison.h"
#include "app/findings/rules.h"

namespace n2nq::findings {
namespace {

using analysis::Contrast;
using analysis::Group;
using analysis::Scale;

// A ratio that is surely nearer to 1 than this is not a difference that a figure of the thesis would show.
constexpr double kNoDifference = 1.1;

Where both_of(const Where& a, const Where& b) {
  Where axes = a;
  axes.insert(b.begin(), b.end());
  return axes;
}

std::string side_text(const CaseResults& results, const Where& side, double mean) {
  return text_of(results, side) + " " + results.measure().text(mean);
}

std::string places_text(const Ratio& ratio) {
  if (ratio.all_places == 1) return "";
  return " over " + (ratio.places == ratio.all_places ? "" : std::to_string(ratio.places) + " of ") +
         std::to_string(ratio.all_places) + " points each";
}

std::string ratio_text(const CaseResults& results, const Where& a, const Where& b, const Ratio& ratio) {
  const Contrast& of = ratio.ratio;
  const bool less = of.estimate < 1;
  const Contrast shown = less ? Contrast{.estimate = 1 / of.estimate,
                                         .low = 1 / of.high,
                                         .high = 1 / of.low,
                                         .confidence = of.confidence,
                                         .runs = of.runs}
                              : of;
  return side_text(results, a, ratio.of_a) + ", " + side_text(results, b, ratio.of_b) + places_text(ratio) + ": " +
         (less ? "the second" : "the first") + " is " + times(shown.estimate) + " times as much, " +
         interval_text(shown);
}

Judgement of_lower(const Contrast& ratio, double by) {
  if (ratio.high < 1 / by) return {.outcome = Outcome::agrees};
  if (ratio.low > std::min(1 / by, 1 / kNoDifference)) return {.outcome = Outcome::differs};
  return {};
}

Outcome of_both(Outcome one, Outcome other) {
  if (one == Outcome::differs || other == Outcome::differs) return Outcome::differs;
  return one == Outcome::agrees ? other : Outcome::unknown;
}

// The labels of an axis up to one, and beyond it; of those that `where` leaves.
std::pair<Where, Where> split(const CaseResults& results, const Rule& rule) {
  Where below = rule.where, above = rule.where;
  below[rule.over].clear();
  above[rule.over].clear();
  for (const std::string& label : results.labels(rule.over, rule.where)) {
    const bool low = results.position(rule.over, label) <= results.position(rule.over, rule.at);
    (low ? below : above)[rule.over].push_back(label);
  }
  return {below, above};
}

}  // namespace

Result<Ratio> ratio_of(const CaseResults& results, const Where& where, const Where& a, const Where& b,
                       double confidence) {
  const Where axes = both_of(a, b);
  const auto cells_a = results.select(where, a);
  const auto cells_b = results.select(where, b);
  const ByLabels by_a = apart_from(cells_a, axes);
  const ByLabels by_b = apart_from(cells_b, axes);
  Ratio ratio;
  std::vector<std::pair<std::vector<const Cell*>, std::vector<const Cell*>>> pairs;
  for (const auto& [labels, of_a] : by_a) {
    const auto of_b = by_b.find(labels);
    if (of_b == by_b.end()) continue;
    ratio.all_places++;
    if (all_complete(of_a) && all_complete(of_b->second)) pairs.emplace_back(of_a, of_b->second);
  }
  if (cells_a.empty() || cells_b.empty()) {
    Where side = cells_a.empty() ? a : b;
    side.insert(where.begin(), where.end());
    return fail("this campaign has no point for it: " + text_of(results, side));
  }
  if (pairs.empty())
    return fail(text_of(results, a) + " " + mean_text(results, cells_a) + ", " + text_of(results, b) + " " +
                mean_text(results, cells_b) + "; a statement needs " + std::to_string(analysis::kLeastRuns) +
                " runs of a point and of the one it is compared with, and no two points have that many");
  ratio.places = pairs.size();
  std::vector<Group> groups, groups_a, groups_b;
  const double share = 1 / static_cast<double>(pairs.size());
  for (const auto& [of_a, of_b] : pairs) {
    add_groups(groups_a, of_a, share);
    add_groups(groups_b, of_b, share);
    add_groups(groups, of_a, share);
    add_groups(groups, of_b, -share);
  }
  const auto contrast = contrast_of(groups, Scale::logarithm, confidence);
  if (!contrast) return std::unexpected(contrast.error());
  ratio.ratio = *contrast;
  ratio.of_a = contrast_of(groups_a, Scale::logarithm)->estimate;
  ratio.of_b = contrast_of(groups_b, Scale::logarithm)->estimate;
  return ratio;
}

Judgement judge_lower(const Rule& rule, const CaseResults& results) {
  const auto ratio = ratio_of(results, rule.where, rule.a, rule.b, 0.95);
  if (!ratio) return {.ours = ratio.error().text};
  Judgement judgement = of_lower(ratio->ratio, rule.by);
  judgement.ours = ratio_text(results, rule.a, rule.b, *ratio);
  return judgement;
}

Judgement judge_alike(const Rule& rule, const CaseResults& results) {
  if (rule.within > 0) return judge_mean(rule, results);
  const auto ratio = ratio_of(results, rule.where, rule.a, rule.b, 0.95);
  if (!ratio) return {.ours = ratio.error().text};
  const Contrast& of = ratio->ratio;
  Judgement judgement{.ours = ratio_text(results, rule.a, rule.b, *ratio)};
  if (of.low > 1 / rule.factor && of.high < rule.factor) judgement.outcome = Outcome::agrees;
  if (of.high < 1 / rule.factor || of.low > rule.factor) judgement.outcome = Outcome::differs;
  return judgement;
}

// Neighbours in the order are compared; all of it holds where each of these does.
Judgement judge_order(const Rule& rule, const CaseResults& results) {
  Judgement judgement{.outcome = Outcome::agrees};
  size_t runs = 0, places = 0, all_places = 0;
  std::string wrong;
  for (size_t i = 0; i + 1 < rule.labels.size(); i++) {
    const Where a{{rule.axis, {rule.labels[i]}}}, b{{rule.axis, {rule.labels[i + 1]}}};
    const auto ratio = ratio_of(results, rule.where, a, b, shared(rule.labels.size() - 1));
    if (!ratio) return {.ours = ratio.error().text};
    if (i == 0) judgement.ours = side_text(results, a, ratio->of_a);
    judgement.ours += ", " + side_text(results, b, ratio->of_b);
    const Outcome outcome = of_lower(ratio->ratio, 1).outcome;
    if (outcome != Outcome::agrees)
      wrong += "; " + rule.labels[i + 1] + " is " + times(1 / ratio->ratio.estimate) + " times " + rule.labels[i] +
               ", " +
               interval_text({.low = 1 / ratio->ratio.high,
                              .high = 1 / ratio->ratio.low,
                              .confidence = ratio->ratio.confidence,
                              .runs = ratio->ratio.runs});
    judgement.outcome = of_both(judgement.outcome, outcome);
    runs = std::max(runs, ratio->ratio.runs);
    places = ratio->places;
    all_places = ratio->all_places;
  }
  judgement.ours += places_text({.places = places, .all_places = all_places}) + wrong;
  if (wrong.empty()) judgement.ours += ": each above the previous one, " + runs_text(runs) + " a pair";
  return judgement;
}

Judgement judge_crosses(const Rule& rule, const CaseResults& results) {
  const auto [below, above] = split(results, rule);
  const auto few = ratio_of(results, below, rule.a, rule.b, shared(2));
  const auto many = ratio_of(results, above, rule.b, rule.a, shared(2));
  Judgement judgement;
  judgement.ours = "up to " + rule.at + " " + rule.over + ": " +
                   (few ? ratio_text(results, rule.a, rule.b, *few) : few.error().text) +
                   "; beyond: " + (many ? ratio_text(results, rule.b, rule.a, *many) : many.error().text);
  judgement.outcome = of_both(few ? of_lower(few->ratio, 1).outcome : Outcome::unknown,
                              many ? of_lower(many->ratio, 1).outcome : Outcome::unknown);
  return judgement;
}

// Each amount against the one before it.
Judgement judge_erratic(const Rule& rule, const CaseResults& results) {
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  const auto all = results.select(rule.where);
  if (labels.size() < kFewestForErratic)
    return {.ours = "too few points: " + too_few_text(results, all, text_of(results, rule.where))};
  Judgement judgement{.outcome = Outcome::differs};
  std::string falls;
  bool incomplete = false;
  for (size_t i = 1; i < labels.size(); i++) {
    const auto ratio = ratio_of(results, rule.where, {{rule.over, {labels[i]}}}, {{rule.over, {labels[i - 1]}}},
                                shared(labels.size() - 1));
    if (!ratio)
      incomplete = true;
    else if (ratio->ratio.high < 1 / rule.factor)
      falls += (falls.empty() ? "" : ", ") + std::string("from ") + results.measure().text(ratio->of_b) + " at " +
               labels[i - 1] + " to " + results.measure().text(ratio->of_a) + " at " + labels[i] + " " + rule.over;
    else if (ratio->ratio.low < 1 / rule.factor && judgement.outcome == Outcome::differs)
      judgement.outcome = Outcome::unknown;
  }
  if (!falls.empty()) return {.outcome = Outcome::agrees, .ours = "it falls " + falls + ", " + mean_text(results, all)};
  if (incomplete) return {.ours = too_few_text(results, all, text_of(results, rule.where))};
  judgement.ours = (judgement.outcome == Outcome::differs ? "it never falls by a factor of " + times(rule.factor) + ": "
                                                          : "inconclusive, as these runs vary too much: ") +
                   mean_text(results, all);
  return judgement;
}

}  // namespace n2nq::findings
