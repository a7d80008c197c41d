#include "app/run/event_watch.h"

#include <cstdlib>
#include <string>

#include "app/record/pauses.h"
#include "app/text/quantity.h"
#include "broker/base/clock.h"

namespace n2nq::run {

EventWatch::Clocks EventWatch::read_clocks() {
  const int64_t before_ns = n2nq::now_ns();
  const int64_t wall_ns = n2nq::wall_ns();
  return {.before_ns = before_ns, .wall_ns = wall_ns, .after_ns = n2nq::now_ns()};
}

void EventWatch::sample(const Clocks& clocks) {
  look_for_pauses();
  if (clocks.after_ns - clocks.before_ns > kMostApartNs) return;
  look_for_step(clocks.wall_ns - clocks.before_ns);
}

// One that ends while it is paused does not go on.
void EventWatch::look_for_pauses() {
  using State = live::ServiceState;
  const auto senders = live_.senders();
  paused_.resize(senders.size());
  size_t all_paused = 0;
  bool some_pause = false, some_resume = false;
  for (size_t i = 0; i < senders.size(); i++) {
    const bool is_paused = senders[i].state == State::paused;
    some_pause |= is_paused && !paused_[i];
    some_resume |= paused_[i] && senders[i].state == State::running;
    paused_[i] = is_paused;
    all_paused += is_paused;
  }
  if (some_pause) note_(record::pause_note(all_paused, senders.size()));
  if (some_resume) note_(record::resume_note(all_paused, senders.size()));
}

// A computer that slept shows the same: one of the two clocks stands still meanwhile.
void EventWatch::look_for_step(int64_t apart_ns) {
  const int64_t step_ns = apart_ns - apart_ns_.value_or(apart_ns);
  apart_ns_ = apart_ns;
  if (std::abs(step_ns) < kLeastStepNs) return;
  note_({.severity = record::Severity::warning,
         .text = "this computer's clock was set " + std::string(step_ns > 0 ? "forward" : "back") + " by " +
                 text::duration(static_cast<double>(std::abs(step_ns))) + (step_ns > 0 ? ", or it slept" : "") +
                 "; latencies are measured by clocks that are never set",
         .kind = record::EventKind::clock_step});
}

}  // namespace n2nq::run
