// How long messages waited for their service, in batches of equal width over the run: what neighbouring messages have
// in common is within a batch, so that the spread of batches tells how far the mean of all may be off. At most kMost of
// them however long the run; when they run out, neighbours are merged. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace n2nq::live {

// Messages whose service ended in it.
struct WaitingBatch {
  int64_t start_ns = 0;  // since BEGIN
  int64_t width_ns = 0;
  uint64_t count = 0;
  double sum_ns = 0;  // of their waiting times
  bool operator==(const WaitingBatch&) const = default;
};

class WaitingBatches {
 public:
  static constexpr int64_t kFinestNs = 100'000'000;
  static constexpr size_t kMost = 128;

  // Belongs to the batch in which the middle of [from, to] since BEGIN lies.
  void add(int64_t from_ns, int64_t to_ns, uint64_t count, double sum_ns);

  // From the first to the last that holds something.
  std::vector<WaitingBatch> all() const;

 private:
  struct Slot {
    uint64_t count = 0;
    double sum_ns = 0;
  };
  int64_t width_ns_ = kFinestNs;
  std::vector<Slot> slots_;
};

}  // namespace n2nq::live
