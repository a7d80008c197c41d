#include "app/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "app/figures/setting_text.h"
#include "app/record/json_value.h"
#include "app/record/shown_latency.h"
#include "app/record/trust.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::compare {
namespace {

constexpr size_t kMostReasons = 2;  // for doubts, in a sentence

// Counts of what went wrong are 0 as a rule, and have no ratio.
std::string count_statement(const MetricComparison& found, const Side& a, const Side& b) {
  if (!found.of_a || !found.of_b) return "unknown on one side: no statement";
  const auto sum = [](const std::vector<double>& values) { return text::count(static_cast<int64_t>(sum_of(values))); };
  return a.name + " " + sum(found.a) + " in " + std::to_string(found.a.size()) + ", " + b.name + " " + sum(found.b) +
         " in " + std::to_string(found.b.size()) + " runs";
}

// A machine may come from an archive: what is not a text says nothing.
std::string text_at(const nlohmann::json& machine, const char* key) {
  std::string text;
  if (const auto at = machine.find(key); at != machine.end()) record::take_value(*at, text);
  return text;
}

using Said = std::set<std::string>;  // by the runs of a side

// Where it is not known of a side there is nothing to tell apart.
bool unlike(const Said& a, const Said& b) {
  return !a.empty() && !b.empty() && a != b;
}

std::string listed(const Said& said) {
  return join(said, " and ");
}

Said machines_of(const Side& side) {
  Said machines;
  for (const record::RunRecord& run : side.runs) {
    // Where no process said what its computer is, the bench's is all that is known.
    for (const record::MachineRecord& one : run.machines)
      machines.insert(one.facts.processor + ", kernel " + one.facts.kernel);
    if (!run.machines.empty()) continue;
    const auto machine = nlohmann::json::parse(run.machine_json, nullptr, false);
    if (machine.is_object()) machines.insert(text_at(machine, "processor") + ", kernel " + text_at(machine, "kernel"));
  }
  return machines;
}

Said texts_of(const Side& side, std::string record::RunRecord::* member) {
  Said texts;
  for (const record::RunRecord& run : side.runs)
    if (!(run.*member).empty()) texts.insert(run.*member);
  return texts;
}

Said congestion_controls_of(const Side& side) {
  Said names;
  for (const record::RunRecord& run : side.runs)
    for (const record::ProcessRecord& process : run.processes)
      if (!process.congestion.empty()) names.insert(process.congestion);
  return names;
}

Said nodelay_of(const Side& side) {
  Said states;
  for (const record::RunRecord& run : side.runs)
    for (const record::ProcessRecord& process : run.processes)
      if (process.nodelay) states.insert(*process.nodelay ? "on" : "off");
  return states;
}

// What the messages went through and over. Of two buses it differs by their nature.
void add_remarks_of_bus(const Side& a, const Side& b, std::vector<std::string>& all) {
  if (a.runs.empty() || b.runs.empty() || a.runs.front().plan.bus.kind != b.runs.front().plan.bus.kind) return;
  const auto add = [&](const char* what, const Said& of_a, const Said& of_b) {
    if (unlike(of_a, of_b)) all.push_back(what + a.name + " " + listed(of_a) + ", " + b.name + " " + listed(of_b));
  };
  const auto add_text = [&](const char* what, std::string record::RunRecord::* member) {
    add(what, texts_of(a, member), texts_of(b, member));
  };
  add_text("the bus's servers differ: ", &record::RunRecord::server);
  add_text("the bus's clients differ: ", &record::RunRecord::bus_client);
  add("TCP_NODELAY of the workers' connections differs: ", nodelay_of(a), nodelay_of(b));
  add("the congestion control of the workers' connections differs: ", congestion_controls_of(a),
      congestion_controls_of(b));
}

std::optional<uint64_t> largest_bound(const Side& side) {
  std::optional<uint64_t> bound;
  for (const record::RunRecord& run : side.runs)
    if (run.clock_kind != "same" && run.clock_bound_ns) bound = std::max(bound.value_or(0), *run.clock_bound_ns);
  return bound;
}

void add_remarks_of(const Side& side, std::vector<std::string>& all) {
  for (const std::string& text : side.left_out) all.push_back(side.name + " is without " + text);
  const auto late = std::ranges::count_if(side.runs, [](const record::RunRecord& run) { return !run.rate_reached; });
  if (late > 0)
    all.push_back(side.name + ": in " + std::to_string(late) + " of " + std::to_string(side.runs.size()) +
                  " runs the senders did not reach the rate of the plan");
  if (std::ranges::any_of(side.runs, [](const record::RunRecord& run) { return run.clock_kind == "unknown"; }))
    all.push_back(side.name + ": the clock offset is unknown in some runs: their latencies may be far off");
  if (const auto bound = largest_bound(side))
    all.push_back(side.name + ": clocks of several hosts, latencies are accurate within " +
                  text::duration(static_cast<double>(*bound)));
}

// Where one side has no intended sends, latency is from the actual send on both.
void add_hidden_lateness(const Side& a, const Side& b, std::vector<std::string>& all) {
  std::vector<const record::RunRecord*> both;
  for (const Side* side : {&a, &b})
    for (const record::RunRecord& run : side->runs) both.push_back(&run);
  if (both.empty() || record::show_intended(both, plan::asks_for_replies(both.front()->plan))) return;
  for (const auto& [late, other] : {std::pair(&a, &b), {&b, &a}})
    if (std::ranges::any_of(late->runs, [](const record::RunRecord& run) { return record::shows_intended(run); }))
      all.push_back(late->name + ": senders were late, and latency leaves that out here: it is compared from the " +
                    "actual send, as " + other->name + " has no schedule");
}

bool is_doubtful(const record::RunRecord& run) {
  return run.trust == record::Trust::doubtful;
}

enum class Answer { less, more, same, undecided };
Answer answer_of(const analysis::RunComparison& found) {
  if (found.differs()) return found.ratio < 1 ? Answer::less : Answer::more;
  return found.undecided() ? Answer::undecided : Answer::same;
}

std::vector<double> sound_values_of(const figures::Metric& metric, const Side& side) {
  std::vector<double> values;
  for (const record::RunRecord& run : side.runs)
    if (const auto value = is_doubtful(run) ? std::nullopt : metric.value(run)) values.push_back(*value);
  return values;
}

bool says_the_same_without_doubtful(const figures::Metric& metric, std::span<const Side> sides) {
  const std::vector<double> first = sound_values_of(metric, sides.front());
  return std::ranges::all_of(sides.subspan(1), [&](const Side& side) {
    const auto all = compare_by(metric, sides.front(), side).b_to_a;
    const auto sound = analysis::compare_runs(sound_values_of(metric, side), first);
    return all && sound && answer_of(*all) == answer_of(*sound);
  });
}

// What is a bus' own follows from its choice.
void add_differences_beside_the_bus(const Side& a, const Side& b, std::vector<std::string>& all) {
  const plan::RunPlan of_a = record::plan_as_run(a.runs.front()), of_b = record::plan_as_run(b.runs.front());
  if (of_a.bus.kind == of_b.bus.kind) return;
  std::string names;
  for (const plan::PlanField* field : unlike_fields(of_a, of_b))
    if (!field->key.starts_with("bus.")) add_part(names, ", ", figures::setting_name(field->key));
  if (!names.empty()) all.push_back("not only the buses of " + a.name + " and " + b.name + " differ: " + names);
}

}  // namespace

