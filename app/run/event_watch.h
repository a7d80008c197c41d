// Notices what happens in a run without anybody saying so: senders that are paused or go on, and a clock that is set.
// UI thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/live/live_figures.h"
#include "app/run/note_log.h"

namespace n2nq::run {

class EventWatch {
 public:
  // Between two samples clocks are apart by no more than what disciplines them; more is a step.
  static constexpr int64_t kLeastStepNs = 50'000'000;
  static constexpr int64_t kMostApartNs = 5'000'000;  // of the clocks of one sample; else they say nothing of a step

  EventWatch(const live::LiveFigures& live, TakeNote note) : live_(live), note_(std::move(note)) {}

  // Of the bench's own computer: the time of day, and the monotonic time right before and after it was read.
  struct Clocks {
    int64_t before_ns = 0;
    int64_t wall_ns = 0;
    int64_t after_ns = 0;
  };
  static Clocks read_clocks();
  // Now and then.
  void sample(const Clocks& clocks);

 private:
  void look_for_pauses();
  void look_for_step(int64_t apart_ns);

  const live::LiveFigures& live_;
  TakeNote note_;
  std::vector<bool> paused_{};         // by sender
  std::optional<int64_t> apart_ns_{};  // the time of day from the other
};

}  // namespace n2nq::run
