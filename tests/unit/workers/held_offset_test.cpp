// A sender's offset as its receivers use it, beside two clocks whose difference is known.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "broker/base/clock.h"
#include "broker/base/random.h"
#include "workers/fleet/fleet_context.h"
#include "workers/fleet/peer_clocks.h"

namespace n2nq::receiver {
namespace {

constexpr int64_t kPeriodNs = 250 * kMs;
constexpr int64_t kUnderWayNs = 200 * kMs;

// The sender's clock is the simulation's time.
struct World {
  Random random;
  double drift_ppb;
  int64_t now = 1'000'000 * kMs;

  explicit World(uint64_t seed)
      : random(seed), drift_ppb(static_cast<double>(static_cast<int64_t>(random.below(400'001)) - 200'000)) {}

  int64_t offset_at(int64_t local_ns) const {
    return 5'000'000 * kMs + std::llround(static_cast<double>(local_ns) * drift_ppb * 1e-9);
  }
  int64_t way_ns() { return 20'000 + static_cast<int64_t>(random.below(random.below(10) == 0 ? 2'000'000 : 50'000)); }
  measure::Probe probe() {
    measure::Probe probe{.local_send_ns = now};
    now += way_ns();
    probe.remote_receive_ns = probe.remote_send_ns = now + offset_at(now);
    now += way_ns();
    probe.local_receive_ns = now;
    return probe;
  }
};

TEST(HeldOffset, IsRightWithinItsBoundUntilTheNextOneHasComeToEverybody) {
  for (uint64_t seed = 1; seed <= 100; seed++) {
    World world(seed);
    measure::OffsetEstimator estimator;
    fleet::PeerClocks clocks;
    for (int i = 0; i < 16; i++) estimator.add(world.probe());
    for (int turn = 0; turn < 60; turn++) {
      estimator.add(world.probe());
      estimator.add(world.probe());
      const fleet::ClockView view{
          .same = false, .estimate = estimator.at(world.now), .good_for_ns = kPeriodNs + kUnderWayNs};
      const fleet::HeldOffset held = view.held_from(world.now);
      ASSERT_LE(static_cast<double>(held.bound_ns),
                static_cast<double>(held.round_trip_ns) / 2 + static_cast<double>(held.drift_ns));
      clocks.take({.first = 1,
                   .last = 1,
                   .offset_ns = held.offset_ns,
                   .bound_ns = static_cast<uint64_t>(held.bound_ns),
                   .from_ns = world.now});
      for (int64_t later = 0; later <= view.good_for_ns; later += 50 * kMs) {
        const auto used = clocks.at(1, world.now + later);
        ASSERT_LE(std::abs(used.offset_ns - world.offset_at(world.now + later)), used.bound_ns)
            << "seed " << seed << " turn " << turn << " after " << later;
      }
      world.now += kPeriodNs;
    }
  }
}

}  // namespace
}  // namespace n2nq::receiver
