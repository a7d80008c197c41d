// Rules that hold one side against another.
#include <algorithm>
#include <cmath>

#include "app/analysis/run_comparison.h"
#include "app/findings/rules.h"
#include "app/text/quantity.h"

namespace n2nq::findings {
namespace {

using analysis::Contrast;
using analysis::Group;
using analysis::Scale;

// A ratio that is surely nearer to 1 than this is not a difference that a figure of the thesis would show.
constexpr double kNoDifference = 1.1;

std::string side_text(const CaseResults& results, const Where& side, double mean) {
  return text_of(results, side) + " " + results.measure().text(mean);
}

std::string places_text(const Ratio& ratio) {
  if (ratio.all_places == 1) return "";
  return " over " + (ratio.places == ratio.all_places ? "" : std::to_string(ratio.places) + " of ") +
         std::to_string(ratio.all_places) + " points each";
}

Contrast inverse(const Contrast& of) {
  return {.estimate = 1 / of.estimate,
          .low = 1 / of.high,
          .high = 1 / of.low,
          .confidence = of.confidence,
          .runs = of.runs};
}

std::string ratio_text(const CaseResults& results, const Where& a, const Where& b, const Ratio& ratio) {
  const bool less = ratio.ratio.estimate < 1;
  const Contrast shown = less ? inverse(ratio.ratio) : ratio.ratio;
  return side_text(results, a, ratio.of_a) + ", " + side_text(results, b, ratio.of_b) + places_text(ratio) + ": " +
         (less ? "the second is " : "the first is ") + so_many_times(shown.estimate, "as much") + ", " +
         interval_text(shown);
}

Outcome of_lower(const Contrast& ratio, double by) {
  if (ratio.high < 1 / by) return Outcome::agrees;
  return ratio.low > std::min(1 / by, 1 / kNoDifference) ? Outcome::differs : Outcome::unknown;
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
    const bool low = results.position(rule.over, label) <= results.position(rule.over, rule.reverses_past);
    (low ? below : above)[rule.over].push_back(label);
  }
  return {below, above};
}

Judgement judge_reversal(const Rule& rule, const CaseResults& results) {
  const Where &a = rule.sides.front(), &b = rule.sides.back();
  const auto [below, above] = split(results, rule);
  const auto few = ratio_of(results, below, a, b, shared(2));
  const auto many = ratio_of(results, above, b, a, shared(2));
  Judgement judgement;
  judgement.ours = "up to " + rule.reverses_past + " " + rule.over + ": " +
                   (few ? ratio_text(results, a, b, *few) : few.error().text) +
                   "; beyond: " + (many ? ratio_text(results, b, a, *many) : many.error().text);
  judgement.outcome = of_both(few ? of_lower(few->ratio, rule.by) : Outcome::unknown,
                              many ? of_lower(many->ratio, rule.by) : Outcome::unknown);
  return judgement;
}

Judgement judge_pair(const Rule& rule, const CaseResults& results) {
  const auto ratio = ratio_of(results, rule.where, rule.sides.front(), rule.sides.back(), 0.95);
  if (!ratio) return {.ours = ratio.error().text};
  Judgement judgement{.outcome = of_lower(ratio->ratio, rule.by),
                      .ours = ratio_text(results, rule.sides.front(), rule.sides.back(), *ratio)};
  if (judgement.outcome == Outcome::unknown)
    judgement.ours += "; the interval does not show that the second is " +
                      (rule.by > 1 ? "at least " + times(rule.by) + " times as much" : std::string("more"));
  return judgement;
}

// Neighbours are compared; all of it holds where each of these does.
Judgement judge_chain(const Rule& rule, const CaseResults& results) {
  Judgement judgement{.outcome = Outcome::agrees};
  Ratio last;
  size_t runs = 0;
  std::string wrong;
  for (size_t i = 1; i < rule.sides.size(); i++) {
    const Where &a = rule.sides[i - 1], &b = rule.sides[i];
    const auto ratio = ratio_of(results, rule.where, a, b, shared(rule.sides.size() - 1));
    if (!ratio) return {.ours = ratio.error().text};
    if (i == 1) judgement.ours = side_text(results, a, ratio->of_a);
    judgement.ours += ", " + side_text(results, b, ratio->of_b);
    const Outcome outcome = of_lower(ratio->ratio, rule.by);
    const Contrast up = inverse(ratio->ratio);
    if (outcome != Outcome::agrees)
      wrong += "; " + text_of(results, b) + ": " + so_many_times(up.estimate, "as much as " + text_of(results, a)) +
               ", " + interval_text(up);
    judgement.outcome = of_both(judgement.outcome, outcome);
    runs = std::max(runs, up.runs);
    last = *ratio;
  }
  judgement.ours += places_text(last) + wrong;
  if (wrong.empty()) judgement.ours += ": each above the previous one, " + text::amount(runs, "run") + " a pair";
  return judgement;
}

}  // namespace

Result<Ratio> ratio_of(const CaseResults& results, const Where& where, const Where& a, const Where& b,
                       double confidence) {
  const auto cells_a = results.select(where, a);
  const auto cells_b = results.select(where, b);
  if (cells_a.empty() || cells_b.empty()) {
    Where side = cells_a.empty() ? a : b;
    side.insert(where.begin(), where.end());
    return fail("this campaign has no point for it: " + text_of(results, side));
  }
  auto pairs = pairs_of(results, where, a, b);
  Ratio ratio{.all_places = pairs.size()};
  std::erase_if(pairs, [](const SidePair& pair) { return !all_complete(pair.a) || !all_complete(pair.b); });
  if (pairs.empty())
    return fail(text_of(results, a) + " " + mean_text(results, cells_a) + ", " + text_of(results, b) + " " +
                mean_text(results, cells_b) + "; a statement needs " + std::to_string(analysis::kLeastRuns) +
                " runs of a point and of the one it is compared with, and no two points have that many");
  ratio.places = pairs.size();
  std::vector<Group> groups, groups_a, groups_b;
  const double share = 1 / static_cast<double>(pairs.size());
  for (const SidePair& pair : pairs) {
    add_groups(groups_a, pair.a, share);
    add_groups(groups_b, pair.b, share);
    add_groups(groups, pair.a, share);
    add_groups(groups, pair.b, -share);
  }
  const auto contrast = contrast_of(groups, Scale::logarithm, confidence);
  if (!contrast) return std::unexpected(contrast.error());
  ratio.ratio = *contrast;
  ratio.of_a = contrast_of(groups_a, Scale::logarithm)->estimate;
  ratio.of_b = contrast_of(groups_b, Scale::logarithm)->estimate;
  return ratio;
}

Judgement judge_lower(const Rule& rule, const CaseResults& results) {
  if (!rule.reverses_past.empty()) return judge_reversal(rule, results);
  return rule.sides.size() == 2 ? judge_pair(rule, results) : judge_chain(rule, results);
}

Judgement judge_alike(const Rule& rule, const CaseResults& results) {
  const Where &a = rule.sides.front(), &b = rule.sides.back();
  const auto ratio = ratio_of(results, rule.where, a, b, 0.95);
  if (!ratio) return {.ours = ratio.error().text};
  Judgement judgement{.outcome = inside(ratio->ratio, 1 / rule.factor, rule.factor),
                      .ours = ratio_text(results, a, b, *ratio)};
  if (judgement.outcome == Outcome::unknown)
    judgement.ours += "; the interval is not all within a factor of " + times(rule.factor);
  return judgement;
}

}  // namespace n2nq::findings
