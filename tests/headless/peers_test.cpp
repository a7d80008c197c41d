// The campaigns that run buses beside a bare relay: each bus completes, and is in the figures and on the page that is
// made from them.
#include "tests/headless/foreign_bus.h"

#include <filesystem>
#include <fstream>

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct PeersTest : ForeignBus {
  void run_quick(const std::string& name, size_t runs, std::vector<const char*> figures_made) const {
    SCOPED_TRACE(name);
    const std::filesystem::path figures = place / name;
    const BenchEnded ended =
        place.run({"campaign", std::string(N2NQ_SOURCE_DIR "/resources/plans/") + name + "-quick.json", "--repeats",
                   "1", "--set", "senders.duration=300ms", "--figures", figures.string(), "--json"});
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << ended.err;
    const Json result = ended.result();
    EXPECT_EQ(result["verdict"], "passed") << result;
    EXPECT_EQ(result["runs"], runs);
    EXPECT_EQ(result["runs_done"], runs);
    EXPECT_FALSE(result.contains("findings")) << "it is no study";
    for (const char* figure : figures_made) {
      std::ifstream file(figures / (std::string(figure) + ".csv"));
      std::string head;
      ASSERT_TRUE(std::getline(file, head)) << figure;
      for (const char* bus :
           {"relay", "relay again", "N2NQ", "NATS", "JetStream", "RabbitMQ", "Kafka", "Redis Streams"})
        EXPECT_THAT(head, HasSubstr(bus)) << figure;
    }
  }
  static std::string make_page(const std::string& folder) {
    return output_of({"/usr/bin/python3", N2NQ_SOURCE_DIR "/docs/make-peers", folder});
  }
};

TEST_F(PeersTest, QuickVariantsCompleteAndMakeAPageOfAllBusesBesideTheRelay) {
  run_quick("peers-latency", 17, {"p50", "p99", "processor"});
  EXPECT_THROW(make_page(place.data()), std::runtime_error) << "the other campaign is missing";
  run_quick("peers-throughput", 17, {"deliveries", "processor"});
  const std::string page = make_page(place.data());
  for (const char* text : {"### A: 10 to 10, 20 ms", "### B: 50 to 50, 20 ms", "### E: 1 to 1, 50 B",
                           "### I: 10 to 10, 50 B", "| relay again |", "| Kafka |", "| RabbitMQ |", "n2nq-relay 0.",
                           "`n2nq-bench campaign resources/plans/peers-throughput-quick.json --repeats 1`",
                           "| Cores kept awake | ", "| Kafka | `bus.profile=throughput`, ", "| later / earlier |",
                           "Fewer than 5 rounds say nothing of who is ahead."})
    EXPECT_THAT(page, HasSubstr(text));
  EXPECT_THAT(page, Not(HasSubstr("allow no statement")));
}

}  // namespace
}  // namespace n2nq::test
