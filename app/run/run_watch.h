// Notices what only time tells of a run: that it does not begin, that processes are silent, hang or cannot reach the
// queue, and that nothing moves. UI thread; the caller brings the time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/live/warnings.h"
#include "app/plan/run_plan.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"
#include "app/run/session_options.h"
#include "app/run/verdict.h"

namespace n2nq::run {

class RunWatch {
 public:
  RunWatch(const plan::RunPlan& plan, const SessionOptions& options, const RunStage& stage,
           const live::LiveFigures& live, TakeNote note);

  // The time to join begins: something was started, or an examination is over.
  void joining(int64_t now_ns) { joining_since_ns_ = now_ns; }
  bool begins_late(int64_t now_ns) const;
  // Since the last call: whether messages were sent or received, and whether receivers have served any.
  bool moved(int64_t now_ns);
  bool served();
  // In the run's log, of each process once, until it is heard of again: at the time when it was heard of last, and then
  // at that when it was heard of again.
  void note_silence(int64_t now_ns);
  // Of each that is silent now, for how long it has been.
  std::vector<live::LiveWarning> silences(int64_t now_ns) const;
  // The queue sends nothing by itself for as long as all is well.
  void ask_queue(int64_t now_ns);
  // Before the run: why some process elsewhere cannot take part, if so. Asked again and again.
  std::optional<Failure> unreachable(int64_t now_ns);
  // In a run that has begun then: what hangs, if something does. `sending`: the senders have not said all.
  std::optional<Failure> hanging(int64_t begun_ns, bool sending, int64_t now_ns) const;

  // Whether any of its services has, as far as it is known.
  bool joined_any(const Worker& worker) const;
  const std::string& better_queue_host() const { return better_queue_host_; }  // where some could not reach the queue

 private:
  bool is_far(const Worker& worker) const;
  std::string unreachable_text(const Worker& worker);
  std::string advice_text(const std::string& host);
  int64_t survival_ns() const;  // of what was cut off

  const plan::RunPlan& plan_;
  const SessionOptions& options_;
  const RunStage& stage_;
  const live::LiveFigures& live_;
  TakeNote note_;
  int64_t patience_ns_;                              // longer than anything in the plan may keep a healthy run still
  std::map<const Worker*, int64_t> silent_;          // since when
  std::map<const Worker*, int64_t> tries_since_ns_;  // to reach the queue
  int64_t joining_since_ns_ = 0;
  int64_t queue_asked_ns_ = 0;
  int64_t looked_ns_ = 0;
  uint64_t served_so_far_ = 0;  // messages, by receivers with a service time
  uint64_t moved_so_far_ = 0;
  int64_t last_moved_ns_ = 0;
  std::string better_queue_host_;
};

// How long the queue, or another bus, may keep a run still in which some receiver takes nothing.
int64_t still_ns(const plan::RunPlan& plan);

}  // namespace n2nq::run
