// The one clock of the bench.
#pragma once

#include <cstdint>
#include <ctime>

namespace n2nq::bench {

inline int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

}  // namespace n2nq::bench
