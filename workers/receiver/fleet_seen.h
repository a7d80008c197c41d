// Which messages a whole fleet of receivers has had: in the load balancer a message may come to one of them first and
// be sent again to another. Shared by the loops; locks (striped by sender) only where there is more than one.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "workers/measure/distinct.h"
#include "workers/measure/number_table.h"

namespace n2nq::receiver {

class FleetSeen {
 public:
  explicit FleetSeen(bool several_loops) : locked_(several_loops) {}

  measure::Seen insert(uint32_t sender, uint64_t index) {
    Stripe& stripe = stripes_[sender % kStripes];
    if (!locked_) return stripe.senders.at(sender / kStripes).insert(index);
    const std::lock_guard lock(stripe.mutex);
    return stripe.senders.at(sender / kStripes).insert(index);
  }

 private:
  static constexpr uint32_t kStripes = 64;
  struct alignas(64) Stripe {
    std::mutex mutex;
    measure::NumberTable<measure::Distinct> senders;
  };

  bool locked_;
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace n2nq::receiver
