// Which messages a whole fleet of receivers has had: in the load balancer a message may come to one of them first and
// be sent again to another, or the other way round. Shared by the loops; locks (striped by sender) only where there is
// more than one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

#include "workers/measure/distinct.h"
#include "workers/measure/message_set.h"
#include "workers/measure/number_table.h"

namespace n2nq::receiver {

class FleetSeen {
 public:
  explicit FleetSeen(bool several_loops) : locked_(several_loops) {}

  struct Seen {
    bool fresh = false;
    bool overtaken = false;  // what was sent again has come before: this is the first one, come late
  };
  Seen insert(uint32_t sender, uint64_t index, bool again) {
    Stripe& stripe = stripes_[sender % kStripes];
    if (!locked_) return insert(stripe, sender, index, again);
    const std::lock_guard lock(stripe.mutex);
    return insert(stripe, sender, index, again);
  }

  uint64_t count_in(uint32_t sender, uint64_t first, uint64_t last) {
    Stripe& stripe = stripes_[sender % kStripes];
    const std::lock_guard lock(stripe.mutex);
    return stripe.senders.at(sender / kStripes).count_in(first, last);
  }

  // Messages that only came as sent again, of all receivers here.
  uint64_t again() {
    uint64_t all = 0;
    for (Stripe& stripe : stripes_) {
      const std::lock_guard lock(stripe.mutex);
      all += stripe.sent_again.size();
    }
    return all;
  }

  measure::MessageSums sums() {
    measure::MessageSums all;
    for (Stripe& stripe : stripes_) {
      const std::lock_guard lock(stripe.mutex);
      all += stripe.sums;
    }
    return all;
  }

  // Of a sender's messages up to `last`: those that came as they were sent, and those that only came as sent again.
  void write(uint32_t sender, uint64_t last, measure::SetWriter& first, measure::SetWriter& again) {
    Stripe& stripe = stripes_[sender % kStripes];
    const std::lock_guard lock(stripe.mutex);
    auto next = stripe.sent_again.lower_bound({sender, 0});
    stripe.senders.at(sender / kStripes).each_stretch([&](measure::Stretch stretch) {
      stretch.last = std::min(stretch.last, last);
      for (; next != stripe.sent_again.end() && next->first == sender && next->second <= stretch.last; ++next) {
        again.add({next->second, next->second});
        if (next->second > stretch.first) first.add({stretch.first, next->second - 1});
        stretch.first = next->second + 1;
      }
      if (stretch.first <= stretch.last) first.add(stretch);
    });
  }

 private:
  static constexpr uint32_t kStripes = 64;
  struct Stripe;
  static Seen insert(Stripe& stripe, uint32_t sender, uint64_t index, bool again) {
    const bool fresh = stripe.senders.at(sender / kStripes).insert(index) == measure::Seen::fresh;
    if (fresh) stripe.sums.add(sender, index);
    if (fresh && again) stripe.sent_again.emplace(sender, index);
    return {.fresh = fresh, .overtaken = !fresh && !again && stripe.sent_again.erase({sender, index}) > 0};
  }

  struct alignas(64) Stripe {
    std::mutex mutex;
    measure::NumberTable<measure::Distinct> senders;
    measure::MessageSums sums;
    std::set<std::pair<uint32_t, uint64_t>> sent_again;  // and not come before
  };

  bool locked_;
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace n2nq::receiver
