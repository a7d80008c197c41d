// Kills servers of the run when its plan says so, or when it is asked to. The queue process, which has started them,
// tells what came of it. UI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/run_plan.h"
#include "app/run/due_timer.h"
#include "app/run/run_stage.h"

namespace n2nq::run {

class RunKills {
 public:
  using Elapsed = std::function<std::optional<int64_t>()>;  // since BEGIN

  RunKills(const plan::RunPlan& plan, const RunStage& stage, Elapsed elapsed);

  void begin();
  // Nobody is killed any more: what was sent is to be delivered.
  void end();
  // Now; `server`: its number, from 1, or bus::kLeader.
  void kill(const std::string& server) const;

 private:
  void make_due();

  const RunStage& stage_;
  Elapsed elapsed_;
  DueTimer timer_;
  std::vector<bus::Kill> kills_;  // by time
  size_t next_ = 0;
};

}  // namespace n2nq::run
