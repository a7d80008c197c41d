// A host whose clock is wrong gives the latencies of one whose clock is right, within the bound that is stated.
#include <cmath>

#include "tests/remote/remote_rig.h"

namespace n2nq::test {
namespace {

constexpr int64_t kSkewNs = 250'000'000;
// Half a round trip of some microseconds and 1,200 millionths of the second between two probes, for each of two clocks;
// and as much again for a busy machine.
constexpr int64_t kMostBoundNs = 5'000'000;

class RemoteClocks : public RemoteTest {
 protected:
  // The processes of fleets get this option on their way; nobody else knows it.
  std::vector<std::string> skewed(const std::string& by) const {
    return {script("skew-" + by, "case \"$6\" in *n2nq-sender|*n2nq-receiver) set -- \"$@\" --clock-skew " + by +
                                     ";; esac\nexec \"$@\"\n")};
  }
  Json measure(const std::string& skewed_host) {
    std::vector<Json> entries;
    for (const char* name : {"vm1", "vm2", "vm3"})
      entries.push_back(command_host(name, name == skewed_host ? skewed("250ms") : std::vector<std::string>{}));
    const BenchEnded ended = run({{"queue", {{"host", "vm1"}}},
                                  {"senders", {{"hosts", {"vm2"}}, {"messages", 150}, {"delay", "20ms"}}},
                                  {"receivers", {{"hosts", {"vm3"}}}}},
                                 hosts(entries));
    EXPECT_EQ(ended.exit, (Exit{.code = 0, .signal = 0})) << ended.err;
    return ended.result().at("runs").at(0);
  }
};

TEST_F(RemoteClocks, OfAnyHostMayBeWrongWithinTheStatedBound) {
  const Json straight = measure("");
  EXPECT_EQ(straight["clock_kind"], "same");
  const auto median = straight["latency_ns"]["p50"].get<int64_t>();
  for (const char* host : {"vm2", "vm3"}) {
    const Json run = measure(host);
    EXPECT_EQ(run["clock_kind"], "measured");
    const auto bound = run["clock_bound_ns"].get<int64_t>();
    const auto skewed_median = run["latency_ns"]["p50"].get<int64_t>();
    // Medians of two runs differ by what the machine does meanwhile as well.
    const int64_t between_runs = std::max<int64_t>(median, 200'000);
    EXPECT_LE(std::abs(skewed_median - median), bound + between_runs) << host;
    EXPECT_LT(bound, kMostBoundNs) << host << ": else any offset would do";
    for (const Json& process : run["processes"]) {
      if (process["place"] != host || process["role"] == "broker") continue;
      EXPECT_EQ(process["clock_kind"], "measured");
      const auto offset = process["clock_offset_ns"].get<int64_t>();
      EXPECT_LE(std::abs(offset + kSkewNs), process["clock_bound_ns"].get<int64_t>()) << host;
    }
  }
}

}  // namespace
}  // namespace n2nq::test
