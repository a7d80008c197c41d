// How the clocks of the other role's services stand to the broker's, from their CLOCK frames: senders' at a receiver,
// in request-reply repliers' at a requester. Without one a service's stamps are the broker's clock. A copy a loop; one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "broker/wire/frames.h"

namespace n2nq::fleet {

class PeerClocks {
 public:
  struct Offset {
    int64_t offset_ns = 0;
    int64_t bound_ns = 0;
  };

  void take(const wire::Clock& clock);
  bool none() const { return ranges_.empty(); }
  // For a stamp of this service. What lies outside the time that an announcement is good for has a wider bound.
  Offset at(uint32_t number, int64_t sent_ns) { return none() ? Offset{} : find(number, sent_ns); }
  // The widest of all bounds that were in force or in use since begin().
  int64_t widest_bound_ns() const { return widest_bound_ns_; }
  void begin();  // what was in force before counts no more

 private:
  // A message that waited in the queue has a stamp from before the latest announcements: these are of a minute.
  static constexpr size_t kKept = 256;
  // How long a service means an announcement to be good, once it announces four times a second.
  static constexpr uint64_t kGoodForNs = 450'000'000;
  static constexpr uint64_t kMaxDriftPpm = 1'200;

  struct Range {
    uint32_t first = 0;
    uint32_t last = 0;
    size_t oldest = 0;                // where the next one goes, once it is full
    std::vector<wire::Clock> kept{};  // a ring of kKept at most, in the order of from_ns

    void add(const wire::Clock& clock);
    const wire::Clock& newest() const { return kept[(oldest + kept.size() - 1) % kept.size()]; }
    const wire::Clock& of_time(int64_t sent_ns) const;  // the last from before it, or else the oldest
  };
  Offset find(uint32_t number, int64_t sent_ns);

  std::vector<Range> ranges_;  // the latest announced first where they overlap
  int64_t widest_bound_ns_ = 0;
};

}  // namespace n2nq::fleet
