// The two clocks of a process, and the identity that says whether two processes read the same one.
// Any thread; no state.
#pragma once

#include <ctime>

#include <cstdint>
#include <string>
#include <string_view>

namespace n2nq {

// Units of whatever counts nanoseconds.
inline constexpr int64_t kMs = 1'000'000;
inline constexpr int64_t kSecond = 1'000'000'000;

inline int64_t read_clock_ns(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<int64_t>(t.tv_sec) * kSecond + t.tv_nsec;
}

// Time for measuring: never steps; its origin is the boot of the machine.
inline int64_t now_ns() {
  return read_clock_ns(CLOCK_MONOTONIC);
}
// Time for people: nanoseconds since 1970 in UTC; may step.
inline int64_t wall_ns() {
  return read_clock_ns(CLOCK_REALTIME);
}

// Equal and nonzero in two processes exactly when their now_ns() can be compared; 0 when that cannot be known.
// A machine cloned while running keeps its boot id: such clones look alike.
uint64_t clock_id();

// What clock_id() is made of, for tests. Offsets are the text of /proc/self/timens_offsets, empty where unreadable.
uint64_t clock_id_from(std::string_view boot_id, std::string_view time_namespace, std::string_view offsets);

// "2026-01-31T12:34:56.123456Z", rounded down to so many decimals, 9 at most.
std::string utc_text(int64_t wall_ns, int decimals = 6);

}  // namespace n2nq
