// How the senders' clocks stand to the broker's, from their CLOCK frames. Without one a sender's stamps are the
// broker's clock. A copy a loop; one thread.
#pragma once

#include <array>
#include <cstddef>
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
  // The widest of all bounds that were in force since begin().
  int64_t widest_bound_ns() const { return widest_bound_ns_; }
  void begin();  // what was in force before counts no more

 private:
  // A message that waited in the queue has a stamp from before the latest announcements.
  static constexpr size_t kKept = 16;
  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
    size_t newest = 0;
    std::array<wire::Clock, kKept> kept{};  // a ring; filled with the first one at the beginning
  };
  Offset find(uint32_t sender, int64_t sent_ns) const;

  std::vector<Range> ranges_;  // the latest announced first where they overlap
  int64_t widest_bound_ns_ = 0;
};

}  // namespace n2nq::receiver
