#include "app/compare/side.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "app/compare/titles.h"
#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"
#include "broker/base/assert.h"
#include "broker/base/units.h"

namespace n2nq::compare {
namespace {

constexpr const char* kSideForm = "expected result numbers, such as 12,13,14 or 12-16";
constexpr std::array<std::string_view, 5> kOfNoMatter{"name", "senders.seed", "queue.seed", "receivers.seed", "limits"};

std::unexpected<Error> wrong(std::string_view text) {
  return fail("\"" + std::string(text) + "\": " + kSideForm);
}

Result<uint64_t> parse_number(std::string_view text) {
  const auto number = parse_whole(text);
  if (!number || *number == 0 || *number > INT64_MAX) return wrong(text);
  return number;
}

Result<void> add_range(std::vector<int64_t>& ids, std::string_view part) {
  const size_t dash = part.find('-');
  const auto first = parse_number(part.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : parse_number(part.substr(dash + 1));
  if (!first || !last || *last < *first) return wrong(part);
  if (*last - *first >= kMostRuns)
    return fail("\"" + std::string(part) + "\" is more than " + std::to_string(kMostRuns) + " results");
  for (uint64_t id = *first; id <= *last; id++) {
    const auto wanted = static_cast<int64_t>(id);
    if (std::ranges::find(ids, wanted) != ids.end())
      return fail("result #" + std::to_string(id) + " is listed twice: each counts once");
    ids.push_back(wanted);
  }
  return {};
}

std::string hash(int64_t id) {
  return "#" + std::to_string(id);
}

std::vector<size_t> places_of(std::span<const RunRecord> runs) {
  std::vector<size_t> places(runs.size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

// Taken in this order; beyond so many sides there is none.
Assignment by_plan(std::span<const RunRecord> runs, const std::vector<size_t>& order, size_t most) {
  Assignment sides(runs.size());
  std::vector<plan::RunPlan> plans;
  for (const size_t i : order) {
    plan::RunPlan plan = record::plan_as_run(runs[i]);
    const auto same = std::ranges::find_if(plans, [&](const auto& one) { return unlike_fields(one, plan).empty(); });
    const auto side = static_cast<size_t>(same - plans.begin());
    if (side == most) continue;
    if (same == plans.end()) plans.push_back(std::move(plan));
    sides[i] = side;
  }
  return sides;
}

}  // namespace

bool counts(record::Verdict verdict) {
  return verdict == record::Verdict::passed || verdict == record::Verdict::lost_allowed ||
         verdict == record::Verdict::exceeded;
}

bool failed(record::Verdict verdict) {
  return verdict == record::Verdict::failed || verdict == record::Verdict::limit;
}

Result<std::vector<int64_t>> parse_results(std::string_view text) {
  std::vector<int64_t> ids;
  while (true) {
    const size_t comma = text.find(',');
    if (auto added = add_range(ids, text.substr(0, comma)); !added) return std::unexpected(added.error());
    if (ids.size() > kMostRuns) return fail("more than " + std::to_string(kMostRuns) + " results");
    if (comma == std::string_view::npos) return ids;
    text.remove_prefix(comma + 1);
  }
}

std::string results_text(std::vector<int64_t> ids) {
  constexpr size_t kFew = 2;  // are said one by one
  std::ranges::sort(ids);
  std::string text;
  for (size_t i = 0; i < ids.size();) {
    size_t last = i;
    while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) last++;
    if (last < i + kFew) last = i;
    text += (text.empty() ? "#" : ", #") + std::to_string(ids[i]);
    if (last > i) text += " to #" + std::to_string(ids[last]);
    i = last + 1;
  }
  return text;
}

std::optional<int64_t> in_both(std::span<const int64_t> a, std::span<const int64_t> b) {
  const auto found = std::ranges::find_first_of(a, b);
  return found == a.end() ? std::nullopt : std::optional(*found);
}

bool tells_apart(const plan::PlanField& field) {
  return std::ranges::find(kOfNoMatter, field.key) == kOfNoMatter.end();
}

std::vector<const plan::PlanField*> unlike_fields(const plan::RunPlan& a, const plan::RunPlan& b) {
  std::vector<const plan::PlanField*> found;
  for (const plan::PlanField& field : plan::plan_fields()) {
    if (!tells_apart(field) || plan::is_idle(field, a) || plan::is_idle(field, b)) continue;
    if (plan::text_of(field, a) != plan::text_of(field, b)) found.push_back(&field);
  }
  return found;
}

std::vector<const plan::PlanField*> own_fields(const plan::RunPlan& plan, const plan::RunPlan& other) {
  const plan::RunPlan initial;
  plan::RunPlan usual;  // by the profile
  usual.bus.kind = plan.bus.kind;
  const auto profile = plan.bus.settings.find("profile");
  if (profile != plan.bus.settings.end()) usual.bus.settings.insert(*profile);
  std::vector<const plan::PlanField*> found;
  for (const plan::PlanField& field : plan::plan_fields()) {
    if (!tells_apart(field) || plan::is_idle(field, plan) || !plan::is_idle(field, other)) continue;
    const plan::RunPlan& unchosen = field.key == "bus.profile" ? initial : usual;
    if (plan::text_of(field, plan) != plan::text_of(field, unchosen)) found.push_back(&field);
  }
  return found;
}

std::vector<std::string> differences(const plan::RunPlan& a, const plan::RunPlan& b) {
  std::vector<std::string> found;
  for (const plan::PlanField* field : unlike_fields(a, b))
    found.push_back(std::string(field->key) + ": " + plan::told(plan::text_of(*field, a)) + " | " +
                    plan::told(plan::text_of(*field, b)));
  return found;
}

Result<void> add_run(Side& side, record::RunRecord run) {
  if (!counts(run.verdict)) {
    if (!side.first_left_out) {
      side.first_left_out = run.id;
      side.plan_left_out = record::plan_as_run(run);
    }
    side.left_out.push_back(hash(run.id) + " " + to_text(run.verdict) + (run.reason.empty() ? "" : ": " + run.reason));
    if (failed(run.verdict)) side.failed.push_back(std::move(run));
    return {};
  }
  if (!side.runs.empty()) {
    const auto unlike = differences(record::plan_as_run(side.runs.front()), record::plan_as_run(run));
    if (!unlike.empty())
      return fail("results " + hash(side.runs.front().id) + " and " + hash(run.id) +
                  " are not repeats of each other: " + unlike.front() +
                  (unlike.size() > 1 ? ", and " + std::to_string(unlike.size() - 1) + " more" : ""));
  }
  side.runs.push_back(std::move(run));
  return {};
}

Result<Side> load_side(const std::string& name, const std::vector<int64_t>& ids, const LoadRun& load) {
  Side side{.name = name};
  for (const int64_t id : ids) {
    auto run = load(id);
    if (!run) return std::unexpected(run.error());
    if (auto added = add_run(side, std::move(*run)); !added) return std::unexpected(added.error());
  }
  return side;
}

std::string to_text(const Side& side) {
  std::vector<int64_t> ids;
  for (const RunRecord& run : side.runs) ids.push_back(run.id);
  return side.name + ": " +
         (ids.empty() ? "no runs that count" : side.runs.front().plan.name + " (" + results_text(std::move(ids)) + ")");
}

Result<plan::PlanFile> plan_of_sides(std::span<const Side> sides) {
  std::vector<const Side*> with_runs;
  for (const Side& side : sides)
    if (!side.runs.empty()) with_runs.push_back(&side);
  if (with_runs.size() < 2) return fail("there are not two sides with runs");
  plan::PlanFile file{.base = with_runs.front()->runs.front().plan, .runs = {}};
  for (const Side* side : with_runs) {
    const plan::RunPlan& plan = side->runs.front().plan;
    plan::Overrides& changes = file.runs.emplace_back();
    for (const plan::PlanField& field : plan::plan_fields()) {
      std::string value = plan::text_of(field, plan);
      if (!plan::is_idle(field, plan) && value != plan::text_of(field, file.base))
        changes.push_back({.key = std::string(field.key), .value = std::move(value)});
    }
  }
  const auto runs = plan::runs_of(file);
  if (!runs) return std::unexpected(runs.error());
  for (size_t i = 0; i < with_runs.size(); i++)
    if (!unlike_fields((*runs)[i], with_runs[i]->runs.front().plan).empty())
      return fail("\"" + with_runs[i]->name + "\" cannot be told as changes of \"" + with_runs[0]->name + "\"");
  return file;
}

Assignment sides_by_plan(std::span<const record::RunRecord> runs) {
  std::vector<size_t> order = places_of(runs);
  std::ranges::stable_sort(order, {}, [&](size_t i) { return runs[i].started_utc_ns; });
  return by_plan(runs, order, kMostSides);
}

std::vector<Side> sides_of(std::span<const record::RunRecord> runs) {
  auto sides = make_sides(runs, by_plan(runs, places_of(runs), runs.size()));
  N2NQ_ASSERT(sides);
  return std::move(*sides);
}

Result<std::vector<Side>> make_sides(std::span<const record::RunRecord> runs, const Assignment& sides) {
  std::vector<Side> made;
  for (size_t i = 0; i < runs.size(); i++) {
    if (!sides[i]) continue;
    while (made.size() <= *sides[i]) made.emplace_back();
    if (auto added = add_run(made[*sides[i]], runs[i]); !added) return std::unexpected(added.error());
  }
  const std::vector<std::string> names = names_of(made);
  for (size_t i = 0; i < made.size(); i++) made[i].name = names[i];
  return made;
}

}  // namespace n2nq::compare
