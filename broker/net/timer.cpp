#include "broker/net/timer.h"

#include <sys/timerfd.h>

#include <algorithm>

#include "broker/base/assert.h"

namespace n2nq::net {
namespace {

timespec to_timespec(int64_t ns) {
  return {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
}

}  // namespace

Timer::Timer(EventLoop& loop, std::function<void()> on_due)
    : loop_(loop), on_due_(std::move(on_due)), fd_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)) {
  N2NQ_ASSERT(fd_.valid());
  loop_.add(fd_.get(), EPOLLIN | EPOLLET, this);
}

Timer::~Timer() {
  loop_.remove(fd_.get(), this);
}

void Timer::arm_at(int64_t when_ns) {
  set(std::max<int64_t>(when_ns, 1), 0, TFD_TIMER_ABSTIME);
}
void Timer::every(int64_t period_ns) {
  N2NQ_ASSERT(period_ns > 0);
  set(period_ns, period_ns, 0);
}
void Timer::disarm() {
  set(0, 0, 0);
}

void Timer::set(int64_t first_ns, int64_t period_ns, int flags) {
  const itimerspec spec{.it_interval = to_timespec(period_ns), .it_value = to_timespec(first_ns)};
  N2NQ_ASSERT(::timerfd_settime(fd_.get(), flags, &spec, nullptr) == 0);
}

void Timer::on_events(uint32_t) {
  // Reading tells a true expiry from one that was replaced in the same turn.
  uint64_t expirations = 0;
  if (::read(fd_.get(), &expirations, sizeof expirations) == sizeof expirations) on_due_();
}

}  // namespace n2nq::net
