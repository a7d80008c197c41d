// A comparison as people read it, and as scripts do (docs/headless.md). Pure; any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/compare/comparison.h"
#include "app/compare/condition.h"

namespace n2nq::cli {

struct CompareResult {
  compare::Side a{}, b{};
  std::vector<compare::MetricComparison> metrics{};
  std::vector<std::string> remarks{};
  std::vector<std::pair<compare::Condition, compare::Judgement>> conditions{};
};

// Met before unknown before not met; without conditions: not met.
compare::Outcome outcome_of(const CompareResult& result);

std::string to_table(const CompareResult& result);
std::string to_json(const CompareResult& result);  // one line, without its end
// Where there was nothing to compare: the same form, with why.
std::string failure_json(const std::string& reason);

}  // namespace n2nq::cli
