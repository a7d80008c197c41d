// How long a test waits for an event before it calls it a failure. Sanitizer builds get more; N2NQ_TEST_PATIENCE
// multiplies for a slow machine. A deadline is never a pause: whoever waits with one goes on as soon as the event is
// there.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace n2nq::test {

using namespace std::chrono_literals;

#ifdef N2NQ_SANITIZED
inline constexpr int kSanitizerPatience = 6;
#else
inline constexpr int kSanitizerPatience = 1;
#endif

inline int patience() {
  const char* asked = std::getenv("N2NQ_TEST_PATIENCE");
  return kSanitizerPatience * std::max(1, asked ? std::atoi(asked) : 1);
}

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  // Implicit on purpose: `wait_exit(10s)` reads as what it is.
  template <typename Rep, typename Period>
  Deadline(std::chrono::duration<Rep, Period> from_now) : at_(Clock::now() + from_now * patience()) {}  // NOLINT

  // For windows in which nothing may happen: those need no patience.
  static Deadline window(std::chrono::milliseconds from_now) {
    Deadline deadline(0ms);
    deadline.at_ = Clock::now() + from_now;
    return deadline;
  }

  bool passed() const { return Clock::now() >= at_; }
  int poll_ms() const {
    auto left = std::chrono::ceil<std::chrono::milliseconds>(at_ - Clock::now()).count();
    return static_cast<int>(std::clamp<long long>(left, 0, 600'000));
  }

 private:
  Clock::time_point at_;
};

}  // namespace n2nq::test
