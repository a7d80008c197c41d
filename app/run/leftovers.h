// What a run may have left at a server of the user's own, as who was to remove it did not come to its end. UI thread.
#pragma once

#include <optional>
#include <string>

#include "app/plan/run_plan.h"
#include "app/run/worker.h"

namespace n2nq::run {

class Leftovers {
 public:
  // In the order in which they end. `joined`: a service of it had joined, and so may have made something there.
  void ended(const Worker& worker, bool joined);
  // For the run's log; nothing where all is removed.
  std::optional<std::string> text(const plan::RunPlan& plan, const std::string& run_id) const;

 private:
  bool lost_receiver_ = false;
  bool lost_last_ = false;
};

}  // namespace n2nq::run
