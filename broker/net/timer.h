// A timer on an event loop: one descriptor, armed with absolute times of CLOCK_MONOTONIC. Thread: the loop's.
// `on_due` may arm and disarm, but must not destroy the timer that calls it.
#pragma once

#include <cstdint>
#include <functional>

#include "broker/net/event_loop.h"

namespace n2nq::net {

class Timer final : public EventLoop::Handler {
 public:
  Timer(EventLoop& loop, std::function<void()> on_due);
  ~Timer() override;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // Once, at `when_ns`; a time in the past fires at once. Arming again replaces what was armed.
  void arm_at(int64_t when_ns);
  void arm_now() { arm_at(1); }  // fires in the next turn of the loop
  void every(int64_t period_ns);
  void disarm();

 private:
  void on_events(uint32_t events) override;
  void set(int64_t first_ns, int64_t period_ns, int flags);

  EventLoop& loop_;
  std::function<void()> on_due_;
  Fd fd_;
};

}  // namespace n2nq::net