std::vector<double> values_of(const figures::Metric& metric, const Side& side) {
  std::vector<double> values;
  for (const record::RunRecord& run : side.runs)
    if (const auto value = metric.value(run)) values.push_back(*value);
  if (metric.quantity != figures::Quantity::messages) return values;
  // What went wrong in runs that failed for it is what is asked for.
  for (const record::RunRecord& run : side.failed)
    if (const auto value = metric.value(run)) values.push_back(*value);
  return values;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

bool has_geometric_means(const figures::Metric& metric, const std::vector<std::vector<double>>& sides) {
  const auto above_zero = [](double value) { return value > 0; };
  return metric.quantity != figures::Quantity::messages &&
         std::ranges::all_of(sides, [&](const auto& values) { return std::ranges::all_of(values, above_zero); });
}

// Against the first, so that the mean of equal values is that value.
double geometric_mean_of(const std::vector<double>& values) {
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value / values.front());
  return values.front() * std::exp(logarithms / static_cast<double>(values.size()));
}

MetricComparison compare_by(const figures::Metric& metric, const Side& a, const Side& b) {
  MetricComparison found{
      .metric = &metric, .failed_b = b.failed.size(), .a = values_of(metric, a), .b = values_of(metric, b)};
  found.of_a = analysis::mean_interval(found.a);
  found.of_b = analysis::mean_interval(found.b);
  if (metric.quantity == figures::Quantity::messages) {
    found.statement = count_statement(found, a, b);
    return found;
  }
  const auto compared = analysis::compare_runs(found.b, found.a);
  if (!compared) {
    const bool unlike = found.a.empty() != found.b.empty() && !a.runs.empty() && !b.runs.empty();
    found.statement =
        unlike ? "not measured on " + (found.a.empty() ? a : b).name + ": no statement" : compared.error().text;
    return found;
  }
  found.b_to_a = *compared;
  found.statement = analysis::sentence(*compared, b.name, std::string(metric.said), metric.reads);
  return found;
}

