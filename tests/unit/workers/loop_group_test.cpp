#include "workers/fleet/loop_group.h"

#include <gtest/gtest.h>

#include <deque>

namespace n2nq::fleet {
namespace {

// A loop whose thread runs when the test says so.
struct LoopOnDemand {
  void post(std::function<void()> task) { tasks.push_back(std::move(task)); }
  void run() {
    for (; !tasks.empty(); tasks.pop_front()) tasks.front()();
  }
  int report() const { return 1; }
  TcpSums sample_tcp() const { return {}; }
  bus::LinkCounters wire() const { return {.sent_bytes = 5, .received_bytes = 3, .connections = 1}; }
  std::deque<std::function<void()>> tasks{};
};

struct TwoLoops : testing::Test {
  TwoLoops() {
    group.fill(control, 2, 2, [this](uint32_t, uint32_t, uint32_t i) {
      auto loop = std::make_unique<LoopOnDemand>();
      loops[i] = loop.get();
      return loop;
    });
  }
  void collect() {
    group.collect([this](LoopOnDemand&, int& report) { taken += report; }, [this] { control.stop(); });
  }
  net::EventLoop control;
  LoopGroup<LoopOnDemand> group;
  LoopOnDemand* loops[2] = {};
  int taken = 0;
};

TEST_F(TwoLoops, SayWhenTheyToldHoweverLateTheirReportsAreTaken) {
  collect();
  const int64_t asked_ns = measure::now_ns();
  loops[0]->run();
  const int64_t first_ns = measure::now_ns();
  loops[1]->run();
  const int64_t last_ns = measure::now_ns();
  control.run();
  EXPECT_EQ(taken, 2);
  EXPECT_GE(group.told().from_ns, asked_ns) << "not when they were asked";
  EXPECT_LE(group.told().from_ns, first_ns);
  EXPECT_GE(group.told().until_ns, first_ns);
  EXPECT_LE(group.told().until_ns, last_ns) << "not when the last was taken";
}

TEST_F(TwoLoops, SayItOfTheirLastReportsAlone) {
  const auto tell = [this] {
    collect();
    for (LoopOnDemand* loop : loops) loop->run();
    control.run();
    return group.told();
  };
  const Told before = tell();
  EXPECT_GE(tell().from_ns, before.until_ns);
}

TEST(LoopGroup, WithoutLoopsTellsAtOnce) {
  LoopGroup<LoopOnDemand> none;
  const int64_t asked_ns = measure::now_ns();
  bool told = false;
  none.collect([](LoopOnDemand&, int&) {}, [&] { told = true; });
  EXPECT_TRUE(told);
  EXPECT_GE(none.told().from_ns, asked_ns);
}

}  // namespace
}  // namespace n2nq::fleet
