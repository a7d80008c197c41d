#include "app/campaign/points.h"

#include <algorithm>
#include <array>
#include <random>

#include "app/campaign/search.h"
#include "app/plan/plan_fields.h"
#include "app/record/run_record.h"
#include "broker/base/join.h"

namespace n2nq::campaign {
namespace {

size_t values_of(const Campaign& campaign, size_t axis) {
  return campaign.axes[axis].values.size();
}

// The last axis turns fastest.
std::vector<size_t> place_of(const Campaign& campaign, size_t index) {
  std::vector<size_t> at(campaign.axes.size(), index);
  if (campaign.combine == Combine::paired) return at;
  for (size_t axis = campaign.axes.size(); axis-- > 0;) {
    at[axis] = index % values_of(campaign, axis);
    index /= values_of(campaign, axis);
  }
  return at;
}

// Puts hosts where a name of kExternal or kInternal stands; whether it stood there. Of those that are meant as many are
// put there as the fleet has services for, beside the hosts that are named: a point with fewer uses fewer.
bool resolve(plan::Fleet& fleet, const char* name, const std::vector<std::string>& meant) {
  const auto found = std::ranges::find(fleet.hosts, name);
  if (found == fleet.hosts.end()) return false;
  const auto after = fleet.hosts.erase(found);
  const size_t left = fleet.count > fleet.hosts.size() ? fleet.count - fleet.hosts.size() : 0;
  const size_t used = std::min<size_t>(meant.size(), left);
  fleet.hosts.insert(after, meant.begin(), meant.begin() + static_cast<std::ptrdiff_t>(used));
  return true;
}

// Without hosts for it, what is external runs on this computer: which is not the queue's where that one is elsewhere.
void resolve_fleet(plan::Fleet& fleet, const std::vector<std::string>& external, Point& point) {
  const std::string& queue = point.plan.queue.host;
  resolve(fleet, kInternal, queue.empty() ? std::vector<std::string>{} : std::vector{queue});
  if (!resolve(fleet, kExternal, external)) return;
  const auto elsewhere = external.empty() ? std::vector<std::string>{record::kThisPlace} : external;
  point.external.insert(point.external.end(), elsewhere.begin(), elsewhere.end());
}

constexpr const char* kBeforeLabel = ": ";

void complete(const Campaign& campaign, Point& point) {
  resolve_fleet(point.plan.senders.fleet, campaign.external.of_senders(), point);
  resolve_fleet(point.plan.receivers.fleet, campaign.external.of_receivers(), point);
  const std::string label = label_of(campaign, point);
  point.plan.name = label.empty() ? campaign.name : campaign.name + kBeforeLabel + label;
}

// Of the points, in their order.
std::vector<std::vector<size_t>> places(const Campaign& campaign) {
  std::vector<std::vector<size_t>> kept;
  for (size_t index = 0; index < combination_count(campaign); index++) {
    auto at = place_of(campaign, index);
    if (std::ranges::none_of(campaign.except, [&](const Selection& one) { return is_in(campaign, at, one); }))
      kept.push_back(std::move(at));
  }
  return kept;
}

Result<Point> point_at(const Campaign& campaign, uint32_t number, std::vector<size_t> at) {
  Point point{.number = number, .at = std::move(at), .plan = campaign.base};
  for (size_t axis = 0; axis < campaign.axes.size(); axis++) {
    const AxisValue& value = campaign.axes[axis].values[point.at[axis]];
    for (const plan::Override& change : value.set)
      if (auto set = plan::set_field(point.plan, change.key + "=" + change.value); !set)
        return fail("axes[" + std::to_string(axis) + "].values[" + std::to_string(point.at[axis]) +
                    "]: " + set.error().text);
  }
  complete(campaign, point);
  return point;
}

// A shuffle of our own: that of the library may differ from one to the next, and a campaign is resumed by its order.
void shuffle(std::vector<PlannedRun>& runs, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t left = runs.size(); left > 1; left--) std::swap(runs[left - 1], runs[random() % left]);
}

}  // namespace

