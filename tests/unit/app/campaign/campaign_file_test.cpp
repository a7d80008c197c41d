#include "app/campaign/campaign_file.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "app/campaign/estimate.h"
#include "app/campaign/points.h"

namespace n2nq::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string trouble(const std::string& json) {
  const auto campaign = parse_campaign(json);
  return campaign ? "none" : campaign.error().text;
}

std::string with(const std::string& members) {
  return R"({"version": 1, "axes": [], )" + members + "}";
}

TEST(CampaignFile, ReadsTheShortFormsOfAxes) {
  const auto campaign = parse_campaign(R"({"version": 1, "name": "sizes", "axes": [
    {"field": "senders.size", "values": ["100B", 2048]},
    {"name": "services", "fields": ["senders.count", "receivers.count"], "values": [1, 10]},
    {"name": "mode", "values": [{"label": "pinned", "set": {"queue": {"requests": true}}}]}]})");
  ASSERT_TRUE(campaign) << campaign.error().text;
  ASSERT_EQ(campaign->axes.size(), 3u);
  EXPECT_EQ(campaign->axes[0].name, "senders.size");
  EXPECT_EQ(campaign->axes[0].values[0], (AxisValue{.label = "100B", .set = {{"senders.size", "100B"}}}));
  EXPECT_EQ(campaign->axes[0].values[1], (AxisValue{.label = "2KiB", .set = {{"senders.size", "2KiB"}}}));
  EXPECT_EQ(campaign->axes[1].values[1],
            (AxisValue{.label = "10", .set = {{"senders.count", "10"}, {"receivers.count", "10"}}}));
  EXPECT_EQ(campaign->axes[2].values[0], (AxisValue{.label = "pinned", .set = {{"queue.requests", "true"}}}));
}

