// How the senders' clocks stand to the broker's, from their CLOCK frames. Without one a sender's stamps are the
// broker's clock. A copy a loop; one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/wire/frames.h"

namespace n2nq::receiver {

class SenderClocks {
 public:
  struct Offset {
    int64_t offset_ns = 0;
    int64_t bound_ns = 0;
  };

  void take(const wire::Clock& clock);
  bool none() const { return ranges_.empty(); }
  // For a stamp of this sender.
  Offset at(uint32_t sender, int64_t sent_ns) const { return none() ? Offset{} : find(sender, sent_ns); }
  // The widest of the bounds in force.
  int64_t widest_bound_ns() const;

 private:
  struct Range {
    wire::Clock latest;
    double drift = 0;  // of the offset, from one announcement to the next
  };
  Offset find(uint32_t sender, int64_t sent_ns) const;

  std::vector<Range> ranges_;  // the latest announced first where they overlap
};

}  // namespace n2nq::receiver