Result<Point> point_at_value(const Campaign& campaign, uint32_t number, double value) {
  Point point{.number = number, .plan = campaign.base, .value = value};
  const auto variable = find_variable(campaign.search->vary);
  if (!variable) return std::unexpected(variable.error());
  if (auto put = put_value(*variable, value, point.plan); !put) return std::unexpected(put.error());
  complete(campaign, point);
  return point;
}

bool names_external(const Campaign& campaign) {
  const auto is_named = [](const plan::Fleet& fleet) {
    return std::ranges::find(fleet.hosts, kExternal) != fleet.hosts.end();
  };
  if (is_named(campaign.base.senders.fleet) || is_named(campaign.base.receivers.fleet)) return true;
  for (const Axis& axis : campaign.axes)
    for (const AxisValue& value : axis.values)
      for (const plan::Override& change : value.set)
        if (change.key.ends_with(".hosts") && change.key != "bus.hosts" &&
            change.value.find(kExternal) != std::string::npos)
          return true;
  return false;
}

size_t combination_count(const Campaign& campaign) {
  if (campaign.axes.empty()) return 1;
  if (campaign.combine == Combine::paired) return values_of(campaign, 0);
  size_t count = 1;
  for (const Axis& axis : campaign.axes) {
    count *= axis.values.size();
    if (count > kMostPoints) return kMostPoints + 1;
  }
  return count;
}

size_t point_count(const Campaign& campaign) {
  if (campaign.search) return 2;
  return campaign.except.empty() ? combination_count(campaign) : places(campaign).size();
}

Result<std::vector<Point>> points_of(const Campaign& campaign) {
  std::vector<Point> points;
  const auto next = [&] { return static_cast<uint32_t>(points.size() + 1); };
  const auto take = [&](Result<Point> point) -> Result<void> {
    if (!point) return std::unexpected(point.error());
    points.push_back(std::move(*point));
    return {};
  };
  if (campaign.search) {
    for (const double value : {campaign.search->from, campaign.search->to})
      if (auto taken = take(point_at_value(campaign, next(), value)); !taken) return std::unexpected(taken.error());
    return points;
  }
  for (auto& at : places(campaign))
    if (auto taken = take(point_at(campaign, next(), std::move(at))); !taken) return std::unexpected(taken.error());
  return points;
}

std::vector<plan::RunPlan> plans_of(const Campaign& campaign) {
  std::vector<plan::RunPlan> plans;
  auto points = points_of(campaign);
  if (!points) return plans;
  for (Point& point : *points) plans.push_back(std::move(point.plan));
  return plans;
}

std::vector<PlannedRun> runs_of(const Campaign& campaign) {
  std::vector<PlannedRun> runs;
  if (campaign.search) return runs;
  const auto points = static_cast<uint32_t>(point_count(campaign));
  runs.reserve(size_t{points} * campaign.repeats);
  if (campaign.order == Order::sequential) {
    for (uint32_t point = 1; point <= points; point++)
      for (uint32_t repeat = 1; repeat <= campaign.repeats; repeat++) runs.push_back({point, repeat});
    return runs;
  }
  for (uint32_t repeat = 1; repeat <= campaign.repeats; repeat++)
    for (uint32_t point = 1; point <= points; point++) runs.push_back({point, repeat});
  if (campaign.order == Order::random) shuffle(runs, campaign.seed);
  return runs;
}

std::string label_in(const Campaign& campaign, const std::string& plan_name) {
  const std::string before = campaign.name + kBeforeLabel;
  return plan_name.starts_with(before) ? plan_name.substr(before.size()) : plan_name;
}

std::string label_of(const Campaign& campaign, const Point& point) {
  std::string label;
  if (campaign.search) {
    const auto variable = find_variable(campaign.search->vary);
    return variable ? value_text(*variable, point.value) : label;
  }
  for (size_t axis = 0; axis < campaign.axes.size(); axis++)
    add_part(label, ", ", campaign.axes[axis].values[point.at[axis]].label);
  return label;
}

bool all_ask_for_replies(const std::vector<Point>& points) {
  return !points.empty() &&
         std::ranges::all_of(points, [](const Point& point) { return plan::asks_for_replies(point.plan); });
}

}  // namespace n2nq::campaign
