// Which of the receivers that can take a message gets it: random, in turn, or the one with the least outstanding.
// Every call is O(1), whatever the number of receivers. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "broker/base/assert.h"
#include "broker/base/random.h"
#include "broker/queue/receiver.h"

namespace n2nq::queue {

enum class Policy : uint8_t { random, round_robin, least_outstanding };

class Choice {
 public:
  explicit Choice(Policy policy) : policy_(policy) {}

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  void add(Receiver& receiver);
  void remove(Receiver& receiver);
  // The receiver's outstanding deliveries changed.
  void update(Receiver& receiver);

  // The one to take the next message; it stays in. Not when empty.
  Receiver& pick(Random& random);
  // How soon this choice's pick is due beside that of another group; the lower goes first.
  uint64_t urgency();

 private:
  struct Line {
    Receiver* first = nullptr;
    Receiver* last = nullptr;
  };
  static constexpr size_t kLevels = 1024;
  size_t level_of(const Receiver& receiver) const;
  void push(Receiver& receiver, size_t level);
  void unlink(Receiver& receiver);
  Receiver& front();

  Policy policy_;
  size_t size_ = 0;
  std::vector<Receiver*> members_;  // random
  std::vector<Line> lines_;         // in turn: one; least outstanding: one for each number of outstanding deliveries
  size_t lowest_ = 0;
};

// Once a message, so worth inlining.

inline Receiver& Choice::pick(Random& random) {
  N2NQ_ASSERT(size_ > 0);
  if (policy_ == Policy::random) return *members_[random.below(members_.size())];
  Receiver& receiver = front();
  const size_t level = receiver.level;
  unlink(receiver);
  push(receiver, level);
  return receiver;
}

inline void Choice::push(Receiver& receiver, size_t level) {
  if (lines_.size() <= level) lines_.resize(level + 1);
  Line& line = lines_[level];
  receiver.level = level;
  receiver.before = line.last;
  receiver.after = nullptr;
  (line.last == nullptr ? line.first : line.last->after) = &receiver;
  line.last = &receiver;
  lowest_ = std::min(lowest_, level);
}

inline void Choice::unlink(Receiver& receiver) {
  Line& line = lines_[receiver.level];
  (receiver.before == nullptr ? line.first : receiver.before->after) = receiver.after;
  (receiver.after == nullptr ? line.last : receiver.after->before) = receiver.before;
}

inline Receiver& Choice::front() {
  while (lines_[lowest_].first == nullptr) {
    N2NQ_ASSERT(lowest_ + 1 < lines_.size());
    lowest_++;
  }
  return *lines_[lowest_].first;
}

}  // namespace n2nq::queue
