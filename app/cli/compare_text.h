// A comparison as people read it, and as scripts do (docs/headless.md). Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/cli/judged_conditions.h"
#include "app/compare/comparison.h"

namespace n2nq::cli {

struct CompareResult {
  compare::Side a{}, b{};
  std::vector<compare::MetricComparison> metrics{};
  std::vector<std::string> remarks{};
  JudgedConditions conditions{};
};

std::string to_table(const CompareResult& result);
std::string to_json(const CompareResult& result);  // one line, without its end
// Where there was nothing to compare: the same form, with why.
std::string failure_json(const std::string& reason);

}  // namespace n2nq::cli
