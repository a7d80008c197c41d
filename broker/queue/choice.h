// Which of the receivers that can take a message gets it: random, in turn, or the one with the least outstanding.
// Every call is O(1), whatever the number of receivers. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "broker/base/random.h"

namespace n2nq::queue {

struct Receiver;

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

}  // namespace n2nq::queue
