// How the clock's bound stands, against a broker that the test plays.
#include "workers/fleet/clock_keeper.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/unit/control/loop_test.h"
#include "tests/unit/workers/fake_broker.h"
#include "tests/unit/workers/stub_fleet.h"

namespace n2nq::fleet {
namespace {

class ClockKeeperTest : public control::LoopTest {
 protected:
  ~ClockKeeperTest() override {
    enough_ = true;
    answering_.join();
  }
  // Echoes until it was enough, and closes then.
  void answer() {
    echo();
    closed_ = true;
  }
  void echo() {
    test::Peer peer = broker_.accept();
    peer.expect(wire::Type::hello);
    peer.send(test::welcome_to(wire::Mode::broadcaster));
    while (!enough_) {
      const auto probe = wire::decode_probe(peer.expect(wire::Type::probe));
      if (!probe) return;
      const int64_t now_ns = measure::now_ns();
      peer.send(wire::Echo{.t1 = probe->t1, .t2 = now_ns, .t3 = now_ns});
    }
  }
  uint64_t bound_ns() const { return keeper_.figures().bound_ns.value_or(0); }

  test::FakeBroker broker_;
  FleetContext context_ = test::context_for(wire::Role::receiver, broker_.endpoint());
  RoundTripSeries round_trips_;
  ClockKeeper keeper_{
      loop_, context_, round_trips_, {.on_estimate = [](const ClockView&) {}, .on_unmeasured = [](const auto&) {}}};
  std::atomic<bool> enough_ = false;
  std::atomic<bool> closed_ = false;
  std::thread answering_{[this] { answer(); }};
  net::Timer pulse_{loop_, [] {}};  // run_until looks only when the loop turns
};

TEST_F(ClockKeeperTest, WidensItsBoundByTheDriftOnceTheProbesAreOver) {
  pulse_.every(2'000'000);
  keeper_.start();
  run_until([&] { return keeper_.known(); });
  keeper_.begin();
  enough_ = true;
  run_until([&] { return closed_.load(); });
  const uint64_t before_ns = bound_ns();
  run_until([&] { return bound_ns() > before_ns + 2'000; });
  bool finished = false;
  keeper_.finish([&] { finished = true; });
  run_until([&] { return finished; });
  const uint64_t at_end_ns = bound_ns();
  const int64_t later_ns = measure::now_ns() + 50'000'000;
  run_until([&] { return measure::now_ns() > later_ns; });
  EXPECT_EQ(bound_ns(), at_end_ns);  // nothing is stamped any more
  const auto figures = keeper_.figures();
  EXPECT_LE(*figures.own_bound_ns, *figures.round_trip_ns / 2 + *figures.drift_ns);
}

}  // namespace
}  // namespace n2nq::fleet
