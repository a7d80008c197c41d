// Sends receivers away and lets them come, by the times of a plan or by what waits for them; each is an event of the
// run. UI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/plan/run_plan.h"
#include "app/run/due_timer.h"
#include "app/run/note_log.h"
#include "app/run/run_stage.h"

namespace n2nq::run {

class RunComings {
 public:
  using Elapsed = std::function<std::optional<int64_t>()>;  // since BEGIN

  RunComings(const plan::RunPlan& plan, const RunStage& stage, const live::LiveFigures& live, TakeNote note,
             Elapsed elapsed);

  // Before it is told to start. One that the bench has started knows it by its options.
  void send_to(Worker& receivers) const;
  void begin();
  // Everybody stays where it is.
  void end();

 private:
  void make_due();
  void look();
  void make(const plan::ReceiverChange& change, const std::string& why = {});
  void note(const plan::ReceiverChange& change, const std::string& why);
  std::optional<double> waiting() const;
  bool any_away(const control::ServiceSet& receivers) const;
  bool somebody_stays();

  const plan::ReceiverPlan& plan_;
  const RunStage& stage_;
  const live::LiveFigures& live_;
  TakeNote note_;
  Elapsed elapsed_;
  DueTimer timer_;
  bool told_ = false;
  std::vector<plan::ReceiverChange> changes_;  // one that begins sends away
  size_t next_ = 0;
  int64_t look_ns_ = 0;     // the next one
  std::vector<bool> away_;  // by receiver
};

}  // namespace n2nq::run
