// Kills servers of the run when its plan says so. Whoever has started them tells what came of it. UI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/run_plan.h"
#include "app/run/due_timer.h"

namespace n2nq::run {

class RunKills {
 public:
  using Elapsed = std::function<std::optional<int64_t>()>;  // since BEGIN

  using Kill = std::function<void(const std::string& server)>;  // its number, from 1, or bus::kLeader

  RunKills(const plan::RunPlan& plan, Kill kill, Elapsed elapsed);

  void begin();
  // Nobody is killed any more: what was sent is to be delivered.
  void end();

 private:
  void make_due();

  Kill kill_;
  Elapsed elapsed_;
  DueTimer timer_;
  std::vector<bus::Kill> kills_;  // by time
  size_t next_ = 0;
};

}  // namespace n2nq::run
