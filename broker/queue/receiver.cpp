#include "broker/queue/receiver.h"

#include <algorithm>
#include <tuple>

namespace n2nq::queue {

void Skips::add(uint32_t sender, wire::SkipReason reason, uint64_t index) {
  auto key = [](const wire::Skip& skip) { return std::tuple(skip.sender, skip.reason); };
  auto at = std::lower_bound(skips_.begin(), skips_.end(), std::tuple(sender, reason),
                             [&key](const wire::Skip& skip, const auto& wanted) { return key(skip) < wanted; });
  if (at == skips_.end() || key(*at) != std::tuple(sender, reason)) {
    skips_.insert(at, {.sender = sender, .reason = reason, .count = 1, .lowest = index, .highest = index});
    return;
  }
  at->count++;
  at->lowest = std::min(at->lowest, index);
  at->highest = std::max(at->highest, index);
}

void Skips::take(wire::Bytes& out) {
  for (const wire::Skip& skip : skips_) wire::append(out, skip);
  skips_.clear();
}

}  // namespace n2nq::queue
