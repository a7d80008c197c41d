// The file in which the last plan outlives a restart: the plan, which file it came from, and filters that were edited
// for it and are not in it yet. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/plan/plan_file.h"

namespace n2nq::plan {

struct KeptPlan {
  PlanFile file{};
  std::string path{};  // of the file it was opened from or saved to; empty: none
  std::optional<std::vector<ReceiverFilter>> draft{};
  bool operator==(const KeptPlan&) const = default;
};

std::string to_json(const KeptPlan& kept);
// A plan file by itself will do too.
Result<KeptPlan> parse_kept_plan(std::string_view json);

// Moves a file that cannot be read out of the way; its new name, or nothing if it could not be moved.
std::string put_aside(const std::string& path);

}  // namespace n2nq::plan
