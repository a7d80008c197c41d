// Rules about a curve: how it grows, and where it collapses.
#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "app/findings/rules.h"

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

struct Grown {
  std::optional<bool> grows{};    // by the factor
  std::optional<bool> steeper{};  // the upper half is more than kSteeper times as steep as the lower one
  std::optional<bool> gentler{};  // the lower half is, as the upper one
};

Outcome outcome_of(const Rule& rule, const Grown& grown) {
  if (rule.shape == Shape::rising) {
    if (!grown.grows) return Outcome::unknown;
    return *grown.grows ? Outcome::agrees : Outcome::differs;
  }
  const bool wanted_steeper = rule.shape == Shape::steeper;
  if (grown.grows == false) return Outcome::differs;
  if (wanted_steeper && grown.steeper == false) return Outcome::differs;
  if (!wanted_steeper && (grown.steeper == true || grown.gentler == true)) return Outcome::differs;
  const bool holds = grown.grows == true &&
                     (wanted_steeper ? grown.steeper == true : grown.steeper == false && grown.gentler == false);
  return holds ? Outcome::agrees : Outcome::unknown;
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
         curves.labels.back() + " " + rule.over + "; the fitted line ends at " + times(growth.estimate) +
         " times its start, " + interval_text(growth);
}

std::string bend_text(const CaseResults& results, const Rule& rule, const Curves& curves) {
  const auto lower = slopes_of(curves, 0, 1, 0.95);
  const auto upper = slopes_of(curves, 1, 0, 0.95);
  if (!lower || !upper) return "";
  return "; slope: " + results.measure().text(lower->estimate) + " for each further one of " + rule.over +
         " in the lower half, " + results.measure().text(upper->estimate) + " in the upper";
}

}  // namespace

Judgement judge_grows(const Rule& rule, const CaseResults& results) {
  const Curves curves = curves_of(results, rule.where, rule.over);
  const bool bends = rule.shape == Shape::linear || rule.shape == Shape::steeper;
  if (curves.along.empty() || curves.x.size() < (bends ? 3 : 2))
    return {.ours = too_few_text(results, results.select(rule.where), text_of(results, rule.where))};
  const double confidence = bends ? shared(3) : 0.95;
  const auto growth = growth_of(curves, confidence);
  if (!growth) return {.ours = growth.error().text};
  Judgement judgement{.ours = growth_text(results, rule, curves, *growth)};
  if (rule.shape == Shape::flat) {
    if (growth->low > 1 / rule.factor && growth->high < rule.factor) judgement.outcome = Outcome::agrees;
    if (growth->high < 1 / rule.factor || growth->low > rule.factor) judgement.outcome = Outcome::differs;
    return judgement;
  }
  Grown grown{.grows = is_above(growth, rule.factor)};
  if (bends) {
    grown.steeper = is_above(slopes_of(curves, 1, -kSteeper, confidence), 0);
    grown.gentler = is_above(slopes_of(curves, -kSteeper, 1, confidence), 0);
    judgement.ours += bend_text(results, rule, curves);
  }
  judgement.outcome = outcome_of(rule, grown);
  return judgement;
}

namespace {

// For the amounts of a collapse: whether each is `factor` times the reference.
struct Step {
  std::string label{};
  std::optional<bool> collapsed{};
  std::string text{};
};

std::vector<Step> steps_of(const Rule& rule, const CaseResults& results) {
  std::vector<Step> steps;
  const std::vector<std::string> labels = results.labels(rule.over, rule.where);
  for (const std::string& label : labels) {
    const Where here{{rule.over, {label}}};
    const auto ratio = ratio_of(results, here, rule.where, rule.reference, shared(labels.size()));
    Step step{.label = label};
    if (ratio) {
      step.collapsed = is_above(ratio->ratio, rule.factor);
      step.text = results.measure().text(ratio->of_a) + " at " + label + " " + rule.over + " (" +
                  times(ratio->ratio.estimate) + " times the reference, " + interval_text(ratio->ratio) + ")";
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace

// The reference are the same amounts in circumstances that the thesis found harmless.
Judgement judge_collapses(const Rule& rule, const CaseResults& results) {
  const std::vector<Step> steps = steps_of(rule, results);
  const auto place = [&](const std::string& label) { return results.position(rule.over, label); };
  const auto found = std::ranges::find_if(steps, [](const Step& step) { return step.collapsed == true; });
  const std::string what = text_of(results, rule.where) + ": ";
  const std::string against = ", against " + text_of(results, rule.reference);
  bool earlier_open = false, later_open = false, measured = false;
  for (const Step& step : steps) {
    const double at = place(step.label);
    if (at < place(rule.from)) earlier_open = earlier_open || !step.collapsed;
    if (at >= place(rule.from) && at <= place(rule.to)) measured = measured || step.collapsed.has_value();
    if (at >= place(rule.from)) later_open = later_open || !step.collapsed;
  }
  if (found != steps.end()) {
    const double at = place(found->label);
    const bool as_told = at >= place(rule.from) && at <= place(rule.to);
    Judgement judgement{.ours = what + "collapses from " + found->text + against};
    if (as_told && !earlier_open) judgement.outcome = Outcome::agrees;
    if (at < place(rule.from)) judgement.outcome = Outcome::differs;
    if (at > place(rule.to) && measured)
      judgement.outcome =
          std::ranges::all_of(steps,
                              [&](const Step& step) { return place(step.label) >= at || step.collapsed.has_value(); })
              ? Outcome::differs
              : Outcome::unknown;
    return judgement;
  }
  const auto last =
      std::ranges::find_if(steps.rbegin(), steps.rend(), [](const Step& step) { return step.collapsed.has_value(); });
  if (last == steps.rend())
    return {.ours = too_few_text(results, results.select(rule.where), text_of(results, rule.where))};
  const bool to_the_end = measured && !later_open && place(steps.back().label) >= place(rule.to);
  return {
      .outcome = to_the_end ? Outcome::differs : Outcome::unknown,
      .ours = what + "no collapse is shown; " + last->text + against +
              (to_the_end ? "" : "; points from " + rule.from + " " + rule.over + " on are missing, or vary too much")};
}

}  // namespace n2nq::findings
