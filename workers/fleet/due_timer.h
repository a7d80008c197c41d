// When each service of a loop is to be called next, with one timer for all of them. An entry stays until its time
// comes: whom it no longer concerns knows so. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>

#include "broker/net/timer.h"
#include "workers/measure/pacer.h"
#include "workers/measure/worker_clock.h"

namespace n2nq::fleet {

class DueTimer {
 public:
  using Call = std::function<void(const measure::DueQueue::Due&)>;

  // `call` may push.
  DueTimer(net::EventLoop& loop, const measure::WorkerClock& clock, size_t services, Call call)
      : clock_(clock), call_(std::move(call)), timer_(loop, [this] {
          armed_for_ns_ = measure::DueQueue::kNever;
          const int64_t now_ns = clock_.now();
          while (const auto due = due_.pop_due(now_ns)) call_(*due);
        }) {
    due_.reserve(services * 2);
  }

  void push(int64_t due_ns, uint32_t slot) { due_.push(due_ns, slot); }
  // At the end of each turn of the event loop.
  void turn_end() {
    const int64_t next_ns = due_.next_due();
    if (next_ns == armed_for_ns_ || next_ns == measure::DueQueue::kNever) return;
    armed_for_ns_ = next_ns;
    timer_.arm_at(clock_.to_machine(next_ns));
  }

 private:
  const measure::WorkerClock& clock_;
  Call call_;
  measure::DueQueue due_;
  int64_t armed_for_ns_ = measure::DueQueue::kNever;
  net::Timer timer_;
};

}  // namespace n2nq::fleet
