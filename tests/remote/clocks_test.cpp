// A host whose clock is wrong gives the latencies of one whose clock is right, within the bound that is stated, and the
// bound is no larger than the way between the hosts and the drift of their clocks make it.
#include <algorithm>
#include <cmath>
#include <map>

#include "broker/base/clock.h"
#include "tests/helpers/log_file.h"
#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

constexpr int64_t kSkewNs = 250 * kSecond;
// Of two clocks (docs/measuring.md), and an offset that probes have confined is in use for less than a second.
constexpr double kMostDriftNs = 1.2e-3 * 1e9;
// A histogram has three digits.
constexpr double kRounding = 1e-3;

class RemoteClocks : public RemoteTest {
 protected:
  void SetUp() override {
    RemoteTest::SetUp();
    if (IsSkipped()) return;
    const auto space = [](std::vector<std::string> before) {
      before.insert(before.end(), {"/usr/bin/readlink", "/proc/self/ns/time"});
      Process process(before);
      return process.wait_exit(10s) ? process.out() : std::string();
    };
    if (const std::string skewed = space(wrong_clock()); skewed.empty() || skewed == space({}))
      GTEST_SKIP() << "unshare --time puts no program into a time namespace here: no host can have a clock of its own";
  }

  // Every program of the host has this clock: the queue, the fleets, whatever prepares them.
  std::vector<std::string> wrong_clock() const {
    return {"/usr/bin/unshare", "--time", "--monotonic", std::to_string(kSkewNs / kSecond)};
  }
  Json measure(const std::string& skewed_host) {
    std::vector<Json> entries;
    for (const char* name : {"vm1", "vm2", "vm3"})
      entries.push_back(command_host(name, name == skewed_host ? wrong_clock() : std::vector<std::string>{}));
    const BenchEnded ended = run({{"queue", {{"host", "vm1"}}},
                                  {"senders", {{"hosts", {"vm2"}}, {"messages", 150}, {"delay", "20ms"}}},
                                  {"receivers", {{"hosts", {"vm3"}}}}},
                                 hosts(entries));
    EXPECT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
    return ended.result().at("runs").at(0);
  }

  // What each delivery took, by one clock: the logs keep the raw stamps, and how wrong each clock was is known here.
  struct Delivery {
    int64_t true_ns = 0;
    int64_t logged_ns = 0;  // as the receiver worked it out
  };
  std::vector<Delivery> deliveries(const Json& run, const std::string& skewed_host) const {
    const int64_t senders_ahead_ns = skewed_host == "vm2" ? kSkewNs : 0;
    const int64_t receivers_ahead_ns = skewed_host == "vm3" ? kSkewNs : 0;
    std::vector<Delivery> all;
    for (const auto& [number, log] : read_logs(run.at("folder").get<std::string>(), "receiver"))
      for (const LogRow& row : log.rows)
        all.push_back(
            {.true_ns = (row.received_ns.value() - receivers_ahead_ns) - (row.sent_ns.value() - senders_ahead_ns),
             .logged_ns = row.latency_ns.value()});
    return all;
  }
  // The slots of the run over time in which messages were sent, and in which any were received; and how many.
  std::string over_time(const Json& run) const {
    return place_->stored(
        "SELECT sum(sent > 0) > 20, sum(received > 0) > 20, sum(sent), sum(received) FROM series WHERE result_id = " +
        run.at("result_id").dump());
  }
  static int64_t true_median(std::vector<Delivery> all) {
    std::ranges::sort(all, {}, &Delivery::true_ns);
    return all.at((all.size() - 1) / 2).true_ns;  // as the histogram has it: the value that half of all do not exceed
  }
};

int64_t number(const Json& object, const char* name) {
  return object.at(name).get<int64_t>();
}

// The widest bound of the role's processes; each no larger than half its smallest round trip and its drift allow.
double bound_of_role(const Json& run, const std::string& role) {
  double widest = 0;
  for (const Json& process : run.at("processes")) {
    if (process.at("role") != role || process.at("clock_kind") == "same") continue;
    EXPECT_EQ(process.at("clock_kind"), "measured") << process;
    const auto bound = process.at("clock_bound_ns").get<double>();
    const auto round_trip = process.at("clock_round_trip_ns").get<double>();
    const auto drift = process.at("clock_drift_ns").get<double>();
    EXPECT_GT(round_trip, 0) << process;
    EXPECT_LE(bound, round_trip / 2 + drift) << process;
    EXPECT_LE(drift, kMostDriftNs + round_trip) << process << ": else a huge bound would pass";
    widest = std::max(widest, bound);
  }
  return widest;
}

TEST_F(RemoteClocks, OfAnyHostMayBeWrongWithinTheStatedBound) {
  const Json straight = measure("");
  EXPECT_EQ(straight["clock_kind"], "same");
  const auto right = deliveries(straight, "");
  ASSERT_FALSE(right.empty());
  const auto straight_median = static_cast<double>(true_median(right));
  EXPECT_NEAR(static_cast<double>(number(straight["latency_ns"], "p50")), straight_median, straight_median * kRounding);

  // Whose offsets the clock of a host is in: that of the queue is in all of them.
  const std::map<std::string, std::vector<std::string>> wrong{
      {"vm1", {"sender", "receiver"}}, {"vm2", {"sender"}}, {"vm3", {"receiver"}}};
  for (const auto& [host, roles] : wrong) {
    SCOPED_TRACE(host + " is wrong");
    const Json run = measure(host);
    EXPECT_EQ(run["clock_kind"], "measured");
    EXPECT_EQ(over_time(run), "1|1|" + run["sent"].dump() + ".0|" + run["received"].dump() + ".0\n")
        << "three seconds of them, each in its own tenth";
    const auto bound = run["clock_bound_ns"].get<double>();
    const auto all = deliveries(run, host);
    ASSERT_EQ(static_cast<int64_t>(all.size()), number(run["latency_ns"], "count"));
    for (const Delivery& one : all) ASSERT_LE(std::abs(static_cast<double>(one.logged_ns - one.true_ns)), bound);
    const auto median = static_cast<double>(true_median(all));
    EXPECT_LE(std::abs(static_cast<double>(number(run["latency_ns"], "p50")) - median), bound + median * kRounding);

    EXPECT_LE(bound, bound_of_role(run, "sender") + bound_of_role(run, "receiver"));
    for (const Json& process : run["processes"]) {
      const bool is_wrong = std::ranges::find(roles, process["role"].get<std::string>()) != roles.end();
      if (process["role"] == "broker") continue;
      EXPECT_EQ(process["clock_kind"], is_wrong ? "measured" : "same") << process;
      if (!is_wrong) continue;
      const int64_t offset = host == "vm1" ? kSkewNs : -kSkewNs;
      EXPECT_LE(std::abs(number(process, "clock_offset_ns") - offset), number(process, "clock_bound_ns")) << process;
    }
  }
}

}  // namespace
}  // namespace n2nq::test
