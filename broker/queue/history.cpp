#include "broker/queue/history.h"

#include <algorithm>

namespace n2nq::queue {

void History::add(uint64_t from, uint64_t to, const wire::Filter& filter) {
  if (from < to) stretches_.push_back({.from = from, .to = to, .filter = filter});
}

bool History::had(uint64_t sequence, uint32_t sender, uint64_t size, uint64_t index) const {
  return std::any_of(stretches_.begin(), stretches_.end(), [&](const Stretch& stretch) {
    return sequence >= stretch.from && sequence < stretch.to && stretch.filter.matches(sender, size, index);
  });
}

void History::forget_before(uint64_t kept) {
  std::erase_if(stretches_, [kept](const Stretch& stretch) { return stretch.to <= kept; });
}

}  // namespace n2nq::queue
