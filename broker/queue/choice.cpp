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

Receiver& Choice::pick(Random& random) {
  N2NQ_ASSERT(size_ > 0);
  if (policy_ == Policy::random) return *members_[random.below(members_.size())];
  Receiver& receiver = front();
  const size_t level = receiver.level;
  unlink(receiver);
  push(receiver, level);
  return receiver;
}

uint64_t Choice::urgency() {
  if (policy_ == Policy::random) return 0;
  const Receiver& receiver = front();
  return policy_ == Policy::round_robin ? receiver.last_chosen : receiver.outstanding();
}

void Choice::push(Receiver& receiver, size_t level) {
  if (lines_.size() <= level) lines_.resize(level + 1);
  Line& line = lines_[level];
  receiver.level = level;
  receiver.before = line.last;
  receiver.after = nullptr;
  (line.last == nullptr ? line.first : line.last->after) = &receiver;
  line.last = &receiver;
  lowest_ = std::min(lowest_, level);
}

void Choice::unlink(Receiver& receiver) {
  Line& line = lines_[receiver.level];
  (receiver.before == nullptr ? line.first : receiver.before->after) = receiver.after;
  (receiver.after == nullptr ? line.last : receiver.after->before) = receiver.before;
}

Receiver& Choice::front() {
  while (lines_[lowest_].first == nullptr) {
    N2NQ_ASSERT(lowest_ + 1 < lines_.size());
    lowest_++;
  }
  return *lines_[lowest_].first;
}

}  // namespace n2nq::queue
