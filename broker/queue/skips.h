// Losses a receiver still has to be told of, merged by sender so that they stay few while the receiver is slow. One
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/wire/frames.h"

namespace n2nq::queue {

class Skips {
 public:
  bool empty() const { return skips_.empty(); }
  void add(uint32_t sender, wire::SkipReason reason, uint64_t index);
  // Appends one SKIP frame for each sender and reason, and forgets them.
  void take(wire::Bytes& out);

 private:
  std::vector<wire::Skip> skips_;  // ordered by sender and reason
};

}  // namespace n2nq::queue
