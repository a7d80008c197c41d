// The clock with which a worker stamps, which can be made to disagree with the machine's on purpose (--clock-skew,
// --clock-drift), so that the way from one clock to another can be tested on one host. A value; any thread.
#pragma once

#include <cstdint>

#include "workers/measure/clock.h"

namespace n2nq::measure {

class WorkerClock {
 public:
  WorkerClock() = default;
  // Ahead of the machine's clock by `skew_ns`, and gaining `drift_ppm` millionths from `from_ns` on.
  WorkerClock(int64_t skew_ns, int64_t drift_ppm, int64_t from_ns)
      : skewed_(skew_ns != 0 || drift_ppm != 0), skew_ns_(skew_ns), drift_ppm_(drift_ppm), from_ns_(from_ns) {}

  int64_t now() const { return skewed_ ? from_machine(now_ns()) : now_ns(); }
  int64_t from_machine(int64_t machine_ns) const {
    return machine_ns + skew_ns_ + gain(static_cast<double>(machine_ns - from_ns_));
  }
  // The machine's time at which this clock shows `ns`.
  int64_t to_machine(int64_t ns) const {
    if (!skewed_) return ns;
    const int64_t undrifted = ns - skew_ns_;
    return undrifted - gain(static_cast<double>(undrifted - from_ns_) / (1.0 + static_cast<double>(drift_ppm_) * 1e-6));
  }
  // Whether it can be taken for the machine's clock, the one clock_id() speaks of.
  bool true_to_machine() const { return !skewed_; }

 private:
  int64_t gain(double elapsed_ns) const {
    return static_cast<int64_t>(elapsed_ns * static_cast<double>(drift_ppm_) * 1e-6);
  }

  bool skewed_ = false;
  int64_t skew_ns_ = 0;
  int64_t drift_ppm_ = 0;
  int64_t from_ns_ = 0;
};

}  // namespace n2nq::measure