std::optional<analysis::RunComparison> against_itself(const figures::Metric& metric, const Side& side) {
  if (metric.quantity == figures::Quantity::messages) return {};
  const std::vector<double> values = values_of(metric, side);
  const auto compared = analysis::compare_runs(values, values);
  return compared ? std::optional(*compared) : std::nullopt;
}

std::vector<MetricComparison> compare_sides(const Side& a, const Side& b) {
  std::vector<MetricComparison> all;
  for (const figures::Metric& metric : figures::metrics()) {
    const auto has = [&metric](const Side& side) {
      return std::ranges::any_of(side.runs,
                                 [&](const record::RunRecord& run) { return figures::concerns(metric, run.plan); });
    };
    if (metric.places.of != plan::MetricOf::all && !has(a) && !has(b)) continue;
    auto found = compare_by(metric, a, b);
    // What only receivers with a service time have is no news where none of the runs has it.
    if (metric.theory == nullptr || found.of_a || found.of_b) all.push_back(std::move(found));
  }
  return all;
}

std::vector<std::string> unlike_settings(const Side& a, const Side& b) {
  std::vector<std::string> all;
  if (!a.runs.empty() && !b.runs.empty()) {
    const plan::RunPlan of_a = record::plan_as_run(a.runs.front()), of_b = record::plan_as_run(b.runs.front());
    for (const plan::PlanField* field : unlike_fields(of_a, of_b))
      all.push_back(figures::setting_name(field->key) + ": " + a.name + " " + figures::setting_value(*field, of_a) +
                    ", " + b.name + " " + figures::setting_value(*field, of_b));
    const auto add_own = [&all](const Side& side, const plan::RunPlan& plan, const plan::RunPlan& other) {
      for (const plan::PlanField* field : own_fields(plan, other))
        all.push_back(figures::setting_name(field->key) + ": " + side.name + " " +
                      figures::setting_value(*field, plan));
    };
    add_own(a, of_a, of_b);
    add_own(b, of_b, of_a);
  }
  return all;
}

std::vector<std::string> remarks(const Side& a, const Side& b) {
  std::vector<std::string> all;
  if (!a.runs.empty() && !b.runs.empty()) add_differences_beside_the_bus(a, b, all);
  add_remarks_of(a, all);
  add_remarks_of(b, all);
  add_hidden_lateness(a, b, all);
  add_remarks_of_bus(a, b, all);
  if (unlike(machines_of(a), machines_of(b)))
    all.push_back("the runs of " + a.name + " and " + b.name + " ran on different computers or kernels");
  return all;
}

