// How much goes through to a broker that takes it, and what becomes of it where one does not.
#include "workers/fleet/bandwidth_look.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <optional>
#include <thread>

#include "tests/unit/workers/fake_broker.h"
#include "tests/unit/workers/stub_fleet.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {
namespace {

using namespace test;

// Takes what there is until the connection ends; how it does: 0 for an orderly end, or the error.
int error_at_the_end(const Peer& peer) {
  const Deadline deadline(10s);
  std::vector<uint8_t> space(1 << 20);
  for (;;) {
    pollfd ready{.fd = peer.fd(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, deadline.poll_ms()) != 1) return ETIMEDOUT;
    const ssize_t n = ::recv(peer.fd(), space.data(), space.size(), 0);
    if (n <= 0) return n == 0 ? 0 : errno;
  }
}

TEST(BandwidthLook, SaysWhatABrokerTookAndLeavesInOrder) {
  FakeBroker broker;
  const FleetContext context = context_for(wire::Role::receiver, broker.endpoint());
  net::EventLoop loop;
  control::BandwidthFigures figures;
  BandwidthLook look(loop, context, [&](control::BandwidthFigures seen) {
    figures = std::move(seen);
    loop.stop();
  });
  std::thread takes([&] {
    Peer peer = broker.accept();
    peer.expect(wire::Type::hello);
    peer.send(wire::Welcome{});
    for (auto frame = peer.receive(); !frame.empty(); frame = peer.receive()) {
      if (wire::read_header(frame.data()).type == wire::Type::probe) break;
    }
    peer.send(wire::Echo{});
    peer.expect(wire::Type::bye);
  });
  look.start();
  loop.run();
  takes.join();
  EXPECT_EQ(figures.trouble, "");
  EXPECT_GT(figures.bytes, 0u);
  EXPECT_GT(figures.duration_ns, 0);
}

TEST(BandwidthLook, SendsNothingMoreOnceItGaveUp) {
  FakeBroker broker;
  const FleetContext context = context_for(wire::Role::receiver, broker.endpoint());
  net::EventLoop loop;
  control::BandwidthFigures figures;
  BandwidthLook look(
      loop, context,
      [&](control::BandwidthFigures seen) {
        figures = std::move(seen);
        loop.stop();
      },
      100'000'000);
  std::optional<Peer> peer;
  std::thread welcomes([&] {
    peer = broker.accept();
    peer->expect(wire::Type::hello);
    peer->send(wire::Welcome{});
  });
  look.start();
  loop.run();
  welcomes.join();
  EXPECT_NE(figures.trouble.find("did not accept all of it"), std::string::npos) << figures.trouble;
  EXPECT_EQ(error_at_the_end(*peer), ECONNRESET) << "not an orderly end, which comes after all that was queued";
}

}  // namespace
}  // namespace n2nq::fleet
