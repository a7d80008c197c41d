#include "app/live/layer_figures.h"

#include <gtest/gtest.h>

#include "app/live/live_figures.h"

namespace n2nq::live {
namespace {

using control::NetworkMethod;
using control::Telemetry;

control::HistogramDelta delta(const std::string& name, uint64_t count, int32_t bucket) {
  return {.name = name,
          .moments = {.count = count, .min = bucket, .max = bucket, .sum = 1.0 * bucket},
          .buckets = {{.index = bucket, .count = count}}};
}
Telemetry line(Role role, NetworkMethod method, uint64_t sent, uint64_t lost,
               std::vector<control::HistogramDelta> histograms) {
  Telemetry telemetry{.role = role, .time_ns = 5, .histograms = std::move(histograms)};
  telemetry.process.network = {.method = method, .sent = sent, .lost = lost};
  return telemetry;
}

// Two processes on one host, one on another.
struct LayersTest : testing::Test {
  LiveFigures live{10, 10};
  uint32_t low = live.add_worker(Role::sender, 1, 5, "vm2");
  uint32_t high = live.add_worker(Role::sender, 6, 5, "vm2");
  uint32_t receivers = live.add_worker(Role::receiver, 1, 10, "vm3");
};

TEST_F(LayersTest, OfOneHostAreMergedAndKnownBeforeTheRunBegins) {
  live.take(low, line(Role::sender, NetworkMethod::icmp, 5, 1, {delta("network_ns", 4, 900), delta("tcp_ns", 2, 950)}));
  live.take(high, line(Role::sender, NetworkMethod::icmp, 3, 0, {delta("network_ns", 3, 700)}));
  live.take(receivers, line(Role::receiver, NetworkMethod::tcp_connect, 2, 0, {delta("probe_ns", 6, 400)}));
  ASSERT_EQ(live.layers().hosts().size(), 2u);
  const HostLayers& vm2 = live.layers().hosts()[0];
  EXPECT_EQ(vm2.host, "vm2");
  EXPECT_EQ(vm2.network.histogram().count(), 7u);
  EXPECT_EQ(vm2.network.histogram().moments().min_ns, 700);
  EXPECT_EQ(vm2.tcp.histogram().count(), 2u);
  EXPECT_EQ(live.layers().asked(vm2).sent, 8u);
  EXPECT_EQ(live.layers().asked(vm2).lost, 1u);
  EXPECT_EQ(live.layers().asked(vm2).method, NetworkMethod::icmp);
  const HostLayers& vm3 = live.layers().hosts()[1];
  EXPECT_EQ(vm3.probe.histogram().count(), 6u);
  EXPECT_EQ(live.layers().asked(vm3).method, NetworkMethod::tcp_connect);
  EXPECT_EQ(live.nonsense(), 0u);
}

TEST_F(LayersTest, SayWhenTheWorkersOfAHostAskInDifferentWays) {
  live.take(low, line(Role::sender, NetworkMethod::icmp, 5, 0, {}));
  EXPECT_FALSE(live.layers().asked(live.layers().hosts()[0]).mixed);
  live.take(high, line(Role::sender, NetworkMethod::tcp_connect, 5, 0, {}));
  EXPECT_TRUE(live.layers().asked(live.layers().hosts()[0]).mixed);
}

TEST_F(LayersTest, HaveTheLatencyOfWhatWasReceivedOnTheHost) {
  live.begin(receivers, 0);
  live.take(receivers, line(Role::receiver, NetworkMethod::icmp, 1, 0, {delta("latency_ns", 9, 500)}));
  EXPECT_EQ(live.layers().hosts()[1].latency.histogram().count(), 9u);
  EXPECT_EQ(live.histogram(Latency::latency).count(), 9u);
  EXPECT_EQ(live.layers().hosts()[0].latency.histogram().count(), 0u);
}

TEST_F(LayersTest, HaveARoundTripOnlyWhereAnAnswerCame) {
  LayerFigures layers;
  layers.add_worker("vm2");
  layers.add_worker("vm2");
  const auto tell = [&layers](uint32_t worker, uint64_t sent, uint64_t lost, std::optional<int64_t> last_ns,
                              std::vector<control::HistogramDelta> answers) {
    Telemetry telemetry = line(Role::sender, NetworkMethod::icmp, sent, lost, std::move(answers));
    telemetry.process.network.last_ns = last_ns;
    ASSERT_TRUE(layers.take(worker, telemetry));
  };
  tell(0, 1, 0, {}, {});
  EXPECT_EQ(layers.take_round_trip("vm2"), std::nullopt) << "it waits";
  tell(0, 1, 0, 900, {delta("network_ns", 1, 10)});
  EXPECT_EQ(layers.take_round_trip("vm2"), 900);
  tell(0, 2, 0, 900, {});
  EXPECT_EQ(layers.take_round_trip("vm2"), std::nullopt) << "the next one waits";
  tell(0, 2, 1, 900, {});
  EXPECT_EQ(layers.take_round_trip("vm2"), std::nullopt) << "it is lost";
  control::HistogramDelta second = delta("network_ns", 1, 10);
  second.moments.count = 2;
  tell(0, 4, 1, 900, {second});
  tell(1, 1, 0, 300, {delta("network_ns", 1, 10)});
  EXPECT_EQ(layers.take_round_trip("vm3"), std::nullopt);
  EXPECT_EQ(layers.take_round_trip("vm2"), 600) << "the mean of both workers, though one took as long as before";
}

TEST_F(LayersTest, AreNotTakenWhereTheyCannotBe) {
  Telemetry more_lost_than_sent = line(Role::sender, NetworkMethod::icmp, 1, 2, {});
  live.take(low, more_lost_than_sent);
  EXPECT_EQ(live.layers().asked(live.layers().hosts()[0]).sent, 0u);
  control::HistogramDelta more_in_buckets = delta("network_ns", 3, 10);
  more_in_buckets.buckets.push_back({.index = 11, .count = 1});
  live.take(low, line(Role::sender, NetworkMethod::icmp, 1, 0, {more_in_buckets}));
  EXPECT_EQ(live.layers().hosts()[0].network.histogram().count(), 0u);
  EXPECT_EQ(live.nonsense(), 2u);
}

}  // namespace
}  // namespace n2nq::live