// They are not left out: whether their doubts matter to the figures that are compared, people know.
std::vector<std::string> doubts(const Side& side) {
  std::vector<std::string> all;
  for (const record::RunRecord& run : side.runs)
    if (is_doubtful(run))
      all.push_back(side.name + ": #" + std::to_string(run.id) + " is doubtful: " + record::first_doubt(run));
  return all;
}

std::vector<std::string> all_remarks(const Side& a, const Side& b, bool with_settings) {
  std::vector<std::string> all = doubts(a);
  const auto add = [&all](std::vector<std::string> more) { std::ranges::move(more, std::back_inserter(all)); };
  add(doubts(b));
  if (with_settings) add(unlike_settings(a, b));
  add(remarks(a, b));
  return all;
}

std::string Doubt::text() const {
  if (doubtful == 0) return {};
  const bool all = doubtful == runs && runs > 1;
  std::string text = (all && runs == 2 ? "Both runs"
                      : all            ? "All " + text::amount(runs, "run")
                                       : std::to_string(doubtful) + " of " + text::amount(runs, "run")) +
                     (doubtful == 1 ? " is doubtful" : " are doubtful") + (reasons.empty() ? "" : ": " + reasons) + ".";
  if (holds)
    text += " Without " + std::string(doubtful == 1 ? "it" : "them") + " the answer at " + figure + " is the same.";
  return text;
}

Doubt doubt_of(const figures::Metric& metric, std::span<const Side> sides) {
  Doubt doubt{.figure = std::string(metric.said.empty() ? metric.label : metric.said)};
  struct Reason {
    std::string id, first;
    size_t runs = 0;
  };
  std::vector<Reason> reasons;
  for (const Side& side : sides)
    for (const record::RunRecord& run : side.runs) {
      doubt.runs++;
      if (!is_doubtful(run)) continue;
      doubt.doubtful++;
      std::set<std::string> seen;
      for (const record::RunWarning& one : run.warnings) {
        if (!one.doubt || !seen.insert(one.id).second) continue;
        auto known = std::ranges::find(reasons, one.id, &Reason::id);
        if (known == reasons.end()) known = reasons.insert(known, {.id = one.id, .first = one.text});
        known->runs++;
      }
    }
  std::ranges::stable_sort(reasons, std::greater<>(), &Reason::runs);
  for (size_t i = 0; i < std::min(reasons.size(), kMostReasons); i++)
    add_part(
        doubt.reasons, "; ",
        reasons[i].first +
            (reasons[i].runs > 1 ? " (this or the like in " + text::amount(reasons[i].runs, "run") + ")" : " (1 run)"));
  if (reasons.size() > kMostReasons)
    doubt.reasons += "; and " + std::to_string(reasons.size() - kMostReasons) + " more";
  doubt.holds = doubt.doubtful > 0 && sides.size() > 1 && says_the_same_without_doubtful(metric, sides);
  return doubt;
}

std::vector<MeanRow> mean_rows(const std::vector<MetricComparison>& comparisons) {
  const auto mean = [](const MetricComparison& one, const std::vector<double>& values) -> std::optional<double> {
    if (values.empty()) return {};
    return has_geometric_means(*one.metric, {one.a, one.b}) ? geometric_mean_of(values) : analysis::mean_of(values);
  };
  std::map<text::Unit, text::Column> columns;
  for (const MetricComparison& one : comparisons) {
    const text::Unit unit = unit_of(*one.metric);
    text::Column& column = columns.try_emplace(unit, unit).first->second;
    column.add(mean(one, one.a));
    column.add(mean(one, one.b));
  }
  std::vector<MeanRow> rows;
  for (const MetricComparison& one : comparisons) {
    const text::Column& column = columns.at(unit_of(*one.metric));
    rows.push_back({.metric = column.head(std::string(one.metric->name)),
                    .a = column.text(mean(one, one.a)),
                    .b = column.text(mean(one, one.b))});
  }
  return rows;
}

}  // namespace n2nq::compare
