// The campaigns that run buses beside a bare relay: each bus completes, and is in the figures and on the page that is
// made from them.
#include "tests/headless/foreign_bus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct PeersTest : ForeignBus {
  // A bundled campaign with this workload alone, and without the figures of another.
  std::string with_one_workload(const std::string& name, size_t at) const {
    std::ifstream file(N2NQ_SOURCE_DIR "/resources/plans/" + name + "-quick.json");
    Json campaign = Json::parse(file);
    const Json kept = campaign["axes"][0]["values"][at];
    campaign["axes"][0]["values"] = Json::array({kept});
    const Json all = std::exchange(campaign["except"], Json::array());
    for (Json one : all) {
      Json& of = one["workload"];  // a label, or several
      if (std::find(of.begin(), of.end(), kept["label"]) == of.end()) continue;
      of = kept["label"];
      campaign["except"].push_back(one);
    }
    std::erase_if(campaign["figures"].get_ref<Json::array_t&>(),
                  [](const Json& figure) { return figure.contains("where"); });
    const std::string path = (place / (name + "-quick.json")).string();
    std::ofstream(path) << campaign;
    return path;
  }
  void run_quick(const std::string& name, size_t workload, size_t runs, std::vector<const char*> figures_made) const {
    SCOPED_TRACE(name);
    const std::filesystem::path figures = place / name;
    const BenchEnded ended = place.run({"campaign", with_one_workload(name, workload), "--repeats", "1", "--set",
                                        "senders.duration=300ms", "--figures", figures.string(), "--json"});
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
  run_quick("peers-latency", 1, 8, {"p50", "p99", "processor"});
  EXPECT_THROW(make_page(place.data()), std::runtime_error) << "the other campaign is missing";
  run_quick("peers-throughput", 0, 9, {"deliveries", "processor"});
  const std::string page = make_page(place.data());
  for (const char* text :
       {"### B: 50 to 50, 20 ms", "### E: 1 to 1, 50 B", "| relay again |", "| Kafka |", "| RabbitMQ |",
        "n2nq-relay 0.", "`n2nq-bench campaign resources/plans/peers-throughput-quick.json --repeats 1`",
        "| Cores kept awake | ", "| Kafka | `bus.profile=throughput`, ", "| later / earlier |",
        "Fewer than 5 rounds say nothing of who is ahead."})
    EXPECT_THAT(page, HasSubstr(text));
  EXPECT_THAT(page, Not(HasSubstr("allow no statement")));
  const std::string of_b = page.substr(page.find("### B: "), page.find("### E: ") - page.find("### B: "));
  EXPECT_THAT(
      of_b, AllOf(HasSubstr("| Kafka, a partition each |"), Not(HasSubstr("| Redis |")), Not(HasSubstr("| Kafka |"))));
}

}  // namespace
}  // namespace n2nq::test