TEST(CampaignFile, ReadsBackWhatItWrites) {
  Campaign campaign{
      .name = "all of it",
      .description = "what it is for",
      .axes = {{.name = "mode",
                .values = {{.label = "a", .set = {{"queue.mode", "load-balancer"}}}, {.label = "b", .set = {}}}}},
      .combine = Combine::paired,
      .except = {{{"mode", {"b"}}}},
      .repeats = 5,
      .order = Order::random,
      .seed = UINT64_MAX,
      .pause_ns = 1'500'000'000,
      .tries = 3,
      .stop = {.failure = true, .overload = true, .limit = "p99 > 5ms"},
      .external = {.senders = {"vm1", "vm2"}, .receivers = {"vm3"}},
      .figures = {{.id = "figure-1",
                   .title = "What grows",
                   .x = "mode",
                   .curves = "mode",
                   .where = {{"mode", {"a", "b"}}},
                   .metric = "p99"},
                  {.id = "one-run", .kind = FigureKind::percentiles, .metric = "p50"},
                  {.id = "cloud", .kind = FigureKind::raincloud, .curves = "mode", .scale = "all"},
                  {.id = "day",
                   .kind = FigureKind::runs,
                   .where = {{"mode", {"a"}}},
                   .scale = "all",
                   .logarithmic = false,
                   .part = {.from_ns = 100'000, .to_ns = 5'000'000},
                   .repeats = {{1, 3}, {5, 5}},
                   .whiskers = {.from_percent = 10, .to_percent = 90},
                   .without = {.fastest = 0.01, .slowest = 0.05}}}};
  campaign.base.senders.messages = 77;
  campaign.every = StartTimes{.every_s = 600, .from_s = 8 * 3600, .to_s = 20 * 3600};
  const auto back = parse_campaign(to_json(campaign));
  ASSERT_TRUE(back) << back.error().text;
  EXPECT_EQ(*back, campaign);
}

TEST(CampaignFile, TakesExternalHostsForBothFleetsOrForEach) {
  const auto hosts = [](const std::string& json) {
    const auto campaign = parse_campaign(R"({"version": 1, "base": {}, "axes": [], "external": )" + json + "}");
    EXPECT_TRUE(campaign) << campaign.error().text;
    return campaign ? campaign->external : ExternalHosts{};
  };
  const ExternalHosts each{.senders = {"vm2", "vm4"}, .receivers = {"vm3"}};
  EXPECT_EQ(hosts(R"(["vm2", "vm3"])"), (ExternalHosts{.senders = {"vm2", "vm3"}}));
  EXPECT_EQ(hosts(R"("vm2, vm3")"), (ExternalHosts{.senders = {"vm2", "vm3"}}));
  EXPECT_EQ(hosts(R"({"senders": ["vm2", "vm4"], "receivers": "vm3"})"), each);
  EXPECT_EQ(hosts(R"("senders=vm2, vm4, receivers = vm3")"), each);
  EXPECT_EQ(*parse_external_hosts("receivers=vm3"), (ExternalHosts{.receivers = {"vm3"}}));
  EXPECT_EQ(*parse_external_hosts("vm2"), (ExternalHosts{.senders = {"vm2"}}));
  for (const auto& [wrong, text] :
       {std::pair("queue=vm1", "queue: there is no such field; there are senders, receivers"),
        {"vm2, receivers=vm3", "\"vm2\" stands before the name of a fleet"},
        {"senders=", "senders: \"\" is not a host name"},
        {"vm2,,vm3", "\"\" is not a host name"}})
    EXPECT_THAT(parse_external_hosts(wrong).error().text, testing::StartsWith(text));
  for (const ExternalHosts& one : {each, ExternalHosts{.senders = {"vm2"}}, ExternalHosts{.receivers = {"vm3"}}})
    EXPECT_EQ(parse_campaign(to_json({.axes = {}, .external = one}))->external, one);
}

// Those that come with the bench.
TEST(CampaignFile, TheSevenCasesCanBeStarted) {
  for (int number = 1; number <= 7; number++)
    for (const char* variant : {"", "-quick"}) {
      const std::string path = N2NQ_SOURCE_DIR "/resources/plans/thesis-" + std::to_string(number) + variant + ".json";
      const auto campaign = read_campaign_file(path);
      ASSERT_TRUE(campaign) << campaign.error().text;
      EXPECT_EQ(problem_of(*campaign).value_or("none"), "none") << path;
      EXPECT_FALSE(campaign->figures.empty()) << path;
    }
}

TEST(CampaignFile, TheStudiesOfRequestsAndRepliesCanBeStarted) {
  int64_t quick_ns = 0;
  for (const char* study : {"002", "003"})
    for (const char* variant : {"", "-quick"}) {
      const std::string path = std::string(N2NQ_SOURCE_DIR "/resources/plans/seed-") + study + variant + ".json";
      const auto campaign = read_campaign_file(path);
      ASSERT_TRUE(campaign) << campaign.error().text;
      EXPECT_EQ(problem_of(*campaign).value_or("none"), "none") << path;
      EXPECT_FALSE(campaign->figures.empty()) << path;
      const auto points = points_of(*campaign);
      ASSERT_TRUE(points) << points.error().text;
      for (const Point& point : *points) EXPECT_TRUE(plan::asks_for_replies(point.plan)) << path;
      EXPECT_EQ(campaign->repeats, 3) << "findings need as many";
      if (*variant != '\0') quick_ns += estimate_of(*campaign).duration_ns;
    }
  EXPECT_LT(quick_ns, 150'000'000'000) << "both together";
}

TEST(CampaignFile, TheStudyOfKafkaAndRabbitMqCanBeStarted) {
  int64_t quick_ns = 0;
  const std::map<std::string, size_t> amounts{
      {"", 15}, {"-quick", 6}, {"-rabbitmq", 96}, {"-rabbitmq-quick", 4}, {"-kafka", 240}, {"-kafka-quick", 6}};
  for (const char* part : {"", "-rabbitmq", "-kafka"})
    for (const char* variant : {"", "-quick"}) {
      const std::string name = std::string(part) + variant;
      const std::string path = std::string(N2NQ_SOURCE_DIR "/resources/plans/seed-001") + name + ".json";
      const auto campaign = read_campaign_file(path);
      ASSERT_TRUE(campaign) << campaign.error().text;
      EXPECT_EQ(problem_of(*campaign).value_or("none"), "none") << path;
      EXPECT_FALSE(campaign->figures.empty()) << path;
      EXPECT_EQ(campaign->repeats, 3) << "findings need as many";
      const auto points = points_of(*campaign);
      ASSERT_TRUE(points) << points.error().text;
      EXPECT_EQ(points->size(), amounts.at(name)) << path;
      for (const Point& point : *points) EXPECT_TRUE(point.plan.bus.starts_server()) << path;
      if (*variant != '\0') quick_ns += estimate_of(*campaign).duration_ns;
    }
  EXPECT_LT(quick_ns, 330'000'000'000) << "all three, with the start of their servers";
}

// The relay twice in each round, and every other bus in each workload whose mode it has.
TEST(CampaignFile, TheBusesBesideARelayCanBeCompared) {
  for (const auto& [name, quick] : {std::pair("latency", false), std::pair("latency", true),
                                    std::pair("throughput", false), std::pair("throughput", true)}) {
    SCOPED_TRACE(std::string(name) + (quick ? ", quick" : ""));
    const auto campaign = read_campaign_file(std::string(N2NQ_SOURCE_DIR "/resources/plans/peers-") + name +
                                             (quick ? "-quick.json" : ".json"));
    ASSERT_TRUE(campaign) << campaign.error().text;
    EXPECT_EQ(problem_of(*campaign).value_or("none"), "none");
    EXPECT_FALSE(campaign->figures.empty());
    const auto points = points_of(*campaign);
    ASSERT_TRUE(points) << points.error().text;
    std::map<std::string, std::multiset<std::string>> buses;  // by workload
    std::set<std::string> balanced;                           // workloads
    for (const Point& point : *points) {
      EXPECT_TRUE(point.plan.awake);
      const std::string& workload = campaign->axes[0].values[point.at[0]].label;
      buses[workload].insert(point.plan.bus.kind);
      if (plan::balances(point.plan.queue)) balanced.insert(workload);
    }
    EXPECT_EQ(buses.size(), campaign->axes[0].values.size());
    EXPECT_EQ(balanced.size(), 1u);
    for (const auto& [workload, kinds] : buses) {
      EXPECT_EQ(kinds.count("relay"), 2u) << workload;
      for (const bus::BusTraits& bus : bus::all_buses())
        if (!bus.meets_directly && bus.kind != "relay") {
          EXPECT_EQ(kinds.contains(std::string(bus.kind)), bus.load_balancer || !balanced.contains(workload))
              << bus.kind << ", " << workload;
        }
    }
    if (quick) {
      EXPECT_LT(estimate_of(*campaign).duration_ns, 240'000'000'000);
    } else {
      EXPECT_GE(campaign->repeats, 15u);
    }
  }
}

TEST(CampaignFile, TheOneOfWaitingForServiceCanBeStarted) {
  const auto campaign = read_campaign_file(N2NQ_SOURCE_DIR "/resources/plans/waiting.json");
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_EQ(problem_of(*campaign).value_or("none"), "none");
  // The load is what the axis says.
  const auto points = points_of(*campaign);
  ASSERT_TRUE(points) << points.error().text;
  for (const Point& point : *points) {
    const plan::RunPlan& plan = point.plan;
    const double load = static_cast<double>(plan.receivers.service_time.mean_ns) * plan.senders.fleet.count /
                        (static_cast<double>(plan.senders.delay_ns) * plan.receivers.fleet.count);
    EXPECT_NEAR(load * 100, std::stod(campaign->axes[1].values[point.at[1]].label), 0.01);
  }
}

// Together they are to stay within four and a half minutes; what a run takes beside its sending is in the estimate.
TEST(CampaignFile, TheQuickVariantsAreQuick) {
  int64_t together_ns = 0;
  for (int number = 1; number <= 7; number++)
    together_ns += estimate_of(*read_campaign_file(N2NQ_SOURCE_DIR "/resources/plans/thesis-" + std::to_string(number) +
                                                   "-quick.json"))
                       .duration_ns;
  EXPECT_LT(together_ns, 270'000'000'000);
}

TEST(CampaignFile, NamesTheFieldThatIsWrong) {
  EXPECT_THAT(trouble("[]"), HasSubstr("a campaign is {"));
  EXPECT_THAT(trouble("{"), HasSubstr("it is not JSON"));
  EXPECT_EQ(trouble(R"({"axes": []})"), "version: it is missing; this n2nq-bench writes 1");
  EXPECT_THAT(trouble(R"({"version": 2, "axes": []})"), HasSubstr("version: 2 is not supported"));
  EXPECT_THAT(trouble(R"({"version": 1})"), HasSubstr("axes: missing"));
  EXPECT_THAT(trouble(with(R"("repeat": 3)")), HasSubstr("repeat: there is no such field; there are version, name"));
  EXPECT_THAT(trouble(with(R"("repeats": 0)")), HasSubstr("repeats: 0 is out of range; expected 1 to 1000"));
  EXPECT_THAT(trouble(with(R"("pause": "soon")")), HasSubstr("pause: \"soon\" is not a duration"));
  EXPECT_THAT(trouble(with(R"("every": "10min since 8")")), HasSubstr("every: \"10min since 8\" has"));
  EXPECT_THAT(trouble(with(R"("order": "alphabetical")")),
              HasSubstr("order: \"alphabetical\" is not one of sequential, interleaved, random"));
  EXPECT_THAT(trouble(with(R"("stop": {"never": true})")), HasSubstr("stop: never: there is no such field"));
  EXPECT_THAT(trouble(with(R"("base": {"queue": {"mode": "foo"}})")), HasSubstr("base: queue.mode: \"foo\""));
  EXPECT_THAT(trouble(R"({"version": 1, "axes": [{"field": "senders.sise", "values": [1]}]})"),
              HasSubstr("axes[0]: values[0]: \"senders.sise\" is not a plan field; did you mean senders.size?"));
  EXPECT_THAT(trouble(R"({"version": 1, "axes": [{"name": "x", "values": [{"set": {}}]}]})"),
              HasSubstr("axes[0]: values[0]: label: it is missing"));
  EXPECT_THAT(trouble(with(R"("figures": [{"kind": "pie"}])")),
              HasSubstr("figures[0]: kind: \"pie\" is not one of means, percentiles, cdf, boxes, raincloud"));
  EXPECT_THAT(trouble(with(R"("figures": [{"x": 5}])")), HasSubstr("figures[0]: x: 5 is not a text"));
  EXPECT_THAT(trouble(with(R"("figures": [{"whiskers": "wide"}])")),
              HasSubstr("figures[0]: whiskers: \"wide\" is not how far whiskers reach; give \"1.5 boxes\""));
  EXPECT_THAT(trouble(with(R"("figures": [{"without": "all"}])")),
              HasSubstr("figures[0]: without: \"all\" is not what is left out; give \"the slowest 5 %\""));
  EXPECT_THAT(trouble(with(R"("figures": [{"repeats": "3-1"}])")),
              HasSubstr("figures[0]: repeats: \"3-1\" is no repeat; give numbers and spans of them"));
}

}  // namespace
}  // namespace n2nq::campaign
