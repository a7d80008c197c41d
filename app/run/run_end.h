// Makes the processes of a run end: asks them, then terminates, then kills, each step once the patience with the one
// before it is over. UI thread; the caller brings the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/run/note_log.h"
#include "app/run/run_stage.h"
#include "app/run/stop_ladder.h"

namespace n2nq::run {

class RunEnd {
 public:
  using Rung = StopLadder::Rung;
  struct Patience {
    int64_t quiet_ns = 0;  // as of StopLadder
    int64_t term_ns = 0;
    int64_t exit_ns = 0;  // from the end of the run to that of its processes
  };

  RunEnd(RunStage& stage, Patience patience, TakeNote note);

  Rung rung() const { return ladder_.rung(); }
  bool begun() const { return rung() != Rung::none; }
  // Does what belongs to a rung that is above the one so far.
  void climb_to(Rung rung, int64_t now_ns);
  void kill_all(int64_t now_ns);
  // The rung that it is time for, if it is; never of the queue alone, which end_queue() sees to.
  std::optional<Rung> due(int64_t now_ns) const;
  void end_queue(int64_t now_ns);

  void moved(int64_t now_ns) { ladder_.moved(now_ns); }  // messages did
  // The run has come to its end: its processes are to exit by themselves.
  void await_exit(int64_t now_ns) { exit_deadline_ns_ = now_ns + patience_.exit_ns; }
  // Receivers go on with what waits in their lines: they may take longer.
  void served(int64_t now_ns);

  const std::vector<std::string>& had_to_end() const { return had_to_end_; }  // processes that did not when asked
  bool had_to_end(const std::string& name) const;

 private:
  void force(Role role, Rung rung);

  RunStage& stage_;
  Patience patience_;
  TakeNote note_;
  StopLadder ladder_;
  StopLadder queue_ladder_;  // of the queue, once no fleet is left that it could deliver to
  int64_t exit_deadline_ns_ = 0;
  std::vector<std::string> had_to_end_;
};

}  // namespace n2nq::run
