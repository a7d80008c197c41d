// Rules about a curve: how it and the scatter of its runs change, and where it collapses.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "app/analysis/spread_ratio.h"
#include "app/findings/rules.h"
#include "broker/base/join.h"

namespace n2nq::findings {
namespace {

using analysis::Contrast;
using analysis::Group;
using analysis::Scale;

constexpr double kSteeper = 2;  // slopes within this factor are those of a straight line

// The curves that a selection has, each with the cells along the axis.
struct Curves {
  std::vector<std::vector<const Cell*>> along{};
  std::vector<double> x{};  // of each curve the same
  std::vector<std::string> labels{};
};

// At the labels where every curve has all its runs.
Curves curves_of(const CaseResults& results, const Where& where, const std::string& over) {
  Curves curves;
  const Where axis{{over, {}}};
  std::map<Labels, std::vector<const Cell*>> along;
  for (const std::string& label : results.labels(over, where)) {
    const auto cells = results.select(where, {{over, {label}}});
    if (!all_complete(cells)) continue;
    curves.x.push_back(results.position(over, label));
    curves.labels.push_back(label);
    for (auto& [labels, of_curve] : apart_from(cells, axis)) along[labels].push_back(of_curve.front());
  }
  for (auto& [labels, cells] : along)
    if (cells.size() == curves.x.size()) curves.along.push_back(cells);
  return curves;
}

// What each cell counts for in a sum.
using Weights = std::map<const Cell*, double>;

// A weighted sum along the axis from the label at `first` on, the mean over the curves.
void add_along(Weights& sum, const Curves& curves, const std::vector<double>& weights, size_t first, double factor) {
  for (const auto& cells : curves.along)
    for (size_t i = 0; i < weights.size(); i++)
      sum[cells[first + i]] += factor * weights[i] / static_cast<double>(curves.along.size());
}

Result<Contrast> contrast_of(const Weights& sum, Scale scale, double confidence) {
  std::vector<Group> groups;
  for (const auto& [cell, weight] : sum) groups.push_back({.values = cell->values, .weight = weight});
  return analysis::contrast_of(groups, scale, confidence);
}

// For the straight line through the logarithms: the last amount to the first.
Result<Contrast> growth_of(const Curves& curves, double confidence) {
  Weights sum;
  add_along(sum, curves, analysis::slope_weights(curves.x), 0, curves.x.back() - curves.x.front());
  return contrast_of(sum, Scale::logarithm, confidence);
}

// So many times the slope of the upper half, and that of the lower one; the amount in the middle is of both.
Result<Contrast> slopes_of(const Curves& curves, double upper, double lower, double confidence) {
  const size_t middle = curves.x.size() / 2;
  const std::span<const double> x = curves.x;
  Weights sum;
  add_along(sum, curves, analysis::slope_weights(x.subspan(middle)), middle, upper);
  add_along(sum, curves, analysis::slope_weights(x.first(middle + 1)), 0, lower);
  return contrast_of(sum, Scale::linear, confidence);
}

// Whether something is surely above a limit, surely below, or cannot be told.
std::optional<bool> is_above(const Result<Contrast>& contrast, double limit) {
  if (!contrast) return std::nullopt;
  if (contrast->low > limit) return true;
  if (contrast->high < limit) return false;
  return std::nullopt;
}

// `steeper`: the upper half is more than kSteeper times as steep as the lower one. `gentler`: the lower half is, as the
// upper one.
Outcome of_straight(std::optional<bool> grows, std::optional<bool> steeper, std::optional<bool> gentler) {
  if (grows == false || steeper == true || gentler == true) return Outcome::differs;
  return grows && steeper && gentler ? Outcome::agrees : Outcome::unknown;
}

std::string growth_text(const CaseResults& results, const Rule& rule, const Curves& curves, const Contrast& growth) {
  const Measure& measure = results.measure();
  const auto mean_at = [&](size_t i) {
    Weights sum;
    add_along(sum, curves, {1}, i, 1);
    return measure.text(contrast_of(sum, Scale::linear, 0.95)->estimate);
  };
  const std::string what = rule.where.empty() ? "" : text_of(results, rule.where) + ": ";
  return what + mean_at(0) + " at " + curves.labels.front() + ", " + mean_at(curves.labels.size() - 1) + " at " +
         curves.labels.back() + " " + rule.over + "; the fitted line ends at " +
         so_many_times(growth.estimate, "its start") + ", " + interval_text(growth);
}

std::string bend_text(const CaseResults& results, const Rule& rule, const Curves& curves) {
  const auto lower = slopes_of(curves, 0, 1, 0.95);
  const auto upper = slopes_of(curves, 1, 0, 0.95);
  if (!lower || !upper) return "";
  return "; slope: " + results.measure().text(lower->estimate) + " for each further one of " + rule.over +
         " in the lower half, " + results.measure().text(upper->estimate) + " in the upper";
}

Judgement judge_line(const Rule& rule, const CaseResults& results) {
  const Curves curves = curves_of(results, rule.where, rule.over);
  if (curves.along.empty() || curves.x.size() < fewest_labels(rule.shape))
    return {.ours = too_few_text(results, results.select(rule.where), text_of(results, rule.where))};
  const bool straight = rule.shape == Shape::linear;
  const double confidence = straight ? shared(3) : 0.95;
  const auto growth = growth_of(curves, confidence);
  if (!growth) return {.ours = growth.error().text};
  Judgement judgement{.ours = growth_text(results, rule, curves, *growth)};
  if (straight) judgement.ours += bend_text(results, rule, curves);
  if (straight)
    judgement.outcome =
        of_straight(is_above(growth, rule.factor), is_above(slopes_of(curves, 1, -kSteeper, confidence), 0),
                    is_above(slopes_of(curves, -kSteeper, 1, confidence), 0));
  else if (rule.shape == Shape::rising)
    judgement.outcome = inside(*growth, rule.factor, kNoLimit);
  else
    judgement.outcome = inside(*growth, 1 / rule.factor, rule.factor);
  return judgement;
}

// Each amount against the one before it.
Judgement judge_erratic(const Rule& rule, const CaseResults& results) {
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  const auto all = results.select(rule.where);
  if (labels.size() < fewest_labels(rule.shape))
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
      add_part(falls, ", ",
               "from " + results.measure().text(ratio->of_b) + " at " + labels[i - 1] + " to " +
                   results.measure().text(ratio->of_a) + " at " + labels[i] + " " + rule.over);
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

std::vector<std::vector<double>> values_of(const std::vector<const Cell*>& cells) {
  std::vector<std::vector<double>> values;
  for (const Cell* cell : cells) values.push_back(cell->values);
  return values;
}

Judgement judge_scatter(const Rule& rule, const CaseResults& results) {
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  const auto all = results.select(rule.where);
  const std::string what = text_of(results, rule.where);
  if (labels.size() < fewest_labels(rule.shape)) return {.ours = too_few_text(results, all, what)};
  const auto first = results.select(rule.where, {{rule.over, {labels.front()}}});
  const auto last = results.select(rule.where, {{rule.over, {labels.back()}}});
  if (!all_complete(first) || !all_complete(last)) return {.ours = too_few_text(results, all, what)};
  const auto spread = analysis::spread_ratio_of(values_of(first), values_of(last));
  if (!spread) return {.ours = spread.error().text};
  const Contrast& ratio = spread->ratio;
  // A standard deviation of logarithms as a share of the figure.
  const auto scatter_text = [](double deviation) { return percent(std::exp(deviation) - 1); };
  return {.outcome = inside(ratio, -1, rule.factor),  // a ratio is above 0
          .ours = "runs of a point scatter by " + scatter_text(spread->of_a) + " at " + labels.front() + ", by " +
                  scatter_text(spread->of_b) + " at " + labels.back() + " " + rule.over + ": the first " +
                  so_many_times(ratio.estimate, "as much") + ", " + interval_text(ratio)};
}

// For the amounts of a collapse: whether each is `factor` times the reference.
struct Step {
  double at = 0;  // its place on the axis
  std::optional<bool> collapsed{};
  std::string text{};
};

std::vector<Step> steps_of(const Rule& rule, const CaseResults& results) {
  std::vector<Step> steps;
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  for (const std::string& label : labels) {
    const Where here{{rule.over, {label}}};
    const auto ratio = ratio_of(results, here, rule.where, rule.reference, shared(labels.size()));
    Step step{.at = results.position(rule.over, label)};
    if (ratio) {
      step.collapsed = is_above(ratio->ratio, rule.factor);
      step.text = results.measure().text(ratio->of_a) + " at " + label + " " + rule.over + " (" +
                  so_many_times(ratio->ratio.estimate, "the reference") + ", " + interval_text(ratio->ratio) + ")";
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

size_t fewest_labels(Shape shape) {
  if (shape == Shape::erratic) return 4;
  return shape == Shape::linear ? 3 : 2;
}

Judgement judge_grows(const Rule& rule, const CaseResults& results) {
  if (rule.shape == Shape::erratic) return judge_erratic(rule, results);
  return rule.shape == Shape::no_steadier ? judge_scatter(rule, results) : judge_line(rule, results);
}

// The difference of two rises, the mean over the places that both sides have at both ends of the axis.
Judgement judge_rises_less(const Rule& rule, const CaseResults& results) {
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  const Where &a = rule.sides.front(), &b = rule.sides.back();
  const std::string what = text_of(results, a) + ", " + text_of(results, b);
  const auto all = results.select(rule.where);
  if (labels.size() < 2) return {.ours = too_few_text(results, all, what)};
  std::vector<Group> rises[2];
  for (const auto& [label, sign] : {std::pair(labels.front(), -1.0), {labels.back(), 1.0}}) {
    Where here = rule.where;
    here[rule.over] = {label};
    auto pairs = pairs_of(results, here, a, b);
    std::erase_if(pairs, [](const SidePair& pair) { return !all_complete(pair.a) || !all_complete(pair.b); });
    if (pairs.empty()) return {.ours = too_few_text(results, all, what)};
    const double share = sign / static_cast<double>(pairs.size());
    for (const SidePair& pair : pairs) {
      add_groups(rises[0], pair.a, share);
      add_groups(rises[1], pair.b, share);
    }
  }
  const auto more = analysis::contrast_of(less(rises[1], rises[0]), Scale::linear);
  if (!more) return {.ours = more.error().text};
  const Measure& measure = results.measure();
  const auto rise_text = [&](const Where& side, const std::vector<Group>& rise) {
    return text_of(results, side) + " by " + measure.text(analysis::contrast_of(rise, Scale::linear)->estimate);
  };
  return {.outcome = inside(*more, 0, kNoLimit),
          .ours = "from " + labels.front() + " to " + labels.back() + " " + rise_text(a, rises[0]) + ", " +
                  rise_text(b, rises[1]) + ": " + measure.text(more->estimate) + " more, " +
                  interval_text(*more, measure.text(more->low), measure.text(more->high))};
}

// The reference are the same amounts in circumstances that the thesis found harmless.
Judgement judge_collapses(const Rule& rule, const CaseResults& results) {
  const std::vector<Step> steps = steps_of(rule, results);
  const double from = results.position(rule.over, rule.from), to = results.position(rule.over, rule.to);
  const auto is_known = [](const Step& step) { return step.collapsed.has_value(); };
  const auto open = [&](double low, double high) {
    return std::ranges::any_of(steps,
                               [&](const Step& one) { return one.at >= low && one.at < high && !one.collapsed; });
  };
  const bool measured =
      std::ranges::any_of(steps, [&](const Step& step) { return step.at >= from && step.at <= to && is_known(step); });
  const std::string what = text_of(results, rule.where) + ": ";
  const std::string against = ", against " + text_of(results, rule.reference);
  const auto found = std::ranges::find_if(steps, [](const Step& step) { return step.collapsed == true; });
  if (found != steps.end()) {
    Judgement judgement{.outcome = Outcome::differs, .ours = what + "collapses from " + found->text + against};
    if (found->at >= from && found->at <= to) judgement.outcome = open(0, from) ? Outcome::unknown : Outcome::agrees;
    if (found->at > to && (!measured || open(0, found->at))) judgement.outcome = Outcome::unknown;
    return judgement;
  }
  const auto last = std::ranges::find_if(steps.rbegin(), steps.rend(), is_known);
  if (last == steps.rend())
    return {.ours = too_few_text(results, results.select(rule.where), text_of(results, rule.where))};
  const bool to_the_end = measured && !open(from, kNoLimit) && steps.back().at >= to;
  return {
      .outcome = to_the_end ? Outcome::differs : Outcome::unknown,
      .ours = what + "no collapse is shown; " + last->text + against +
              (to_the_end ? "" : "; points from " + rule.from + " " + rule.over + " on are missing, or vary too much")};
}

}  // namespace n2nq::findings
