#include "workers/bus/stream/stream_loop.h"

#include <algorithm>

#include "workers/measure/clock.h"

namespace n2nq::bus {

StreamLoop::StreamLoop(const LoopParts& parts)
    : events_(parts.events),
      clock_(parts.clock),
      sockets_(parts.sockets),
      number_(parts.number),
      read_buffer_(std::make_unique_for_overwrite<uint8_t[]>(kReadBytes)),
      soon_timer_(parts.events,
                  [this] {
                    soon_armed_ = false;
                    ring();
                  }),
      later_timer_(parts.events, [this] { ring(); }) {}

void StreamLoop::bury(std::unique_ptr<Mortal> dead) {
  dead_.push_back(std::move(dead));
  arm();
}

void StreamLoop::arm() {
  if (soon_armed_) return;
  soon_armed_ = true;
  soon_timer_.arm_now();
}

void StreamLoop::ring() {
  // Who dies in the calls below is destroyed in the next turn.
  dead_now_.swap(dead_);
  dead_now_.clear();
  soon_now_.swap(soon_);
  for (size_t i = 0; i < soon_now_.size(); i++) {
    Alarm* alarm = soon_now_[i];
    if (alarm == nullptr) continue;  // cancelled meanwhile
    alarm->state_ = Alarm::State::off;
    soon_now_[i] = nullptr;
    alarm->call_();
  }
  soon_now_.clear();
  const int64_t now = measure::now_ns();
  while (!later_.empty() && later_.begin()->first <= now) {
    Alarm* alarm = later_.begin()->second;
    later_.erase(later_.begin());
    alarm->state_ = Alarm::State::off;
    alarm->call_();
  }
  if (!later_.empty()) later_timer_.arm_at(later_.begin()->first);
}

void Alarm::set_soon() {
  if (state_ == State::soon) return;
  cancel();
  state_ = State::soon;
  loop_.soon_.push_back(this);
  loop_.arm();
}

void Alarm::set_in(int64_t ns) {
  cancel();
  state_ = State::later;
  when_ns_ = measure::now_ns() + ns;
  loop_.later_.emplace(when_ns_, this);
  if (loop_.later_.begin()->second == this) loop_.later_timer_.arm_at(when_ns_);
}

void Alarm::cancel() {
  if (state_ == State::later) loop_.later_.erase({when_ns_, this});
  if (state_ == State::soon) {
    std::ranges::replace(loop_.soon_, this, nullptr);
    std::ranges::replace(loop_.soon_now_, this, nullptr);
  }
  state_ = State::off;
}

}  // namespace n2nq::bus
