// Runs that are compared, on their sides. Making one takes long for many runs, and is for a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/compare/side.h"
#include "app/store/store.h"

namespace n2nq::ui {

struct ShownComparison {
  // By their start, without what is not compared.
  std::shared_ptr<const std::vector<record::RunRecord>> runs = std::make_shared<const std::vector<record::RunRecord>>();
  compare::Assignment by_plan{};  // a run without a side is beyond the most
  compare::Assignment assignment{};
  std::vector<compare::Side> sides{};
  std::vector<std::string> remarks{};  // of each side beside the first, each once
};
using SharedComparison = std::shared_ptr<const ShownComparison>;

// With a connection of its own to the store; gives up where it is no longer wanted.
Result<SharedComparison> load_comparison(const std::string& store, const std::vector<int64_t>& ids,
                                         const std::function<bool()>& wanted);
// The same runs on other sides. The error: results on one side that are no repeats of each other.
Result<SharedComparison> put_on_sides(const ShownComparison& comparison, const compare::Assignment& assignment);

}  // namespace n2nq::ui
