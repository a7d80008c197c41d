// One histogram of all workers of a role: buckets add up as they come, moments are each worker's own since BEGIN. What
// a worker says against its own words is not taken. One thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "workers/control/telemetry.h"
#include "workers/measure/histogram.h"

namespace n2nq::live {

class MergedHistogram {
 public:
  // False when it cannot be: more values in buckets than there are, no such bucket, a count that fell. Then nothing
  // of it was taken.
  bool take(uint32_t worker, const control::HistogramDelta& delta);

  // Its count is that of the buckets that have come, which may lag a little behind what the workers counted.
  const measure::Histogram& histogram() const& { return histogram_; }
  measure::Histogram histogram() && { return std::move(histogram_); }

 private:
  struct Part {
    uint64_t announced = 0;  // values that the worker says there are
    uint64_t counted = 0;    // of them in buckets
    measure::Moments moments{};
  };
  void replace_moments();

  measure::Histogram histogram_;
  std::vector<Part> parts_;  // by worker
};

}  // namespace n2nq::live
