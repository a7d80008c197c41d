// Which files of this user plans may send where. A plan may come from anybody, and names files to read and addresses to
// send to: what would leave this computer so has to be allowed, once for each file and destination, or lie beside the
// plan. What was allowed is kept in a file of this user alone. One thread.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/plan/run_plan.h"
#include "broker/base/result.h"

namespace n2nq::plan {

// A file that a run of the plan reads, and one of the places to which it may send what is in it.
struct Reach {
  std::string key{};   // of the field that names the file
  std::string file{};  // without links; "ask": a password that is typed
  std::string to{};
  bool operator==(const Reach&) const = default;
};

// What of a plan the user has said, and where the rest comes from.
struct PlanOrigin {
  std::string file{};                // of the plan; what lies beside it, or below, came with it. Empty: none
  std::set<std::string> own_keys{};  // fields that the user has set
};

// The fields that hold in each of these runs what they hold in none of those that came: the user has set them here.
std::set<std::string> keys_set_here(std::span<const RunPlan> runs, std::span<const RunPlan> came);

// Of all fields (PlanField::reads and sends_to) but those that the user has set.
std::vector<Reach> reaches_of(const RunPlan& plan, const std::set<std::string>& own_keys = {});
// "senders.payload: /home/me/notes would be sent to 10.0.0.5:6379"
std::string to_text(const Reach& reach);

class Permissions {
 public:
  Permissions() = default;  // kept nowhere
  explicit Permissions(std::string path);

  // What is not allowed yet, each once.
  std::vector<Reach> missing(std::span<const RunPlan> plans, const PlanOrigin& origin = {}) const;
  // From now on. The error says why it is not kept; it is in force anyway.
  Result<void> allow(std::span<const Reach> reaches);
  void allow_file(const std::string& path);  // wherever it goes
  // All that these plans reach, but for what lacks a permission: for later, when nobody knows where they come from. The
  // same error as of allow().
  Result<void> keep(std::span<const RunPlan> plans, const PlanOrigin& origin);

 private:
  void load();
  bool allows(const Reach& reach) const;

  std::string path_;
  std::set<std::pair<std::string, std::string>> pairs_;  // file, destination
  std::set<std::string> files_;                          // of allow_file()
};

}  // namespace n2nq::plan
