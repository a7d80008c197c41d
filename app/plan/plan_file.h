// A plan on disk: {"version": 1, "base": {...}, "runs": [{overrides}, ...]}. A plan of several runs is one base and
// what each run has different. Errors name the field and what it takes. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plan/run_plan.h"

namespace n2nq::plan {

// What one run has different from the base: keys and values in their text form, in order ("queue.mode",
// "load-balancer").
struct Override {
  std::string key{};
  std::string value{};
  bool operator==(const Override&) const = default;
};
using Overrides = std::vector<Override>;
void put_in_order(Overrides& run);  // of plan_fields(), as files have them

struct PlanFile {
  RunPlan base{};
  std::vector<Overrides> runs{};  // empty: one run, the base as it is
  bool operator==(const PlanFile&) const = default;
};

// The runs with their overrides applied; at least one. The error names the run and the field.
Result<std::vector<RunPlan>> runs_of(const PlanFile& file);
Result<RunPlan> run_of(const RunPlan& base, const Overrides& run);  // one of them; the error names the field

// "queue.mode=load-balancer" for every run, whatever a run's own changes say of that field.
Result<void> set_in_all_runs(PlanFile& file, std::string_view assignment);

// Schema check included: unknown fields, wrong types, values out of range, an unknown version.
Result<PlanFile> parse_plan_file(std::string_view json);
std::string to_json(const PlanFile& file);
Result<PlanFile> read_plan_file(const std::string& path);
// Through a temporary file and a rename: what was there stays whole if the disk is full.
Result<void> write_plan_file(const std::string& path, const PlanFile& file);

// One plan as a JSON object, as results store it; and back.
std::string plan_to_json(const RunPlan& plan);
Result<RunPlan> plan_from_json(std::string_view json);
// That of a result, which has with it what its files had in them: one that has not was not written by a bench, and
// would read files of whoever looks at it.
Result<RunPlan> stored_plan_from_json(std::string_view json);
Result<void> check_stored_plan(const RunPlan& plan);

// Overrides as such an object: {"queue": {"mode": "load-balancer"}}; and back.
std::string overrides_to_json(const Overrides& overrides);
Result<Overrides> overrides_from_json(std::string_view json);

// "queue.mode=broadcaster | queue.mode=load-balancer, senders.count=5": the runs as a person edits them in one line.
// A run without changes is "base"; a value with a comma or a bar in it stands in "quotes".
std::string to_text(const std::vector<Overrides>& runs);
Result<std::vector<Overrides>> parse_runs(std::string_view text, const RunPlan& base);

}  // namespace n2nq::plan
