#include "app/compare/titles.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "app/analysis/mean_interval.h"
#include "app/compare/comparison.h"
#include "app/figures/headlines.h"
#include "app/figures/setting_text.h"
#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::compare {
namespace {

using figures::Hue;
using plan::PlanField;
using plan::RunPlan;

constexpr size_t kMostInName = 2;
constexpr size_t kLongValue = 28;

const record::RunRecord* run_of(const Side& side) {
  if (!side.runs.empty()) return &side.runs.front();
  return side.failed.empty() ? nullptr : &side.failed.front();
}

// As the runs of each side had them, whatever a profile says by now; nothing: the side has no runs.
std::vector<std::optional<RunPlan>> plans_of(std::span<const Side> sides) {
  std::vector<std::optional<RunPlan>> plans;
  for (const Side& side : sides) {
    const record::RunRecord* run = run_of(side);
    plans.push_back(run == nullptr ? side.plan_left_out : std::optional(record::plan_as_run(*run)));
  }
  return plans;
}

// The plans whose runs look at the field.
std::vector<const RunPlan*> looking(const PlanField& field, const std::vector<std::optional<RunPlan>>& plans) {
  std::vector<const RunPlan*> found;
  for (const auto& plan : plans)
    if (plan && !plan::is_idle(field, *plan)) found.push_back(&*plan);
  return found;
}

bool differ(const PlanField& field, const std::vector<const RunPlan*>& plans) {
  if (plans.empty() || !tells_apart(field)) return false;
  const std::string first = plan::text_of(field, *plans.front());
  return std::ranges::any_of(plans, [&](const RunPlan* plan) { return plan::text_of(field, *plan) != first; });
}

// It follows from the profile in all of them, which says enough.
bool all_leave_to_profile(const PlanField& field, std::span<const Side> sides) {
  return std::ranges::all_of(sides, [&](const Side& side) {
    const record::RunRecord* run = run_of(side);
    return run == nullptr || plan::is_idle(field, run->plan) || plan::is_left_to_profile(field, run->plan);
  });
}

std::string spaced(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kLongValue) return text;
  size_t end = kLongValue;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) end--;  // not within a character
  return text.substr(0, end) + "…";
}

// "broadcaster", "10 senders", "no requests", "delay 20 ms".
std::string value_of(const PlanField& field, const RunPlan& plan) {
  std::string value = shortened(plan::told(plan::text_of(field, plan)));
  const std::string key(field.key);
  const std::string whole = key.ends_with(".on") ? key.substr(0, key.size() - 3) : key;  // "recorder.on"
  const std::string last = spaced(whole.substr(whole.rfind('.') + 1));
  if (key == "bus.kind") return std::string(plan.bus.traits().title);
  if (key == "queue.mode") {
    std::ranges::replace(value, '-', ' ');
    return value;
  }
  const std::string role = key.substr(0, key.find('.'));
  if (last == "count") return value + " " + (value == "1" ? role.substr(0, role.size() - 1) : role);
  if (last == "messages") return value + " messages";
  if (last == "processes" || last == "loops") return value + " " + last + " of " + role;
  if (last == "hosts") return role + " on " + (value.empty() ? "this computer" : value);
  if (value == "true") return last + " on";
  if (value == "false") return last + " off";
  return last + " " + (value.empty() ? "-" : value);
}

std::string results_of(const Side& side) {
  std::vector<int64_t> ids;
  for (const auto* runs : {&side.runs, &side.failed})
    for (const record::RunRecord& run : *runs) ids.push_back(run.id);
  if (ids.empty() && side.first_left_out) ids.push_back(*side.first_left_out);
  return ids.empty() ? "no runs" : results_text(std::move(ids));
}

std::vector<std::string> plan_names_of(std::span<const Side> sides) {
  std::vector<std::string> names;
  for (const Side& side : sides) {
    const record::RunRecord* run = run_of(side);
    const plan::RunPlan* plan = run != nullptr ? &run->plan : side.plan_left_out ? &*side.plan_left_out : nullptr;
    names.push_back(plan == nullptr ? std::string() : plan->name);
  }
  return names;
}

// "geometric mean of 3 runs".
std::string runs_note(const char* what, const std::vector<std::vector<double>>& sides) {
  const auto [fewest, most] = std::ranges::minmax(sides, {}, &std::vector<double>::size);
  if (most.size() < 2) return {};
  return std::string(what) + " of " + (fewest.size() < most.size() ? std::to_string(fewest.size()) + " to " : "") +
         std::to_string(most.size()) + " runs";
}

SideFigure figure_of(const figures::Metric& metric, std::string title, Hue hue, std::span<const Side> sides) {
  const bool sum = metric.quantity == figures::Quantity::messages;
  std::vector<std::vector<double>> all;
  for (const Side& side : sides) all.push_back(values_of(metric, side));
  const bool geometric = has_geometric_means(metric, all);
  const auto told = [&](const std::vector<double>& values) -> std::optional<double> {
    if (values.empty()) return {};
    return sum ? sum_of(values) : geometric ? geometric_mean_of(values) : analysis::mean_of(values);
  };
  text::Column column(figures::unit_of(metric));  // the unit is that of the runs, which are listed beside it
  for (const std::vector<double>& values : all) {
    for (const double value : values) column.add(value);
    column.add(told(values));
  }
  SideFigure figure{.name = std::move(title),
                    .unit = std::string(column.scale().unit),
                    .hue = hue,
                    .note = runs_note(sum         ? "sum"
                                      : geometric ? "geometric mean"
                                                  : "mean",
                                      all),
                    .metric = &metric};
  for (const std::vector<double>& values : all) figure.values.push_back(column.text(told(values)));
  return figure;
}

}  // namespace

