// How busy all other programs keep this computer, by what the kernel counts from one look to the next. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace n2nq::place {

struct Busy {
  double cores = 0;  // busy, on average
  double of = 0;     // that there are
};

class OthersLoad {
 public:
  // Nothing at the first look, and where it is less than half a second after the one before: the kernel counts in
  // steps.
  std::optional<Busy> look();

 private:
  struct Reading {
    uint64_t programs_ticks = 0, interrupts_ticks = 0, unused_ticks = 0;
    uint64_t processors = 0;
    std::chrono::nanoseconds own{};  // of this process
    std::chrono::steady_clock::time_point at{};
  };
  static std::optional<Reading> read();

  std::optional<Reading> last_;
};

}  // namespace n2nq::place
