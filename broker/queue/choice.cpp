#include "broker/queue/choice.h"

#include <algorithm>

#include "broker/base/assert.h"
#include "broker/queue/receiver.h"

namespace n2nq::queue {

size_t Choice::level_of(const Receiver& receiver) const {
  if (policy_ != Policy::least_outstanding) return 0;
  return std::min<size_t>(receiver.outstanding(), kLevels - 1);
}

void Choice::add(Receiver& receiver) {
  size_++;
  if (policy_ == Policy::random) {
    receiver.place = members_.size();
    members_.push_back(&receiver);
    return;
  }
  push(receiver, level_of(receiver));
}

void Choice::remove(Receiver& receiver) {
  size_--;
  if (policy_ == Policy::random) {
    members_[receiver.place] = members_.back();
    members_[receiver.place]->place = receiver.place;
    members_.pop_back();
    return;
  }
  unlink(receiver);
}

void Choice::update(Receiver& receiver) {
  if (policy_ != Policy::least_outstanding || level_of(receiver) == receiver.level) return;
  unlink(receiver);
  push(receiver, level_of(receiver));
}

uint64_t Choice::urgency() {
  if (policy_ == Policy::random) return 0;
  const Receiver& receiver = front();
  return policy_ == Policy::round_robin ? receiver.last_chosen : receiver.outstanding();
}

}  // namespace n2nq::queue
