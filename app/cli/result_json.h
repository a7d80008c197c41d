// What `n2nq-bench run --json` prints and results.json holds: one object with the verdict over all runs and what each
// came to. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/judged_conditions.h"
#include "app/figures/waiting.h"
#include "app/record/run_record.h"

namespace n2nq::cli {

struct BenchResult {
  record::Verdict verdict = record::Verdict::failed;
  std::string reason{};
  std::vector<record::RunRecord> runs{};
  std::vector<JudgedConditions> conditions{};  // of each run; none where none were given
};

// The worst of the runs; `interrupted`: a signal came, and runs may be missing.
BenchResult result_of(std::vector<record::RunRecord> runs, bool interrupted);
void judge_runs(BenchResult& result, const std::vector<compare::Condition>& conditions);

// What theory says, model by model; the plan's own is marked.
nlohmann::ordered_json models_json(const figures::Waiting& waiting);

std::string to_json(const BenchResult& result);  // one line, without its end

}  // namespace n2nq::cli
