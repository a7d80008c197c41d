// The path is looked at without privileges of its own, in networks that the test makes: a host, a router, a host.
#include "workers/fleet/path_look.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <thread>

#include "broker/net/resolve.h"
#include "tests/helpers/deadline.h"
#include "tests/helpers/temp_dir.h"
#include "workers/fleet/tcp_trace.h"

namespace n2nq::fleet {
namespace {

using namespace std::chrono_literals;

// The thread's own network is the near host; the others are kept by processes that end by themselves.
constexpr const char* kMakeNetworks = R"sh(
set -e
ip link set lo up
for name in router far; do unshare -n sleep 60 >/dev/null 2>&1 & echo $! >> "$PIDS"; done
router=$(sed -n 1p "$PIDS"); far=$(sed -n 2p "$PIDS")
for pid in $router $far; do
  while [ "$(readlink /proc/$pid/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do :; done
done
ip link add near type veth peer name left netns $router
nsenter -t $router -n ip link add right type veth peer name far netns $far
ip addr add 10.9.0.1/24 dev near; ip link set near up
nsenter -t $router -n ip addr add 10.9.0.2/24 dev left; nsenter -t $router -n ip link set left up
nsenter -t $router -n ip addr add 10.9.1.1/24 dev right; nsenter -t $router -n ip link set right up
nsenter -t $router -n sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
nsenter -t $far -n ip addr add 10.9.1.2/24 dev far; nsenter -t $far -n ip link set far up
ip route add default via 10.9.0.2
nsenter -t $far -n ip route add default via 10.9.1.1
# On a busy computer the kernel takes a while to take a link as up, and drops what is sent before.
await_up() {
  tries=0
  until "$@" | grep -q 'state UP' || [ $tries = 500 ]; do tries=$((tries + 1)); sleep 0.01; done
}
await_up ip -o link show near
for link in left right; do await_up nsenter -t $router -n ip -o link show $link; done
await_up nsenter -t $far -n ip -o link show far
)sh";

class Path : public testing::Test {
 protected:
  ~Path() override {
    std::ifstream file(pids());
    for (pid_t pid = 0; file >> pid;) ::kill(pid, SIGKILL);
  }
  void inside(const std::function<void()>& test) {
    bool made = false;
    std::thread([&] {
      ::setenv("PIDS", pids().c_str(), 1);
      made = ::unshare(CLONE_NEWNET) == 0 && std::system(kMakeNetworks) == 0;
      if (made) test();
    }).join();
    if (!made) GTEST_SKIP() << "networks cannot be made here; run this as root, with iproute2";
  }
  enum class By { datagrams, connections };
  static constexpr By kBoth[] = {By::datagrams, By::connections};
  static control::PathFigures look(const std::string& address, By by = By::datagrams) {
    std::optional<control::PathFigures> found;
    net::EventLoop loop;
    const test::Deadline deadline(20s);
    net::Timer patience(loop, [&] {
      if (deadline.passed()) loop.stop();
    });
    patience.every(10'000'000);
    const auto take = [&](const control::PathFigures& figures) {
      found = figures;
      loop.stop();
    };
    PathLook path(loop, *net::resolve(address), take);
    TcpTrace trace(loop, *net::resolve(address), 0, take);
    by == By::datagrams ? path.start() : trace.start();
    if (!found) loop.run();
    EXPECT_TRUE(found) << address;
    return found.value_or(control::PathFigures{});
  }

 private:
  std::string pids() const { return (dir_ / "pids").string(); }
  test::TempDir dir_;
};

TEST_F(Path, HasEachRouterAndTheHostAtItsEnd) {
  inside([] {
    for (const By by : kBoth) {
      const control::PathFigures path = look("10.9.1.2:7400", by);
      EXPECT_TRUE(path.reached);
      EXPECT_EQ(path.trouble, "");
      EXPECT_EQ(path.port, by == By::connections ? 7400 : 0);
      ASSERT_EQ(path.hops.size(), 2u);
      EXPECT_EQ(path.hops[0].address, "10.9.0.2");
      EXPECT_EQ(path.hops[1].address, "10.9.1.2");
      for (const auto& hop : path.hops) EXPECT_GT(hop.round_trip_ns.value_or(0), 0);
    }
  });
}

TEST_F(Path, ToTheNextHostIsOneHop) {
  inside([] {
    for (const char* address : {"10.9.0.2:7400", "127.0.0.1:7400", "[::1]:7400"}) {
      for (const By by : kBoth) {
        const control::PathFigures path = look(address, by);
        EXPECT_TRUE(path.reached) << address;
        EXPECT_EQ(path.hops.size(), 1u) << address;
      }
    }
  });
}

TEST_F(Path, EndsWithTheLastRouterThatAnswers) {
  inside([] {
    for (const By by : kBoth) {
      const control::PathFigures path = look("10.9.1.77:7400", by);  // nobody
      EXPECT_FALSE(path.reached);
      ASSERT_EQ(path.hops.size(), 1u);
      EXPECT_EQ(path.hops[0].address, "10.9.0.2");
    }
  });
}

// Whoever lets no packet on answers for each that comes.
struct BarredPath : Path, testing::WithParamInterface<const char*> {};

TEST_P(BarredPath, EndsThere) {
  inside([] {
    const std::string bar = std::string("nsenter -t $(sed -n 1p $PIDS) -n ip route add ") + GetParam() + " 10.9.1.2/32";
    EXPECT_EQ(std::system(bar.c_str()), 0);
    const control::PathFigures path = look("10.9.1.2:7400", By::connections);
    EXPECT_FALSE(path.reached);
    ASSERT_EQ(path.hops.size(), 1u);
    EXPECT_EQ(path.hops[0].address, "10.9.0.2");
  });
}

INSTANTIATE_TEST_SUITE_P(By, BarredPath, testing::Values("prohibit", "unreachable"),
                         [](const auto& one) { return std::string(one.param); });

TEST_F(Path, WithoutARouteHasNoHops) {
  inside([] {
    EXPECT_EQ(std::system("ip route del default"), 0);
    for (const By by : kBoth) {
      const control::PathFigures path = look("10.9.1.2:7400", by);
      EXPECT_FALSE(path.reached);
      EXPECT_TRUE(path.hops.empty());
    }
  });
}

// As networks lead those of one port one way, and those of another maybe another.
TEST_F(Path, ByConnectionsLeavesFromTheChosenPortForEachHop) {
  inside([] {
    EXPECT_EQ(std::system("ip rule add sport 20077 table 77 && ip route add prohibit default table 77"), 0);
    std::map<uint16_t, control::PathFigures> found;
    for (const uint16_t port : {20077, 20078}) {
      net::EventLoop loop;
      TcpTrace trace(loop, *net::resolve("10.9.1.2:7400"), port, [&](const control::PathFigures& figures) {
        found[port] = figures;
        loop.stop();
      });
      trace.start();
      if (!found.contains(port)) loop.run();
    }
    EXPECT_FALSE(found[20077].reached) << "its way is barred";
    EXPECT_TRUE(found[20078].reached);
    EXPECT_EQ(found[20078].source_port, 20078);
    EXPECT_EQ(found[20078].hops.size(), 2u);
  });
}

}  // namespace
}  // namespace n2nq::fleet
