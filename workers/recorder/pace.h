// How often something may be done that must not take more than a share of a core. One thread.
#pragma once

#include <cstdint>
#include <utility>

#include "broker/base/clock.h"

namespace n2nq::recorder {

class Pace {
 public:
  bool due() const { return now_ns() >= due_ns_; }
  // Does it; what took long is not due again before long.
  template <class Deed>
  void run(Deed&& deed) {
    const int64_t before_ns = read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    std::forward<Deed>(deed)();
    due_ns_ = now_ns() + kTimesAsLong * (read_clock_ns(CLOCK_THREAD_CPUTIME_ID) - before_ns);
  }

 private:
  static constexpr int64_t kTimesAsLong = 250;  // 0.4 % of a core

  int64_t due_ns_ = 0;
};

}  // namespace n2nq::recorder
