#include "app/campaign/campaign_form.h"

#include <gmock/gmock.h>

#include "app/campaign/axes_figures.h"
#include "app/campaign/campaign_file.h"
#include "app/campaign/points.h"

namespace n2nq::campaign {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

Campaign bundled(const std::string& name) {
  return *read_campaign_file(N2NQ_SOURCE_DIR "/resources/plans/" + name + ".json");
}
Campaign bundled(int number, const char* variant) {
  return bundled("thesis-" + std::to_string(number) + variant);
}

CampaignForm form_with(const AxisForm& axis) {
  CampaignForm form;
  form.axes = {axis};
  return form;
}

std::string error_of(const CampaignForm& form) {
  const auto campaign = campaign_of(form);
  return campaign ? "" : campaign.error().text;
}

TEST(CampaignForm, OfEachCaseReadsBackAsTheCase) {
  for (int number = 1; number <= 7; number++)
    for (const char* variant : {"", "-quick"}) {
      const Campaign campaign = bundled(number, variant);
      const auto again = campaign_of(form_of(campaign));
      ASSERT_TRUE(again) << again.error().text;
      EXPECT_EQ(*again, campaign) << number << variant;
    }
}

TEST(CampaignForm, OfTheOtherStudiesReadsBackAsThey) {
  for (const char* name :
       {"seed-002", "seed-002-quick", "seed-002-resources", "seed-002-resources-quick", "seed-003", "seed-003-quick",
        "seed-003-day", "seed-003-day-quick", "seed-004", "seed-004-quick", "seed-004-kafka", "seed-004-kafka-quick",
        "peers-latency", "peers-throughput", "thesis-containers"}) {
    const Campaign campaign = bundled(name);
    const auto again = campaign_of(form_of(campaign));
    ASSERT_TRUE(again) << again.error().text;
    EXPECT_EQ(*again, campaign) << name;
  }
}

TEST(CampaignForm, HasFieldsAndValuesWhereAllValuesGoToTheSameFields) {
  const CampaignForm form = form_of(bundled(1, ""));
  ASSERT_THAT(form.axes, SizeIs(2));
  EXPECT_EQ(form.axes[0],
            (AxisForm{.name = "message size", .fields = "senders.size", .values = "100B, 1kB, 2kB, 4kB, 8kB, 16kB"}));
  EXPECT_EQ(form.axes[1].fields, "senders.count, receivers.count");
  EXPECT_EQ(form_of(bundled(7, "")).axes[1].fields, "") << "each way says what it sets";
}

TEST(CampaignForm, LeavesOutNothingByAnAxisOrAValueThatIsGone) {
  CampaignForm form = form_of(bundled("peers-latency"));
  ASSERT_THAT(form.rest.except, SizeIs(3));
  form.axes.back().name = "server";
  const auto campaign = campaign_of(form);
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_THAT(campaign->except, SizeIs(0));
  form = form_of(bundled("peers-latency"));
  const size_t at = form.axes[0].values.find(" | \"D: 100 to 100, 50 ms\"");
  ASSERT_NE(at, std::string::npos) << form.axes[0].values;
  form.axes[0].values.erase(at);
  const auto without = campaign_of(form);
  ASSERT_TRUE(without) << without.error().text;
  EXPECT_THAT(without->except, SizeIs(3));
  EXPECT_EQ(without->except.back().at("workload"),
            (std::vector<std::string>{"A: 10 to 10, 20 ms", "C: 100 to 100, 100 ms"}));
  EXPECT_THAT(form.rest.except, SizeIs(3)) << "it comes back with the name";
}

TEST(CampaignForm, IsKeptHalfTyped) {
  CampaignForm form = form_of(bundled(7, "-quick"));
  form.axes.push_back({.name = "\"", .fields = "senders.siz", .values = "1, x, \""});
  form.repeats = "1x";
  form.tries = "";
  form.pause = "2 parsecs";
  form.every = "10min fr";
  form.limit = "p99 >";
  form.external_senders = "vm2, ";
  form.external_receivers = " vm";
  form.figures_for = "p99";
  const auto again = parse_form(to_json(form));
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(*again, form);
  EXPECT_FALSE(parse_form("{}"));
  EXPECT_FALSE(parse_form("half a f"));
}

TEST(CampaignForm, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(error_of(form_with({.name = "a", .fields = "senders.cuont", .values = "1"})),
              HasSubstr("axis 1: \"senders.cuont\" is not a plan field; did you mean senders.count?"));
  EXPECT_THAT(error_of(form_with({.name = "a", .fields = "senders.count", .values = "1, x"})),
              HasSubstr("axis 1: senders.count: "));
  EXPECT_THAT(error_of(form_with({.name = "a", .fields = "senders.count", .values = ""})), HasSubstr("no values"));
  EXPECT_THAT(error_of(form_with({.name = "", .fields = "", .values = "x: senders.count=1"})),
              HasSubstr("needs a name"));
  EXPECT_THAT(error_of(form_with({.name = "a", .fields = "", .values = "plain"})), HasSubstr("enter NAME: KEY=VALUE"));
  EXPECT_THAT(error_of(form_with({.name = "a", .fields = "senders.count", .values = "\"1"})), HasSubstr("quotes"));
  CampaignForm form;
  form.repeats = "0";
  EXPECT_THAT(error_of(form), HasSubstr("repeats: \"0\" is not valid; expected 1 to 1000"));
  form = {};
  form.tries = "many";
  EXPECT_THAT(error_of(form), HasSubstr("tries: "));
  form = {};
  form.pause = "2";
  EXPECT_THAT(error_of(form), HasSubstr("pause: "));
}

TEST(CampaignForm, TakesValuesAsTheWindowWritesThem) {
  const auto campaign =
      campaign_of(form_with({.name = "", .fields = "senders.delay", .values = "20 ms, 1.5 s, \"1,000 us\""}));
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_THAT(campaign->axes[0].values,
              ElementsAre(testing::Field(&AxisValue::label, "20ms"), testing::Field(&AxisValue::label, "1.5s"),
                          testing::Field(&AxisValue::label, "1000us")));
  EXPECT_EQ((*points_of(*campaign))[0].plan.senders.delay_ns, 20'000'000);
  const auto words = campaign_of(form_with({.name = "", .fields = "queue.policy", .values = "round robin, random"}));
  ASSERT_TRUE(words) << words.error().text;
  EXPECT_EQ((*points_of(*words))[0].plan.queue.policy, plan::Policy::round_robin);
  const auto texts = campaign_of(form_with({.name = "", .fields = "name", .values = "5 ms, 10 ms"}));
  ASSERT_TRUE(texts) << texts.error().text;
  EXPECT_EQ(texts->axes[0].values[0].label, "5 ms") << "a name is no number";
}

TEST(CampaignForm, DoesNotTakeAThousandForTwoValues) {
  EXPECT_THAT(error_of(form_with({.name = "", .fields = "senders.seed", .values = "1,000, 2,000"})),
              HasSubstr("\"1,000\" is two values, as it contains a comma; enter 1000"));
}

TEST(CampaignForm, TakesWhatIsTyped) {
  CampaignForm form = form_with({.name = "", .fields = " senders.hosts ", .values = " \"vm2,vm3\" , vm2 "});
  form.repeats = "1,000";
  form.pause = "";
  form.external_senders = " vm2 , vm3";
  form.external_receivers = "vm4";
  form.limit = " p99 > 5ms ";
  const auto campaign = campaign_of(form);
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_EQ(campaign->axes[0].name, "senders.hosts");
  EXPECT_EQ(campaign->axes[0].values[0].label, "vm2,vm3");
  EXPECT_EQ((*points_of(*campaign))[0].plan.senders.fleet.hosts, (std::vector<std::string>{"vm2", "vm3"}));
  EXPECT_EQ(campaign->repeats, 1000u);
  EXPECT_THAT(campaign->external.senders, ElementsAre("vm2", "vm3"));
  EXPECT_THAT(campaign->external.receivers, ElementsAre("vm4"));
  form.external_receivers = "vm4, ";
  EXPECT_THAT(campaign_of(form)->external.receivers, ElementsAre("vm4")) << "half typed";
  form.external_receivers = "vm4, , vm5";
  EXPECT_THAT(campaign_of(form).error().text, HasSubstr("external hosts: \" \" is not a host name"));
  EXPECT_EQ(campaign->stop.limit, "p99 > 5ms");
}

TEST(CampaignForm, OfAPlanCanBeStartedAsItIs) {
  plan::RunPlan plan;
  plan.name = "mine";
  const auto campaign = campaign_of(form_of_plan(plan));
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_EQ(problem_of(*campaign), std::nullopt);
  EXPECT_EQ(campaign->name, "mine");
  EXPECT_THAT(campaign->figures, SizeIs(1));
}

TEST(CampaignForm, OfAPlanOverTwoBusesCanBeStartedAsItIs) {
  plan::RunPlan plan;
  plan.name = "mine";
  plan.senders.fleet.count = 3;
  plan.senders.duration_ns = 20'000'000'000;
  plan.queue.retention_ns = 1'000'000;  // which no other bus has
  const auto campaign = campaign_of(form_of_buses(plan, buses_for(plan)));
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_EQ(problem_of(*campaign), std::nullopt);
  EXPECT_EQ(campaign->name, "mine over Kafka and RabbitMQ");
  EXPECT_EQ(campaign->order, Order::interleaved);
  EXPECT_EQ(campaign->repeats, 5u);
  const auto points = points_of(*campaign);
  ASSERT_TRUE(points) << points.error().text;
  ASSERT_THAT(*points, SizeIs(2));
  for (const Point& point : *points) {
    EXPECT_GE(point.plan.warmup_ns, point.plan.bus.traits().warms_up_ns) << point.plan.bus.kind;
    EXPECT_EQ(point.plan.senders.fleet.count, 3u);
  }
  EXPECT_EQ((*points)[0].plan.bus.kind, "kafka");
  EXPECT_EQ((*points)[1].plan.bus.kind, "rabbitmq");
  plan.senders.duration_ns = 1'000'000'000;
  EXPECT_EQ(form_of_buses(plan, buses_for(plan)).rest.base.warmup_ns, plan.warmup_ns)
      << "nothing would be left of a second";
}

TEST(CampaignForm, OfAPlanOverTwoBusesSaysWhatItLeavesAsideAndLacks) {
  plan::RunPlan plan;
  plan.senders.duration_ns = 20'000'000'000;
  EXPECT_EQ(note_of_buses(plan, buses_for(plan)), "");
  plan.warmup_ns = 3'000'000'000;
  EXPECT_EQ(note_of_buses(plan, buses_for(plan)), "") << "a longer warm-up stays";
  plan.queue.retention_ns = 1'000'000;
  EXPECT_THAT(note_of_buses(plan, buses_for(plan)),
              StartsWith("Not taken over from the plan: Remove after. Both buses have default"));
  plan = {};
  plan.bus.kind = "redis-streams";
  plan.bus.settings = {{"address", "10.0.0.7"}};
  plan.senders.duration_ns = 2'000'000'000;
  EXPECT_THAT(note_of_buses(plan, buses_for(plan)), StartsWith("Not taken over from the plan: Bus server. "));
  EXPECT_THAT(note_of_buses(plan, buses_for(plan)),
              EndsWith("Its runs have no time for a warm-up of 2 s, and will be doubtful: give "
                       "the plan a duration of more than 4 s."));
}

TEST(CampaignForm, OfAPlanOverItsBusAndAnotherHasEachAsItComes) {
  for (const char* kind : {"kafka", "rabbitmq", "redis-streams", "redis-pubsub", "nats", "jetstream", "http"}) {
    plan::RunPlan plan;
    plan.bus.kind = kind;
    plan.bus.settings = {{"address", "10.0.0.7"}};
    const auto campaign = campaign_of(form_of_buses(plan, buses_for(plan)));
    ASSERT_TRUE(campaign) << kind << ": " << campaign.error().text;
    EXPECT_EQ(problem_of(*campaign), std::nullopt) << kind;
    const auto points = points_of(*campaign);
    ASSERT_THAT(*points, SizeIs(2));
    EXPECT_EQ((*points)[0].plan.bus.kind, kind);
    EXPECT_EQ((*points)[1].plan.bus.kind, std::string(kind) == "kafka" ? "rabbitmq" : "kafka");
    for (const Point& point : *points) EXPECT_EQ(point.plan.bus.attached_server(), "") << kind;
  }
}

TEST(CampaignForm, OfTwoBusesThatAreThereCanAlwaysBeStarted) {
  const auto with = [](const std::vector<std::string>& servers) { return buses_with(servers); };
  EXPECT_EQ(with({"redis", "kafka", "rabbitmq", "nats"}), (TwoBuses{"kafka", "rabbitmq"}));
  EXPECT_EQ(with({"nats", "redis"}), (TwoBuses{"redis-streams", "nats"}));
  EXPECT_EQ(with({"rabbitmq"}), (TwoBuses{"rabbitmq", "n2nq"}));
  EXPECT_EQ(with({}), (TwoBuses{"n2nq", "websocket"})) << "which need no server";
  for (const std::vector<std::string>& servers : {std::vector<std::string>{}, {"rabbitmq"}, {"nats", "redis"}}) {
    const auto campaign = campaign_of(form_of_buses(plan::RunPlan(), with(servers)));
    ASSERT_TRUE(campaign) << campaign.error().text;
    EXPECT_EQ(problem_of(*campaign), std::nullopt);
  }
}

TEST(FiguresOfAxes, DrawOverNumbersWithCurvesAndAFigureForEachChoiceOfTheRest) {
  Campaign campaign = bundled(3, "-quick");
  campaign.figures = figures_of_axes(campaign, "p99");
  EXPECT_EQ(problem_of(campaign), std::nullopt);
  ASSERT_THAT(campaign.figures, SizeIs(4)) << "modes by places";
  EXPECT_EQ(campaign.figures[0].x, "services");
  EXPECT_EQ(campaign.figures[0].curves, "delay");
  EXPECT_EQ(campaign.figures[0].metric, "p99");
  EXPECT_EQ(campaign.figures[3].id, "figure-4");
}

TEST(FiguresOfAxes, FitEachCaseAndPairedAxes) {
  for (int number = 1; number <= 7; number++) {
    Campaign campaign = bundled(number, "-quick");
    campaign.figures = figures_of_axes(campaign, "trimmed");
    EXPECT_EQ(problem_of(campaign), std::nullopt) << number;
  }
  Campaign paired;
  const std::vector<AxisValue> two = {{.label = "a", .set = {}}, {.label = "b", .set = {}}};
  paired.axes = {{.name = "one", .values = two}, {.name = "two", .values = two}};
  paired.combine = Combine::paired;
  paired.figures = figures_of_axes(paired, "trimmed");
  EXPECT_EQ(problem_of(paired), std::nullopt);
  EXPECT_THAT(paired.figures, SizeIs(1));
  EXPECT_THAT(figures_of_axes({}, "trimmed"), IsEmpty());
}

}  // namespace
}  // namespace n2nq::campaign
