// What `n2nq-bench run --json` prints and results.json holds: one object with the verdict over all runs and what each
// came to. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/cli/judged_conditions.h"
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

std::string to_json(const BenchResult& result);  // one line, without its end

}  // namespace n2nq::cli
