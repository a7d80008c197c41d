// Pauses the receivers of a run when its plan says so, and lets them go on; each is an event of the run. UI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/plan/run_plan.h"
#include "app/run/due_timer.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"

namespace n2nq::run {

class RunPauses {
 public:
  using Elapsed = std::function<std::optional<int64_t>()>;  // since BEGIN

  RunPauses(const plan::RunPlan& plan, const RunStage& stage, TakeNote note, Elapsed elapsed);

  // Before it is told to start: those that begin with the run must not take even the first message.
  void send_to(Worker& receivers) const;
  void begin();
  // Nobody pauses any more: all are to take what is left.
  void end();

 private:
  void make_due();
  void make(const plan::ReceiverChange& change, bool told_already);

  const RunStage& stage_;
  TakeNote note_;
  Elapsed elapsed_;
  DueTimer timer_;
  std::vector<plan::ReceiverChange> changes_;  // by time
  size_t next_ = 0;
  std::vector<control::ServiceSet> pausing_;  // of the windows that have begun
};

}  // namespace n2nq::run
