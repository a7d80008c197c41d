#include "app/compare/comparison.h"

#include <gmock/gmock.h>

#include "app/compare/titles.h"
#include "tests/unit/app/compare/example_side.h"

namespace n2nq::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const figures::Metric& metric(const char* name) {
  return *figures::find_metric(name);
}

TEST(Comparison, MeasuresBAgainstA) {
  const auto found = compare_by(metric("p99"), test::side_with("A", {100'000, 101'000, 99'000}),
                                test::side_with("B", {200'000, 198'000, 202'000}));
  ASSERT_TRUE(found.b_to_a);
  EXPECT_NEAR(found.b_to_a->ratio, 2, 0.01);
  EXPECT_THAT(found.a, ElementsAre(100'000, 101'000, 99'000));
  EXPECT_NEAR(found.of_b->mean, 200'000, 1);
  EXPECT_THAT(found.statement, HasSubstr("B is 100 % slower at p99"));
}

TEST(Comparison, OfRatesSaysHigherOrLower) {
  const Side a = test::side_with("A", {1, 1, 1});
  Side b = test::side_with("B", {1, 1, 1});
  for (record::RunRecord& run : b.runs) run.totals.received = 2'000;
  const auto found = compare_by(metric("rate"), a, b);
  EXPECT_THAT(found.a, ElementsAre(500, 500, 500));
  EXPECT_THAT(found.statement, HasSubstr("B is 100 % higher in rate"));
}

TEST(Comparison, OfProcessorTimeSaysMoreOrLess) {
  const auto with_busy = [](const char* name, double busy) {
    Side side = test::side_with(name, {1, 1, 1});
    for (record::RunRecord& run : side.runs)
      run.hosts = {{.place = record::queue_place(run),
                    .series = {{.name = "cpu_user", .value = busy},
                               {.name = "cpu_system", .value = 0},
                               {.name = "cpu_iowait", .value = 0},
                               {.name = "cpu_steal", .value = 0},
                               {.name = "cpu_idle", .value = 100 - busy}}}};
    return side;
  };
  const auto found = compare_by(metric("host-cpu"), with_busy("A", 20), with_busy("B", 10));
  EXPECT_THAT(found.statement, HasSubstr("B has 50 % less processor time of the queue's host, 95 % CI"));
}

TEST(Comparison, NamesEachFigureAsPeopleCallIt) {
  for (const figures::Metric& one : figures::metrics())
    EXPECT_EQ(one.said.find('-'), std::string_view::npos) << one.said;
}

TEST(Comparison, OfCountsHasNoRatio) {
  const Side a = test::side_with("A", {1, 1});
  Side b = test::side_with("B", {1, 1});
  b.runs[1].totals.lost = 5;
  const auto found = compare_by(metric("lost"), a, b);
  EXPECT_FALSE(found.b_to_a);
  EXPECT_EQ(found.statement, "A 0 in 2, B 5 in 2 runs");
  for (record::RunRecord& run : b.runs) run.totals.lost.reset();
  EXPECT_EQ(compare_by(metric("lost"), a, b).statement, "unknown on one side: no statement");
}

TEST(Comparison, OfTooFewRunsMakesNoStatement) {
  const auto found = compare_by(metric("p99"), test::side_with("A", {1}), test::side_with("B", {2}));
  EXPECT_FALSE(found.b_to_a);
  EXPECT_EQ(found.statement, "one run each: no statement");
  const auto none = compare_by(metric("p50"), test::side_with("A", {1}), test::side_with("B", {2}));
  EXPECT_FALSE(none.of_a);
}

TEST(Comparison, HasEveryMetric) {
  const auto among = [](plan::MetricOf of) {
    return static_cast<size_t>(
        std::ranges::count_if(figures::metrics(), [of](const auto& one) { return one.places.of == of; }));
  };
  const size_t everywhere = among(plan::MetricOf::all) - 4;
  Side a = test::side_with("A", {1}), b = test::side_with("B", {2});
  const auto all = compare_sides(a, b);
  EXPECT_EQ(all.size(), everywhere) << "all but those of receivers with a service time, of replies and of answers";
  for (const MetricComparison& one : all) EXPECT_FALSE(one.statement.empty());
  for (Side* side : {&a, &b})
    for (record::RunRecord& run : side->runs) run.plan.queue.mode = plan::Mode::request_reply;
  EXPECT_EQ(compare_sides(a, b).size(), everywhere + among(plan::MetricOf::replies));
  EXPECT_EQ(side_figures(std::vector{a, b}).back().name, "Timed out");
  for (record::RunRecord& run : b.runs) run.plan.bus.kind = "http";
  for (record::RunRecord& run : b.runs) run.plan.queue.mode = plan::Mode::load_balancer;
  EXPECT_EQ(compare_sides(b, b).size(), everywhere + among(plan::MetricOf::answers) +
                                            among(plan::MetricOf::other_buses) + among(plan::MetricOf::copies));
}

void make_doubtful(record::RunRecord& run, const char* id, const char* text) {
  run.trust = record::Trust::doubtful;
  run.warnings.push_back({.id = id, .text = text, .doubt = true});
}

TEST(DoubtOfAComparison, SaysHowManyAndWhyAndWhetherTheOthersSayTheSame) {
  const figures::Metric& p99 = *figures::find_metric("p99");
  std::vector<Side> sides{test::side_with("A", {100, 101, 102, 103}), test::side_with("B", {200, 201, 202, 203})};
  EXPECT_EQ(doubt_of(p99, sides).text(), "");
  make_doubtful(sides[0].runs[3], "others", "other programs used 1 core");
  make_doubtful(sides[1].runs[3], "others", "other programs used 2 cores");
  make_doubtful(sides[1].runs[3], "warmup", "it is slower at first");
  Doubt doubt = doubt_of(p99, sides);
  EXPECT_TRUE(doubt.holds);
  EXPECT_EQ(doubt.text(),
            "2 of 8 runs are doubtful: other programs used 1 core (this or the like in 2 runs); it is slower at first "
            "(1 run). Without them the answer at p99 is the same.");
  make_doubtful(sides[1].runs[2], "few", "too few values");
  doubt = doubt_of(p99, sides);
  EXPECT_FALSE(doubt.holds) << "two are left of B";
  EXPECT_THAT(doubt.text(), testing::EndsWith("; and 1 more."));
}

// Where the sound runs alone say nothing, or something else, the doubtful ones decided.
TEST(DoubtOfAComparison, DoesNotHoldWhereTheOthersSaySomethingElse) {
  const figures::Metric& p99 = *figures::find_metric("p99");
  std::vector<Side> sides{test::side_with("A", {100, 101, 105, 102, 104, 103}),
                          test::side_with("B", {101, 104, 103, 180, 190, 185, 182, 188, 184, 186, 183})};
  for (size_t i = 3; i < 11; i++) make_doubtful(sides[1].runs[i], "others", "other programs");
  ASSERT_TRUE(compare_by(p99, sides[0], sides[1]).b_to_a->differs());
  const Doubt doubt = doubt_of(p99, sides);
  EXPECT_FALSE(doubt.holds);
}

TEST(Remarks, SayWhatMustBeKnown) {
  Side a = test::side_with("A", {1});
  Side b = test::side_with("B", {2});
  EXPECT_THAT(remarks(a, b), ElementsAre());
  a.left_out = {"#4 failed: killed"};
  a.runs[0].rate_reached = false;
  b.runs[0].plan.queue.responses = true;
  b.runs[0].clock_kind = "measured";
  b.runs[0].clock_bound_ns = 41'000;
  a.runs[0].machine_json = R"({"processor": "y", "kernel": "6.1"})";
  b.runs[0].machine_json = R"({"processor": "x", "kernel": "6.1"})";
  EXPECT_THAT(unlike_settings(a, b), ElementsAre("Receiver responses: A off, B on"));
  EXPECT_THAT(remarks(a, b), UnorderedElementsAre("A is without #4 failed: killed",
                                                  "A: in 1 of 1 runs the senders did not reach the rate of the plan",
                                                  "B: clocks of several hosts, latencies are accurate within 41.0 µs",
                                                  "the runs of A and B ran on different computers or kernels"));
}

TEST(Remarks, SayWhereLatencyLeavesLatenessOut) {
  Side a = test::side_with("A", {1'000'000});
  Side b = test::side_with("B", {2'000'000});
  const auto set = [](Side& side, Latency which, int64_t ns) {
    measure::LatencySummary& one = side.runs[0].latencies[which];
    one.count = 1000;
    one.p50 = one.p99 = ns;
  };
  for (Side* side : {&a, &b}) set(*side, Latency::latency, 1'000'000);
  set(a, Latency::scheduled_latency, 9'000'000);
  set(b, Latency::scheduled_latency, 1'000'000);
  EXPECT_THAT(remarks(a, b), ElementsAre()) << "it is compared from the intended send";
  b.runs[0].latencies[Latency::scheduled_latency] = {};
  const char* said =
      "A: senders were late, and latency leaves that out here: it is compared from the actual send, as "
      "B has no schedule";
  EXPECT_THAT(remarks(a, b), ElementsAre(said));
  EXPECT_THAT(remarks(b, a), ElementsAre(said));
}

// What the other bus has no place for, and what is not as it is initially.
TEST(Remarks, NameTheSettingsOfEachBus) {
  Side a = test::side_with("A", {1});
  Side b = test::side_with("B", {2});
  a.runs[0].plan.bus = {.kind = "kafka", .settings = {{"partitions", "10"}, {"flush_messages", "1"}}};
  b.runs[0].plan.bus = {.kind = "rabbitmq", .settings = {{"queue_type", "quorum"}}};
  EXPECT_THAT(unlike_settings(a, b),
              UnorderedElementsAre("Bus: A Kafka, B RabbitMQ", HasSubstr(": A 1"), HasSubstr(": B quorum")));
}

// The bench's computer says nothing of runs on hosts: by it these would be alike where they are not, and the other way
// round.
TEST(Remarks, GoByTheComputersOfTheRunsWhereTheyAreKnown) {
  Side a = test::side_with("A", {1});
  Side b = test::side_with("B", {2});
  a.runs[0].machine_json = b.runs[0].machine_json = R"({"processor": "x", "kernel": "6.1"})";
  a.runs[0].machines = {{.place = "vm1", .facts = {.processor = "y", .kernel = "6.1"}}};
  b.runs[0].machines = {{.place = "vm1", .facts = {.processor = "z", .kernel = "6.1"}}};
  EXPECT_THAT(remarks(a, b), ElementsAre("the runs of A and B ran on different computers or kernels"));
  b.runs[0].machines = a.runs[0].machines;
  b.runs[0].machine_json = R"({"processor": "another workstation", "kernel": "6.1"})";
  EXPECT_THAT(remarks(a, b), ElementsAre());
}

// Whoever wrote an archive may have put anything there.
TEST(Remarks, TakeAMachineOfAnyForm) {
  Side a = test::side_with("A", {1, 2});
  Side b = test::side_with("B", {2});
  a.runs[0].machine_json = R"({"processor": "x", "kernel": "6.1"})";
  a.runs[1].machine_json = R"({"processor": "x", "kernel": "6.1"})";
  for (const char* machine : {R"({"processor": 5, "kernel": "6.1"})", R"({"processor": {}, "kernel": [null]})"}) {
    b.runs[0].machine_json = machine;
    EXPECT_THAT(remarks(a, b), ElementsAre("the runs of A and B ran on different computers or kernels"));
  }
  for (const char* machine : {"[1]", "nonsense", ""}) {
    b.runs[0].machine_json = machine;
    EXPECT_THAT(remarks(a, b), ElementsAre()) << machine;
  }
}

TEST(Remarks, NameTheServersClientsAndConnectionsOfABusWhereTheyDiffer) {
  Side a = test::side_with("A", {1, 1});
  Side b = test::side_with("B", {2});
  const auto set = [](record::RunRecord& run, const char* server, const char* client, bool nodelay,
                      const char* congestion) {
    run.plan.bus.kind = "redis-pubsub";
    run.server = server;
    run.bus_client = client;
    run.processes = {{.role = Role::broker}, {.role = Role::sender, .nodelay = nodelay, .congestion = congestion}};
  };
  for (record::RunRecord& run : a.runs) set(run, "redis-server 6.2.14", "n2nq 0.1.0", true, "cubic");
  set(b.runs[0], "redis-server 6.2.14", "n2nq 0.1.0", true, "cubic");
  EXPECT_THAT(remarks(a, b), ElementsAre());
  set(b.runs[0], "redis-server 7.0.15", "n2nq 0.2.0", false, "bbr");
  EXPECT_THAT(remarks(a, b), ElementsAre("the bus's servers differ: A redis-server 6.2.14, B redis-server 7.0.15",
                                         "the bus's clients differ: A n2nq 0.1.0, B n2nq 0.2.0",
                                         "TCP_NODELAY of the workers' connections differs: A on, B off",
                                         "the congestion control of the workers' connections differs: A cubic, B bbr"));
  set(a.runs[1], "redis-server 7.0.15", "n2nq 0.2.0", false, "bbr");
  EXPECT_THAT(remarks(a, b),
              testing::Contains("the bus's servers differ: A redis-server 6.2.14 and redis-server 7.0.15, "
                                "B redis-server 7.0.15"));
}

TEST(Remarks, SayNothingOfServersThatAreUnknownOrOfOtherBuses) {
  Side a = test::side_with("A", {1});
  Side b = test::side_with("B", {2});
  a.runs[0].plan.bus.kind = b.runs[0].plan.bus.kind = "redis-pubsub";
  a.runs[0].server = "redis-server 6.2.14";
  a.runs[0].bus_client = "n2nq 0.1.0";
  a.runs[0].processes = {{.role = Role::sender, .nodelay = true, .congestion = "cubic"}};
  b.runs[0].processes = {{.role = Role::sender}};
  EXPECT_THAT(remarks(a, b), ElementsAre());
  b.runs[0] = a.runs[0];
  b.runs[0].plan.bus.kind = "redis-streams";
  b.runs[0].server = "redis-server 7.0.15";
  b.runs[0].bus_client = "n2nq 0.2.0";
  b.runs[0].processes[0].nodelay = false;
  EXPECT_THAT(remarks(a, b), ElementsAre());
}

TEST(Remarks, OfASettingThatOneOfTheBusesIsWithoutSayWhatWasChosen) {
  Side a = test::side_with("A", {1});
  Side b = test::side_with("B", {2});
  b.runs[0].plan.bus.kind = "redis-streams";
  EXPECT_THAT(unlike_settings(a, b), ElementsAre("Bus: A N2NQ, B Redis Streams"));
  b.runs[0].plan.bus.settings = {{"profile", "throughput"}};
  EXPECT_THAT(unlike_settings(a, b), ElementsAre("Bus: A N2NQ, B Redis Streams", "Bus profile: B throughput"));
}

TEST(Remarks, GoByTheSettingsOfTheBusAsTheRunsHadThem) {
  Side a = test::side_with("A", {1});
  Side b = test::side_with("B", {2});
  for (Side* side : {&a, &b})
    side->runs[0].plan.bus = {.kind = "redis-pubsub", .settings = {{"profile", "throughput"}}};
  a.runs[0].bus_settings = R"({"profile": "throughput", "window": "77"})";
  EXPECT_THAT(unlike_settings(a, b), ElementsAre("Bus unanswered: A 77, B 10,000"));
}

TEST(Remarks, SayNothingOfMachinesWhereASideHasNoRun) {
  Side a = test::side_with("A", {1});
  Side b = test::side_with("B", {});
  a.runs[0].machine_json = R"({"processor": "x", "kernel": "6.1"})";
  b.left_out = {"#2 failed: killed"};
  EXPECT_THAT(remarks(a, b), ElementsAre("B is without #2 failed: killed"));
}

}  // namespace
}  // namespace n2nq::compare
