// How many bytes of telemetry may go out now, so that in any second a worker sends at most 256 KiB. One thread; the
// caller brings the time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace n2nq::control {

class LineBudget {
 public:
  static constexpr size_t kBytesPerSecond = 256 * 1024;  // in any second, the largest line included
  static constexpr size_t kLargestLine = 56 * 1024;

  explicit LineBudget(size_t bytes_per_s = kBytesPerSecond, size_t largest_line = kLargestLine)
      : refill_per_s_(bytes_per_s - largest_line), largest_line_(largest_line), available_(largest_line) {}

  size_t available(int64_t now_ns);
  void spend(size_t bytes) { available_ -= bytes < available_ ? bytes : available_; }
  size_t largest_line() const { return largest_line_; }

 private:
  size_t refill_per_s_;
  size_t largest_line_;
  size_t available_;
  int64_t refilled_ns_ = 0;
  bool started_ = false;
};

}  // namespace n2nq::control