std::vector<std::string> names_of(std::span<const Side> sides) {
  const auto plans = plans_of(sides);
  std::vector<const PlanField*> unlike;
  for (const PlanField& field : plan::plan_fields())
    if (differ(field, looking(field, plans)) && !all_leave_to_profile(field, sides)) unlike.push_back(&field);
  std::ranges::stable_partition(unlike, [](const PlanField* field) { return field->key == "bus.kind"; });
  const bool of_buses = !unlike.empty() && unlike.front()->key == "bus.kind";
  // A side without any run tells nothing, and need not be told apart.
  const auto tell_apart = [&plans](const std::vector<std::string>& names) {
    std::set<std::string> seen;
    for (size_t side = 0; side < names.size(); side++)
      if (plans[side] && (names[side].empty() || !seen.insert(names[side]).second)) return false;
    return true;
  };
  std::vector<std::string> names(sides.size());
  for (size_t i = 0; i < std::min(unlike.size(), kMostInName); i++) {
    if (of_buses && tell_apart(names)) break;
    for (size_t side = 0; side < sides.size(); side++)
      if (plans[side] && !plan::is_idle(*unlike[i], *plans[side]))
        add_part(names[side], ", ", value_of(*unlike[i], *plans[side]));
  }
  if (!tell_apart(names) || (!of_buses && unlike.size() > kMostInName)) {
    const std::vector<std::string> plan_names = plan_names_of(sides);
    if (tell_apart(plan_names)) names = plan_names;
  }
  const bool apart = tell_apart(names);
  for (size_t side = 0; side < sides.size(); side++) {
    const std::string results = results_of(sides[side]);
    if (names[side].empty() || !plans[side])
      names[side] = results;
    else if (!apart)
      names[side] += " (" + results + ")";
  }
  return names;
}

bool all_ask_for_replies(std::span<const Side> sides) {
  bool any = false;
  for (const Side& side : sides)
    for (const record::RunRecord& run : side.runs) {
      if (!plan::asks_for_replies(run.plan)) return false;
      any = true;
    }
  return any;
}

figures::FirstLatency first_latency(std::span<const Side> sides) {
  std::vector<const record::RunRecord*> runs;
  for (const Side& side : sides)
    for (const record::RunRecord& run : side.runs) runs.push_back(&run);
  return figures::first_latency(all_ask_for_replies(sides), runs);
}

std::vector<SideFigure> side_figures(std::span<const Side> sides) {
  const figures::FirstLatency first = first_latency(sides);
  const bool replies = first.replies;
  const auto figure = [&](const char* name, const char* title, Hue hue) {
    return figure_of(*figures::find_metric(name), title, hue, sides);
  };
  const auto latency = [&](const char* name) {
    return figure_of(first.of(name), figures::headline_name(first.actual(name), first.intended), Hue::receiver, sides);
  };
  return {figure("sent-rate", replies ? "Requests" : "Sent", Hue::sender),
          figure(replies ? "reply-rate" : "rate", replies ? "Replies" : "Received", Hue::receiver), latency("p50"),
          latency("p99"), figure(replies ? "timeouts" : "lost", replies ? "Timed out" : "Lost", Hue::neutral)};
}

std::string told_beside(std::span<const Side> sides) {
  const figures::FirstLatency first = first_latency(sides);
  const figures::Metric& p99 = first.of("p99");
  std::string latencies, counts;
  for (const Side& side : sides) {
    if (side.runs.empty()) continue;
    const size_t runs = side.runs.size();
    const std::string name = " (" + side.name + (runs > 1 ? ", " + text::amount(runs, "run") : "") + ")";
    const auto values = values_of(p99, side);
    if (!values.empty() && has_geometric_means(p99, {values}))
      add_part(latencies, ", ", value_text(p99, geometric_mean_of(values)) + name);
    std::optional<uint64_t> received = 0;
    for (const record::RunRecord& run : side.runs) {
      const auto of_run = first.replies ? run.totals.replies : std::optional(run.totals.received);
      received = received && of_run ? std::optional(*received + *of_run) : std::nullopt;
    }
    add_part(counts, ", ", (received ? text::count(static_cast<int64_t>(*received)) : "-") + name);
  }
  if (counts.empty()) return {};
  if (!latencies.empty()) latencies = first.title("p99") + ": " + latencies + "; ";
  return latencies + (first.replies ? "replies: " : "received: ") + counts;
}

std::vector<SideSetting> side_settings(std::span<const Side> sides) {
  const auto plans = plans_of(sides);
  const auto runs = std::ranges::count_if(plans, [](const auto& plan) { return plan.has_value(); });
  const RunPlan usual;
  std::vector<SideSetting> all;
  for (const PlanField& field : plan::plan_fields()) {
    const auto of_runs = looking(field, plans);
    const std::string before = plan::text_of(field, usual);
    const bool changed =
        std::ranges::any_of(of_runs, [&](const RunPlan* plan) { return plan::text_of(field, *plan) != before; });
    // Seeds may be different in each run of a side.
    if (!changed || !tells_apart(field)) continue;
    const bool only_some = std::cmp_less(of_runs.size(), runs);
    SideSetting& one = all.emplace_back(SideSetting{.key = std::string(field.key),
                                                    .usual = figures::setting_value(field, usual),
                                                    .differs = only_some || differ(field, of_runs)});
    for (const auto& plan : plans)
      one.values.push_back(!plan || plan::is_idle(field, *plan) ? "-" : figures::setting_value(field, *plan));
  }
  std::ranges::stable_sort(all, std::greater<>(), &SideSetting::differs);
  return all;
}

}  // namespace n2nq::compare
