#include "app/campaign/campaign.h"

#include <algorithm>

#include "app/campaign/points.h"
#include "app/compare/condition.h"
#include "app/plan/filter_text.h"
#include "app/plan/overrides.h"
#include "app/plan/plan_fields.h"
#include "broker/base/join.h"

namespace n2nq::campaign {
namespace {

using Problem = std::optional<std::string>;

constexpr size_t kMostPlanBytes = 512ull << 20;  // of the plans of all points

std::string at(const char* list, size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

Problem problem_of_axis(const Campaign& campaign, size_t index) {
  const Axis& axis = campaign.axes[index];
  const std::string place = at("axes", index);
  if (axis.name.empty()) return place + ".name: it is missing";
  if (find_axis(campaign, axis.name) != &axis) return place + ".name: there are two axes called " + axis.name;
  if (axis.values.empty()) return place + ".values: there are none";
  if (axis.values.size() > kMostValues) return place + ".values: there are more than " + std::to_string(kMostValues);
  for (size_t i = 0; i < axis.values.size(); i++) {
    const auto same = [&](const AxisValue& other) { return other.label == axis.values[i].label; };
    if (std::ranges::count_if(axis.values, same) > 1)
      return place + "." + at("values", i) + ": there are two values called " + axis.values[i].label;
  }
  if (campaign.combine == Combine::paired && axis.values.size() != campaign.axes.front().values.size())
    return place + ".values: paired axes need the same number of values, and the first has " +
           std::to_string(campaign.axes.front().values.size());
  return {};
}

// What is neither drawn over nor told apart would be taken for repeats.
Problem problem_of_pooling(const Campaign& campaign, const FigureSpec& figure, const std::string& place) {
  if (campaign.combine == Combine::paired) return {};
  for (const Axis& axis : campaign.axes) {
    const auto where = figure.where.find(axis.name);
    const bool one = axis.values.size() == 1 || (where != figure.where.end() && where->second.size() == 1);
    const bool drawn = axis.name == figure.curves || (figure.kind == FigureKind::means && axis.name == figure.x);
    if (!one && !drawn)
      return place + ".where: it must select one value of the axis \"" + axis.name + "\", which is not drawn";
  }
  return {};
}

Problem problem_of_exceptions(const Campaign& campaign) {
  if (campaign.except.empty() || campaign.search) return {};
  if (combination_count(campaign) > kMostPoints)
    return "axes: they result in more than " + std::to_string(kMostPoints) + " combinations";
  for (size_t i = 0; i < campaign.except.size(); i++) {
    const std::string place = at("except", i);
    if (campaign.except[i].empty()) return place + ": it names no axis, and so leaves nothing to run";
    if (const auto problem = problem_of(campaign, campaign.except[i])) return place + ": " + *problem;
    for (const auto& [name, labels] : campaign.except[i])
      if (labels.empty()) return place + ": it names no value of the axis \"" + name + "\"";
  }
  if (point_count(campaign) == 0) return "except: it leaves nothing to run";
  return {};
}

Problem problem_of_figure(const Campaign& campaign, size_t index) {
  const FigureSpec& figure = campaign.figures[index];
  const std::string place = at("figures", index);
  if (figure.id.empty()) return place + ".id: it is missing";
  if (figure.id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") !=
      std::string::npos)
    return place + ".id: expected letters, digits, '-' and '_', as it names a file";
  for (size_t i = 0; i < index; i++)
    if (campaign.figures[i].id == figure.id) return place + ".id: there are two figures called " + figure.id;
  if (figures::find_metric(figure.metric) == nullptr)
    return place + ".metric: there is no metric \"" + figure.metric + "\"; there are " +
           plan::limit_metric_names(plan::LimitUse::search);
  if (figure.kind == FigureKind::means && find_axis(campaign, figure.x) == nullptr)
    return place + ".x: there is no axis \"" + figure.x + "\"";
  if (!figure.curves.empty() && find_axis(campaign, figure.curves) == nullptr)
    return place + ".curves: there is no axis \"" + figure.curves + "\"";
  if (const auto problem = problem_of(campaign, figure.where)) return place + ".where: " + *problem;
  if (!figure.repeats.empty() && figure.repeats.back().last > campaign.repeats)
    return place + ".repeats: the campaign has only " + std::to_string(campaign.repeats);
  const bool looks = figure.whiskers != compare::kTukey || figure.without.any();
  if (figure.kind == FigureKind::means && looks)
    return place + ".kind: whiskers and without are of figures of messages; set another kind, or leave them out";
  if (figure.kind == FigureKind::means && figure.part.any() &&
      figures::find_metric(figure.metric)->quantity != figures::Quantity::duration_ns)
    return place + ".axis: it is a part of the latency axis, and \"" + figure.metric + "\" is no latency";
  for (const FigureSpec& other : campaign.figures)
    if (!figure.scale.empty() && other.scale == figure.scale && figure.part.any() && other.part.any() &&
        other.part != figure.part)
      return place + ".axis: figures with one scale have one axis, and that of " + other.id + " is " +
             to_text(other.part);
  return problem_of_pooling(campaign, figure, place);
}

Problem problem_of_rules(const Campaign& campaign) {
  if (campaign.repeats == 0) return "repeats: expected 1 or more";
  if (campaign.tries == 0) return "tries: expected 1 or more";
  if (campaign.every && campaign.pause_ns > 0)
    return "pause: with \"every\" runs start at fixed times; leave the pause out";
  if (campaign.every && campaign.every->rounds && (campaign.search || campaign.order != Order::interleaved))
    return "every: there are rounds where all points are run before the next repeat; set the order to interleaved, or "
           "leave \"in rounds\" out";
  if (campaign.stop.limit.empty()) return {};
  const auto limit = compare::parse_run_condition(campaign.stop.limit);
  return limit ? Problem() : "stop.limit: " + limit.error().text;
}

// What belongs to axes has no meaning in a search.
Problem problem_of_search(const Campaign& campaign) {
  if (!campaign.search) return {};
  if (!campaign.axes.empty()) return "axes: a search has none; search.vary names what it varies";
  if (campaign.repeats != 1) return "repeats: a search has none; search.confirm sets how often its ends are run";
  if (!campaign.except.empty()) return "except: a search has no axes whose values could be left out";
  if (!campaign.figures.empty()) return "figures: a search has its own";
  if (campaign.stop.overload || !campaign.stop.limit.empty())
    return "stop: a search ends by itself; only \"failure\" is allowed";
  return problem_of(*campaign.search, campaign.base);
}

}  // namespace

Result<void> set_in_all_points(Campaign& campaign, std::string_view assignment) {
  if (auto set = plan::set_field(campaign.base, assignment); !set) return set;
  for (Axis& axis : campaign.axes)
    for (AxisValue& value : axis.values) plan::put_above(value.set, assignment);
  return {};
}

const Axis* find_axis(const Campaign& campaign, const std::string& name) {
  const auto found = std::ranges::find(campaign.axes, name, &Axis::name);
  return found == campaign.axes.end() ? nullptr : &*found;
}

bool is_in(const Campaign& campaign, const std::vector<size_t>& at, const Selection& selection) {
  return std::ranges::all_of(selection, [&](const auto& named) {
    const auto& [name, labels] = named;
    const auto axis = std::ranges::find(campaign.axes, name, &Axis::name);
    if (axis == campaign.axes.end()) return false;
    const size_t value = at[static_cast<size_t>(axis - campaign.axes.begin())];
    return value < axis->values.size() && std::ranges::find(labels, axis->values[value].label) != labels.end();
  });
}

std::optional<std::string> problem_of(const Campaign& campaign, const Selection& selection) {
  for (const auto& [name, labels] : selection) {
    const Axis* axis = find_axis(campaign, name);
    if (axis == nullptr) return "there is no axis \"" + name + "\"";
    for (const std::string& label : labels)
      if (std::ranges::find(axis->values, label, &AxisValue::label) == axis->values.end())
        return "the axis \"" + name + "\" has no value \"" + label + "\"";
  }
  return {};
}

std::string to_text(const Selection& selection) {
  return join(selection, "; ", [](const auto& one) { return one.first + ": " + join(one.second, " or "); });
}

std::string to_text(Combine combine) {
  return combine == Combine::grid ? "grid" : "paired";
}

std::string to_text(Order order) {
  switch (order) {
    case Order::sequential:
      return "sequential";
    case Order::interleaved:
      return "interleaved";
    case Order::random:
      break;
  }
  return "random";
}

std::string to_text(FigureKind kind) {
  switch (kind) {
    case FigureKind::means:
      return "means";
    case FigureKind::percentiles:
      return "percentiles";
    case FigureKind::cdf:
      return "cdf";
    case FigureKind::boxes:
      return "boxes";
    case FigureKind::raincloud:
      return "raincloud";
    case FigureKind::runs:
      break;
  }
  return "runs";
}

Result<NumberRanges> parse_repeats(std::string_view text) {
  NumberRanges repeats;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    const auto range = parse_range(plan::trimmed(part));
    if (!range || range->last > kMostRepeats)
      return fail("\"" + std::string(part) + "\" is no repeat; give numbers and spans of them, such as \"1-12, 18\"");
    repeats.push_back(*range);
  }
  normalise(repeats);
  return repeats;
}

std::optional<std::string> problem_of(const Campaign& campaign) {
  if (campaign.axes.size() > kMostAxes) return "axes: there are more than " + std::to_string(kMostAxes);
  for (size_t i = 0; i < campaign.axes.size(); i++)
    if (auto problem = problem_of_axis(campaign, i)) return problem;
  if (auto problem = problem_of_exceptions(campaign)) return problem;
  if (campaign.figures.size() > kMostFigureSpecs)
    return "figures: there are more than " + std::to_string(kMostFigureSpecs);
  for (size_t i = 0; i < campaign.figures.size(); i++)
    if (auto problem = problem_of_figure(campaign, i)) return problem;
  if (auto problem = problem_of_rules(campaign)) return problem;
  if (auto problem = problem_of_search(campaign)) return problem;
  if (const size_t points = point_count(campaign); points * campaign.repeats > kMostPoints)
    return "axes: they result in more than " + std::to_string(kMostPoints) + " runs";
  if (const size_t bytes = plan::plan_to_json(campaign.base).size(); point_count(campaign) * bytes > kMostPlanBytes)
    return "base: too many filters for this many points";
  const auto points = points_of(campaign);
  if (!points) return points.error().text;
  for (const Point& point : *points) {
    const auto problems = plan::problems_of(point.plan);
    if (!problems.empty())
      return "point " + std::to_string(point.number) + " (" + label_of(campaign, point) + "): " + problems.front().key +
             ": " + problems.front().text;
  }
  return {};
}

}  // namespace n2nq::campaign
