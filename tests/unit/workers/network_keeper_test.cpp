// How the round trip of the network is asked for, in a network of the test's own: where echoes may be sent, where they
// may not, and where nobody answers them.
#include "workers/fleet/network_keeper.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <thread>

#include "broker/net/resolve.h"
#include "tests/helpers/deadline.h"
#include "tests/helpers/own_network.h"
#include "workers/measure/clock.h"

namespace n2nq::fleet {
namespace {

using namespace std::chrono_literals;
using control::NetworkMethod;

constexpr const char* kEverybody = "0 2147483647";
constexpr const char* kNobody = "1 0";
constexpr NetworkKeeper::Pace kQuick{.first = 3,
                                     .first_period_ns = 1'000'000,
                                     .period_ns = 2'000'000,
                                     .patience_ns = 10'000'000'000,
                                     .first_patience_ns = 10'000'000'000,
                                     .unanswered_until_closed = 2};

// A thread's own network with nothing but a loopback, for as long as `test` takes.
class OwnNetwork : public testing::Test {
 protected:
  void inside(const std::function<void()>& test) {
    bool made = false;
    std::thread([&] {
      made = test::enter_own_network();
      if (made) test();
    }).join();
    if (!made) GTEST_SKIP() << "a network namespace cannot be made here; run this as root";
  }
  static void set(const std::string& name, const std::string& value) {
    std::ofstream file("/proc/sys/net/ipv4/" + name);
    file << value << std::flush;
    EXPECT_TRUE(file.good()) << name;
  }
  static net::Endpoint endpoint(const std::string& address) {
    const auto found = net::resolve(address);
    EXPECT_TRUE(found);
    return found.value_or(net::Endpoint{});
  }
  // Asks until there are so many answers, or nothing more can come.
  static RoundTrips ask(const net::Endpoint& broker, const std::function<bool(const RoundTrips&)>& enough,
                        const NetworkKeeper::Pace& pace = kQuick) {
    RoundTrips into;
    net::EventLoop loop;
    NetworkKeeper keeper(loop, broker, into, pace);
    const test::Deadline deadline(10s);
    net::Timer look(loop, [&] {
      if (enough(into) || deadline.passed()) loop.stop();
    });
    look.every(1'000'000);
    keeper.start();
    loop.run();
    keeper.stop();
    EXPECT_FALSE(deadline.passed());
    return into;
  }
  static auto answers(uint64_t count) {
    return [count](const RoundTrips& into) { return into.network_ns.total().count() >= count; };
  }
};

TEST_F(OwnNetwork, IsAskedByEchoWhereThisGroupMayPing) {
  inside([] {
    set("ping_group_range", kEverybody);
    for (const char* address : {"127.0.0.1:9", "[::1]:9"}) {
      const RoundTrips asked = ask(endpoint(address), answers(5));
      EXPECT_EQ(asked.network.method, NetworkMethod::icmp) << address;
      EXPECT_EQ(asked.network.lost, 0u);
      EXPECT_EQ(asked.network.sent, asked.network_ns.total().count()) << "what was under way at the end does not count";
      EXPECT_GT(asked.network_ns.total().moments().min_ns, 0);
      EXPECT_TRUE(asked.network.last_ns);
    }
  });
}

TEST_F(OwnNetwork, IsAskedByConnectingWhereItMayNot) {
  inside([] {
    set("ping_group_range", kNobody);
    net::Endpoint to = endpoint("127.0.0.1:0");
    const auto listening = net::listen_tcp(to);
    ASSERT_TRUE(listening);
    to = *net::local_endpoint(listening->get());
    const RoundTrips asked = ask(to, answers(5));
    EXPECT_EQ(asked.network.method, NetworkMethod::tcp_connect);
    EXPECT_EQ(asked.network.lost, 0u);
    EXPECT_GT(asked.network_ns.total().moments().min_ns, 0);
  });
}

TEST_F(OwnNetwork, IsAskedByConnectingWhereNobodyAnswersEchoes) {
  inside([] {
    set("ping_group_range", kEverybody);
    set("icmp_echo_ignore_all", "1");
    net::Endpoint to = endpoint("127.0.0.1:0");
    const auto listening = net::listen_tcp(to);
    ASSERT_TRUE(listening);
    to = *net::local_endpoint(listening->get());
    NetworkKeeper::Pace impatient = kQuick;
    impatient.first_patience_ns = 20'000'000;
    const RoundTrips asked = ask(to, answers(3), impatient);
    EXPECT_EQ(asked.network.method, NetworkMethod::tcp_connect);
    EXPECT_EQ(asked.network.lost, 0u) << "the echoes are not counted with the connections";
  });
}

TEST_F(OwnNetwork, IsNotJudgedWhileItIsHeld) {
  inside([] {
    set("ping_group_range", kEverybody);
    set("icmp_echo_ignore_all", "1");
    NetworkKeeper::Pace impatient = kQuick;
    impatient.first_patience_ns = 2'000'000;
    RoundTrips into;
    net::EventLoop loop;
    NetworkKeeper keeper(loop, endpoint("127.0.0.1:9"), into, impatient);
    keeper.start();
    keeper.hold();
    int ticks = 0;
    net::Timer later(loop, [&] {
      if (++ticks == 20) loop.stop();
    });
    later.every(2'000'000);
    loop.run();
    EXPECT_EQ(into.network.method, NetworkMethod::icmp) << "echoes that a filled way lost are not held against it";
    EXPECT_EQ(into.network.sent, 0u);
    EXPECT_EQ(into.network.lost, 0u);

    set("icmp_echo_ignore_all", "0");
    const test::Deadline deadline(10s);
    net::Timer look(loop, [&] {
      if (into.network_ns.total().count() >= 3 || deadline.passed()) loop.stop();
    });
    look.every(1'000'000);
    keeper.go_on();
    loop.run();
    keeper.stop();
    EXPECT_EQ(into.network.method, NetworkMethod::icmp);
    EXPECT_GE(into.network_ns.total().count(), 3u);
  });
}

TEST(RoundTripSeries, RecordsNothingWhileItIsHeld) {
  RoundTripSeries series;
  series.record(5);
  series.hold(true);
  series.record(7'000'000);
  series.hold(false);
  series.record(6);
  EXPECT_EQ(series.total().count(), 2u);
  EXPECT_EQ(series.total().moments().max_ns, 6);
}

TEST_F(OwnNetwork, IsHeardSoManyAnswersAtATime) {
  inside([] {
    set("ping_group_range", kEverybody);
    auto echo = IcmpEcho::open(endpoint("127.0.0.1:9"));
    ASSERT_TRUE(echo);
    for (uint16_t i = 1; i <= 100; i++) ASSERT_TRUE(echo->send(i));
    int reads = 64;
    uint16_t heard = 0;
    while (const auto answer = echo->receive(reads)) EXPECT_EQ(answer->sequence, ++heard);
    EXPECT_EQ(heard, 64);
    EXPECT_EQ(reads, 0);
    reads = 64;
    while (const auto answer = echo->receive(reads)) EXPECT_EQ(answer->sequence, ++heard);
    EXPECT_EQ(heard, 100);
    EXPECT_GT(reads, 0) << "nothing more has come";
  });
}

TEST_F(OwnNetwork, WithNobodyThereHasNoFiguresButCountsWhatWasLost) {
  inside([] {
    set("ping_group_range", kNobody);
    const RoundTrips asked =
        ask(endpoint("127.0.0.1:9"), [](const RoundTrips& into) { return into.network.lost >= 3; });
    EXPECT_EQ(asked.network_ns.total().count(), 0u);
    EXPECT_EQ(asked.network.sent, asked.network.lost);
    EXPECT_FALSE(asked.network.last_ns);
  });
}

}  // namespace
}  // namespace n2nq::fleet
