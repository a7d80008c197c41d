// The conditions of --fail-if with what became of each, as people and scripts read it. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "app/compare/condition.h"

namespace n2nq::cli {

struct JudgedCondition {
  compare::Condition condition{};
  compare::Judgement judgement{};
};
using JudgedConditions = std::vector<JudgedCondition>;

// Met before unknown before not met; without conditions: not met.
compare::Outcome outcome_of(const JudgedConditions& conditions);
BenchExit exit_code_of(compare::Outcome outcome);

std::string to_line(const JudgedCondition& one);  // "FAILED  p99 > 5ms: the run has 5.2 ms"
nlohmann::ordered_json to_json(const JudgedConditions& conditions);

}  // namespace n2nq::cli
