#include "app/live/waiting_batches.h"

#include <algorithm>

#include "app/live/time_series.h"

namespace n2nq::live {

void WaitingBatches::add(int64_t from_ns, int64_t to_ns, uint64_t count, double sum_ns) {
  if (count == 0) return;
  const int64_t to = std::clamp<int64_t>(to_ns, 0, TimeSeries::kLongestNs);
  const int64_t from = std::clamp<int64_t>(from_ns, 0, to);
  const int64_t middle = from + (to - from) / 2;
  while (middle / width_ns_ >= static_cast<int64_t>(kMost)) {
    for (size_t i = 0; i < slots_.size(); i++) {
      const Slot slot = slots_[i];
      if (i % 2 == 0) slots_[i / 2] = {};
      slots_[i / 2].count += slot.count;
      slots_[i / 2].sum_ns += slot.sum_ns;
    }
    slots_.resize((slots_.size() + 1) / 2);
    width_ns_ *= 2;
  }
  const auto at = static_cast<size_t>(middle / width_ns_);
  if (at >= slots_.size()) slots_.resize(at + 1);
  slots_[at].count += count;
  slots_[at].sum_ns += sum_ns;
}

std::vector<WaitingBatch> WaitingBatches::all() const {
  std::vector<WaitingBatch> batches;
  for (size_t i = 0; i < slots_.size(); i++) {
    if (batches.empty() && slots_[i].count == 0) continue;
    batches.push_back({.start_ns = static_cast<int64_t>(i) * width_ns_,
                       .width_ns = width_ns_,
                       .count = slots_[i].count,
                       .sum_ns = slots_[i].sum_ns});
  }
  return batches;
}

}  // namespace n2nq::live
