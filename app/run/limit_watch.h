// Judges the limits of a plan while its run goes on: once a second, on the figures of one instant, after warm-up; and
// once more at the end, on those that are known only then. UI thread; the caller brings the time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/plan/run_plan.h"
#include "app/run/note_log.h"

namespace n2nq::run {

// How a figure of the plan's limits stands, as it was judged last.
struct LimitState {
  plan::RunLimit limit{};
  std::optional<double> value{};                // nothing: it was not judged yet
  bool known_for_a_while = false;               // and not to the end
  bool beyond = false;                          // now
  std::optional<record::PassedLimit> passed{};  // the first time that it was
};

class LimitWatch {
 public:
  LimitWatch(const plan::RunPlan& plan, const live::LiveFigures& live, record::RunRecord& record, TakeNote note);

  // While messages are sent or delivered; `sending`: all senders still send. The passed limit that ends the run.
  std::optional<record::PassedLimit> judge(int64_t now_ns, int64_t since_begin_ns, bool sending);
  // The record is complete but for its verdict. Limits that could not be judged at any time are doubts of it.
  void judge_whole_run();

  std::span<const LimitState> states() const { return states_; }

 private:
  bool can_be_judged(const plan::RunLimit& limit, bool sending) const;
  bool take(LimitState& state, double value, std::optional<int64_t> since_begin_ns, bool stops);
  std::optional<std::string> lacks_values(const plan::RunLimit& limit) const;
  std::string why_unjudged(const LimitState& state) const;
  void doubt_unjudged();

  const plan::RunPlan& plan_;
  const live::LiveFigures& live_;
  record::RunRecord& record_;
  TakeNote note_;
  std::vector<LimitState> states_;
  int64_t next_ns_ = 0;
};

}  // namespace n2nq::run
