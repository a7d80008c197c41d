// One side of a comparison: the repeats of one plan, by their numbers in the store of results. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/plan/plan_fields.h"
#include "app/plan/plan_file.h"
#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::compare {

inline constexpr size_t kMostRuns = 1000;

// "12,13,20-24", each number once; the error says what it takes.
Result<std::vector<int64_t>> parse_results(std::string_view text);
// "#12 to #20, #24"
std::string results_text(std::vector<int64_t> ids);
// A result compared with itself says nothing.
std::optional<int64_t> in_both(std::span<const int64_t> a, std::span<const int64_t> b);

// Whether a run's figures count: it passed, or lost only what its plan allows.
bool counts(record::Verdict verdict);
bool failed(record::Verdict verdict);  // also where it is a limit that ended the run

struct Side {
  std::string name{};                            // "RabbitMQ", "10 senders"; on the command line "A"
  std::vector<record::RunRecord> runs{};         // whose figures count
  std::vector<std::string> left_out{};           // which results do not count, and why: "#13 failed: ..."
  std::optional<int64_t> first_left_out{};       // its id
  std::optional<plan::RunPlan> plan_left_out{};  // as that ran
  std::vector<record::RunRecord> failed{};       // of these, the ones that failed: for counts of what went wrong
};

// Runs that failed or were cut off are left out, and said so. The error: a result that cannot be loaded, or results
// that are not repeats of each other, with the fields that differ.
using LoadRun = std::function<Result<record::RunRecord>(int64_t id)>;
Result<Side> load_side(const std::string& name, const std::vector<int64_t>& ids, const LoadRun& load);

inline constexpr size_t kMostSides = 8;
// For each run the number of its side; nothing: it is not compared.
using Assignment = std::vector<std::optional<size_t>>;
// Repeats of one plan are a side, the first is that of the earliest run. Beyond kMostSides there is none.
Assignment sides_by_plan(std::span<const record::RunRecord> runs);
// Repeats of each plan as a side, of any number of plans, in the order of their first runs in this list.
std::vector<Side> sides_of(std::span<const record::RunRecord> runs);
// Named by what differs; a side in between may be empty. The error: results on one side that are not repeats of each
// other.
Result<std::vector<Side>> make_sides(std::span<const record::RunRecord> runs, const Assignment& sides);
// A plan whose runs are those of the sides that have any, in their order; the error says why they cannot be runs of one
// plan.
Result<plan::PlanFile> plan_of_sides(std::span<const Side> sides);
// Adds a run to a side, or to those left out; the error says why it is not a repeat of the others.
Result<void> add_run(Side& side, record::RunRecord run);
std::string to_text(const Side& side);  // "RabbitMQ: orders (#1 to #3)"

// Whether runs that have this setting different are not repeats of each other: not for names and seeds.
bool tells_apart(const plan::PlanField& field);
// What two plans have different. Names and the seeds, by which repeats may differ, are not looked at, and neither is
// what a run of one of them does without: then what it depends on is different, too.
std::vector<const plan::PlanField*> unlike_fields(const plan::RunPlan& a, const plan::RunPlan& b);
// Those that the other, over another bus or in another mode, has no place for, and that are not as they are initially.
std::vector<const plan::PlanField*> own_fields(const plan::RunPlan& plan, const plan::RunPlan& other);
// The same in words: "queue.mode: broadcaster | load-balancer".
std::vector<std::string> differences(const plan::RunPlan& a, const plan::RunPlan& b);

}  // namespace n2nq::compare
