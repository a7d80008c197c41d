#include "app/campaign/campaign_figures.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/app/campaign/example_results.h"

namespace n2nq::campaign {
namespace {

using figures::Quantity;
using record::Verdict;
using test::result;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

using XY = figures::Point;

// Points 1 to 4: a 1, a 10, b 1, b 10.
struct CampaignFigures : testing::Test {
  CampaignFigures() {
    campaign.axes = {{.name = "kind", .values = {{.label = "a", .set = {}}, {.label = "b", .set = {}}}},
                     {.name = "services", .values = {{.label = "1", .set = {}}, {.label = "10", .set = {}}}}};
    campaign.figures = {{.id = "one", .title = "Over services", .x = "services", .curves = "kind"}};
  }
  figures::Figure figure(const std::vector<record::RunRecord>& records) {
    auto figures = figures_of(campaign, *points_of(campaign), records, [&](int64_t id) -> Result<record::RunRecord> {
      loaded.push_back(id);
      for (const auto& record : with_histograms)
        if (record.id == id) return record;
      return fail("gone");
    });
    EXPECT_THAT(figures, SizeIs(1));
    return figures.front();
  }
  Campaign campaign;
  std::vector<record::RunRecord> with_histograms;
  std::vector<int64_t> loaded;
};

TEST_F(CampaignFigures, HaveDecimalNumbersWhereTheyAre) {
  campaign.axes[1] = {.name = "cpus", .values = {{.label = "0.5", .set = {}}, {.label = "2", .set = {}}}};
  campaign.figures[0].x = "cpus";
  const auto drawn = figure({result(1, 1, Verdict::passed, 100), result(2, 1, Verdict::passed, 200)});
  EXPECT_EQ(drawn.x.quantity, Quantity::number);
  EXPECT_FALSE(drawn.x.whole);
  EXPECT_THAT(drawn.series[0].points, ElementsAre(XY{0.5, 100}, XY{2, 200}));
}

// Points: the kinds a and b by three systems.
TEST_F(CampaignFigures, OfNamesHaveThoseThatAreShownAndNoLineFromOneToTheNext) {
  campaign.axes[1] = {
      .name = "system",
      .values = {{.label = "one queue", .set = {}}, {.label = "ten", .set = {}}, {.label = "a pipe", .set = {}}}};
  campaign.figures[0] = {.id = "one", .x = "system", .curves = "kind", .where = {{"system", {"one queue", "a pipe"}}}};
  const auto drawn = figure({result(1, 1, Verdict::passed, 100), result(2, 1, Verdict::passed, 200),
                             result(3, 1, Verdict::passed, 300), result(4, 1, Verdict::passed, 400)});
  EXPECT_THAT(drawn.x.categories, ElementsAre("one queue", "a pipe"));
  EXPECT_THAT(drawn.series[0].points, ElementsAre(XY{0, 100}, XY{1, 300}));
  EXPECT_EQ(drawn.series[0].shape, figures::Shape::bars);
  EXPECT_THAT(drawn.unmeasured, ElementsAre()) << "of a pipe one curve has a point";
}

TEST_F(CampaignFigures, HaveACurveForEachValueAndAPointForEachX) {
  const auto drawn = figure({result(1, 1, Verdict::passed, 100), result(2, 1, Verdict::passed, 200),
                             result(3, 1, Verdict::passed, 300), result(4, 1, Verdict::passed, 400)});
  EXPECT_EQ(drawn.id, "one");
  EXPECT_EQ(drawn.title, "Over services");
  EXPECT_EQ(drawn.x.label, "services");
  EXPECT_EQ(drawn.x.quantity, Quantity::number);
  EXPECT_EQ(drawn.y.label, "latency, mean of the lowest 95 %");
  EXPECT_EQ(drawn.y.quantity, Quantity::duration_ns);
  ASSERT_THAT(drawn.series, SizeIs(2));
  EXPECT_EQ(drawn.series[0].name, "a");
  EXPECT_THAT(drawn.series[0].points, ElementsAre(XY{1, 100}, XY{10, 200}));
  EXPECT_THAT(drawn.series[1].points, ElementsAre(XY{1, 300}, XY{10, 400}));
  EXPECT_THAT(drawn.notes, ElementsAre("4 runs"));
  EXPECT_THAT(loaded, ElementsAre()) << "no histogram is read for it";
}

TEST_F(CampaignFigures, RunsBeyondALimitOfThePlanAreInThemAndTold) {
  const auto drawn = figure({result(1, 1, Verdict::exceeded, 100), result(2, 1, Verdict::passed, 200),
                             result(3, 1, Verdict::passed, 300), result(4, 1, Verdict::passed, 400)});
  EXPECT_THAT(drawn.notes, ElementsAre("in 1 run a limit of the plan was exceeded", "4 runs"));
}

TEST_F(CampaignFigures, ShowTheSpreadOverRepeats) {
  campaign.repeats = 3;
  const auto drawn = figure(
      {result(1, 1, Verdict::passed, 90), result(1, 2, Verdict::passed, 100), result(1, 3, Verdict::passed, 110)});
  ASSERT_THAT(drawn.series, SizeIs(1));
  const figures::Series& series = drawn.series.front();
  EXPECT_NEAR(series.points[0].y, 100, 1e-9);
  EXPECT_EQ(series.value_name, "mean");
  EXPECT_EQ(series.interval_name, "95 % CI");
  ASSERT_NE(series.interval_at(0), nullptr);
  EXPECT_NEAR(series.interval_at(0)->low, 100 * std::exp(-0.430265 / 1.7320508), 1e-3);
  EXPECT_NEAR(series.interval_at(0)->high, 100 * std::exp(0.430265 / 1.7320508), 1e-3);
  EXPECT_THAT(drawn.notes, Contains("confidence intervals computed on logarithms"));
  EXPECT_FALSE(drawn.y.max);
  EXPECT_THAT(series.notes, ElementsAre("3 runs"));
}

// By hand: of 1 to 24 the mean is 12.5.
TEST_F(CampaignFigures, AreFromTheSendThatTheTablesOfThePointsAreFrom) {
  campaign.figures[0].metric = "p99";
  std::vector<record::RunRecord> records{result(1, 1), result(4, 1)};
  for (record::RunRecord& record : records) {
    record.latencies[Latency::latency] = {.count = 1000, .p50 = 300'000, .p99 = 400'000};
    record.latencies[Latency::scheduled_latency] = {.count = 1000, .p50 = 300'000, .p99 = 450'000};
  }
  EXPECT_THAT(figure(records).series[0].points, ElementsAre(XY{1, 400e3}));
  records[1].latencies[Latency::scheduled_latency].p99 = 9'000'000;
  campaign.figures[0].where = {{"kind", {"a"}}};
  const auto drawn = figure(records);
  EXPECT_THAT(drawn.series[0].points, ElementsAre(XY{1, 450e3})) << "a sender of another point was late";
  EXPECT_EQ(drawn.y.label, "latency from the intended send, 99 % below");
}

TEST_F(CampaignFigures, HaveTheMeanOfTwentyFourRounds) {
  campaign.repeats = 24;
  std::vector<record::RunRecord> rounds;
  for (uint32_t round = 1; round <= 24; round++) rounds.push_back(result(1, round, Verdict::passed, round * 1e6));
  const auto drawn = figure(rounds);
  ASSERT_THAT(drawn.series.front().points, SizeIs(1));
  EXPECT_NEAR(drawn.series.front().points[0].y, 12.5e6, 1e-3);
  EXPECT_THAT(drawn.series.front().notes, ElementsAre("24 runs"));
  campaign.figures[0].repeats = {{1, 12}};
  EXPECT_NEAR(figure(rounds).series.front().points[0].y, 6.5e6, 1e-3) << "the first twelve alone";
}

TEST_F(CampaignFigures, HaveIntervalsOfLatenciesAboveZeroAndPointsThatAreStillToldApart) {
  campaign.repeats = 2;
  const auto drawn = figure({result(1, 1, Verdict::passed, 94e3), result(1, 2, Verdict::passed, 1'802e3)});
  const figures::Interval* interval = drawn.series.front().interval_at(0);
  ASSERT_NE(interval, nullptr);
  EXPECT_GT(interval->low, 0);
  EXPECT_GT(interval->high, 100 * 948e3);
  EXPECT_EQ(drawn.y.max, 3 * 948e3);
  EXPECT_THAT(drawn.notes, Contains(HasSubstr("extend beyond the upper edge")));
}

TEST_F(CampaignFigures, HaveNoIntervalWhereThereIsOneRun) {
  const auto drawn = figure({result(1, 1), result(2, 1), result(2, 2)});
  EXPECT_EQ(drawn.series.front().interval_at(0), nullptr);
  EXPECT_NE(drawn.series.front().interval_at(1), nullptr);
}

TEST_F(CampaignFigures, HaveTheCurveOfTheoryBesideTheWaitingThatWasMeasured) {
  campaign.figures = {{.id = "one", .title = "Waiting", .x = "services", .metric = "waiting"}};
  campaign.figures.front().where = {{"kind", {"a"}}};
  std::vector<record::RunRecord> records{result(1, 1), result(2, 1)};
  for (auto& record : records) {
    record.plan.queue.mode = plan::Mode::load_balancer;
    record.plan.queue.requests = {.on = true, .at_a_time = 1};
    record.plan.senders.fleet.count = 1;
    record.plan.receivers.fleet.count = 1;
    record.plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::exponential, .mean_ns = 1'000'000};
    record.latencies[Latency::occupied] = {.count = 1000, .mean = 1e6};
    record.latencies[Latency::delay] = {.count = 1000, .mean = record.campaign->point == 1 ? 2e6 : 1.25e6};
    record.latencies[Latency::waiting] = {.count = 1000, .mean = record.campaign->point == 1 ? 1.1e6 : 3.9e6};
  }
  const auto drawn = figure(records);
  ASSERT_THAT(drawn.series, SizeIs(2));
  EXPECT_THAT(drawn.series[0].points, ElementsAre(XY{1, 1.1e6}, XY{10, 3.9e6}));
  EXPECT_EQ(drawn.series[1].name, "waiting, theory");
  ASSERT_THAT(drawn.series[1].points, SizeIs(2));
  EXPECT_NEAR(drawn.series[1].points[0].y, 0.5 / 0.5 * 1e6, 1);
  EXPECT_NEAR(drawn.series[1].points[1].y, 0.8 / 0.2 * 1e6, 1);
  EXPECT_EQ(drawn.series[1].hue, drawn.series[0].hue);
  EXPECT_EQ(drawn.series[1].shade, 1);
  EXPECT_THAT(
      drawn.notes,
      Contains(HasSubstr(
          "too short for their load: differences from theory may be chance: a, 1 (1 of 1 run); a, 10 (1 of 1 run)")));
  EXPECT_THAT(drawn.notes, Not(Contains(HasSubstr("overloaded"))));
  EXPECT_THAT(drawn.notes, Not(Contains(HasSubstr("another repeat's seeds"))));
  campaign.repeats = 2;
  std::vector<record::RunRecord> copies{records[0], records[0]};
  copies[1].campaign->repeat = 2;
  EXPECT_THAT(figure(copies).notes, Contains(HasSubstr("using another repeat's seeds, from before repeats had their "
                                                       "own: the intervals are too narrow: a, 1 (1 of 2 runs)")));
  EXPECT_THAT(figure(copies).series, SizeIs(2));
  copies[1].latencies[Latency::delay].mean = 0.9e6;
  EXPECT_THAT(figure(copies).series, SizeIs(1)) << "one of two runs is overloaded: theory has no mean of both";
  copies[1].latencies[Latency::delay].mean = 2e6;
  copies[1].plan.senders.seed = 5;
  EXPECT_THAT(figure(copies).notes, Not(Contains(HasSubstr("another repeat's seeds"))));
  campaign.repeats = 1;
  records[1].latencies[Latency::delay].mean = 0.9e6;
  const auto over = figure(records);
  EXPECT_THAT(over.series[1].points, SizeIs(1));
  EXPECT_THAT(over.notes,
              Contains(AllOf(HasSubstr("overloaded: theory has no figure"), EndsWith(": a, 10 (1 of 1 run)"))));
  records[1].latencies[Latency::delay].mean = 1.25e6;
  campaign.figures.front().metric = "queue-length";
  const auto lengths = figure(records);
  ASSERT_THAT(lengths.series, SizeIs(2));
  EXPECT_NEAR(lengths.series[0].points[1].y, 3.9 * 0.8, 1e-6);
  EXPECT_NEAR(lengths.series[1].points[1].y, 4 * 0.8, 1e-6);
}

TEST_F(CampaignFigures, SayWhatIsMissing) {
  const auto drawn = figure({result(1, 1), result(2, 1, Verdict::failed)});
  ASSERT_THAT(drawn.series, SizeIs(1));
  EXPECT_THAT(drawn.series[0].points, SizeIs(1));
  EXPECT_THAT(drawn.notes, Contains("3 of 4 runs of these points not completed: a, 10; b, 1; b, 10"));
  EXPECT_THAT(drawn.unmeasured, ElementsAre(10));
  EXPECT_EQ(figures::figure_csv(drawn),
            "services,\"latency, mean of the lowest 95 % a [ns]\"\r\n"
            "1,100\r\n"
            "10,\r\n");
  EXPECT_THAT(figure({result(1, 1), result(4, 1)}).unmeasured, SizeIs(0)) << "of another curve there is a row";
  EXPECT_TRUE(figure({}).empty());
  EXPECT_EQ(figure({}).empty_text, "No run of these points is completed");
}

TEST_F(CampaignFigures, DrawWhatWasReceivedASecond) {
  campaign.figures.front().metric = "throughput";
  auto one = result(1, 1), ten = result(2, 1);
  for (record::RunRecord* run : {&one, &ten}) {
    run->began_utc_ns = 0;
    run->ended_utc_ns = 2'000'000'000;
  }
  one.received_bytes = 3'000'000;
  ten.received_bytes = 25'000'000;
  EXPECT_EQ(figures::figure_csv(figure({one, ten})),
            "services,payload received a [MB/s]\r\n"
            "1,1.5\r\n"
            "10,12.5\r\n");
}

TEST_F(CampaignFigures, NameAFewOfManyPointsThatAreMissing) {
  campaign.axes[1].values.clear();
  for (int i = 1; i <= 5; i++) campaign.axes[1].values.push_back({.label = std::to_string(i), .set = {}});
  const auto drawn = figure({result(1, 1)});
  EXPECT_THAT(drawn.notes, Contains(HasSubstr(": a, 2; a, 3; a, 4; a, 5; b, 1; b, 2; and 3 more")));
}

TEST_F(CampaignFigures, SayWhatMustBeKnown) {
  campaign.axes[0].values[1].set = {{"senders.hosts", "external"}};
  record::RunRecord record = result(3, 1);
  record.rate_reached = false;
  record.clock_kind = "measured";
  record.clock_bound_ns = 41'000;
  campaign.axes[1].values[1].set = {{"warmup", "1s"}};
  campaign.base.warmup_ns = 2'000'000'000;
  record::RunRecord unknown = result(4, 1);
  unknown.clock_kind = "unknown";
  const auto drawn = figure({result(1, 1), result(2, 1), record, unknown});
  EXPECT_THAT(drawn.notes, Contains(HasSubstr("not external")));
  EXPECT_THAT(drawn.notes, Contains("± 41.0 µs"));
  EXPECT_THAT(drawn.notes, Contains("in 1 run the clock offset is unknown: latencies may be far off"));
  EXPECT_THAT(drawn.notes, Contains("in 1 run the senders did not reach their rate"));
  EXPECT_THAT(drawn.notes, Contains("without 1 s to 2 s of warm-up"));
}

// By names alone a host of the list is always elsewhere.
TEST_F(CampaignFigures, SayWhichHostsAreTheQueuesOwnComputer) {
  campaign.axes[0].values[1].set = {{"senders.hosts", "external"}};
  campaign.external.senders = {"vm2", "vm3"};
  record::RunRecord record = result(3, 1);
  record.machines = {{.place = "this computer", .facts = {.boot_id = "1"}},
                     {.place = "vm2", .facts = {.boot_id = "2"}},
                     {.place = "vm3", .facts = {.boot_id = "3"}}};
  EXPECT_THAT(figure({record}).notes, Not(Contains(HasSubstr("not external"))));
  record.machines[2].facts.boot_id = "1";
  EXPECT_THAT(figure({record}).notes, Contains(HasSubstr("not external: vm3 is on the queue's computer")));
}

TEST_F(CampaignFigures, ShowOnlyWhatTheyAskFor) {
  campaign.figures[0].where = {{"kind", {"b"}}};
  campaign.figures[0].metric = "p99";
  record::RunRecord record = result(3, 1);
  record.latencies[Latency::latency].p99 = 777;
  const auto drawn = figure({result(1, 1), record});
  ASSERT_THAT(drawn.series, SizeIs(1));
  EXPECT_EQ(drawn.series[0].name, "b");
  EXPECT_THAT(drawn.series[0].points, ElementsAre(XY{1, 777}));
}

TEST_F(CampaignFigures, HaveCategoriesWhereValuesAreNoNumbers) {
  campaign.figures = {{.id = "one", .title = "", .x = "kind", .curves = ""}};
  const auto drawn = figure({result(1, 1, Verdict::passed, 100), result(3, 1, Verdict::passed, 300)});
  EXPECT_EQ(drawn.x.quantity, Quantity::category);
  EXPECT_FALSE(drawn.x.whole);
  EXPECT_THAT(drawn.x.categories, ElementsAre("a", "b"));
  EXPECT_THAT(drawn.series[0].points, ElementsAre(XY{0, 100}, XY{1, 300}));
}

TEST_F(CampaignFigures, MergeTheHistogramsOfRepeatsForPercentiles) {
  campaign.repeats = 2;
  campaign.figures = {{.id = "one",
                       .title = "By percentile",
                       .kind = FigureKind::percentiles,
                       .curves = "services",
                       .where = {{"kind", {"a"}}}}};
  for (uint32_t repeat = 1; repeat <= 2; repeat++) {
    measure::Histogram histogram;
    for (int i = 0; i < 100; i++) histogram.record(repeat * 1'000);
    with_histograms.push_back(result(1, repeat));
    with_histograms.back().histograms = {record::to_record("latency_ns", histogram)};
  }
  const auto drawn = figure({result(1, 1), result(1, 2), result(2, 1), result(3, 1)});
  EXPECT_THAT(loaded, ElementsAre(101, 102, 201)) << "only of what is shown";
  EXPECT_THAT(drawn.notes, Contains("without 1 run whose histogram cannot be read"));
  ASSERT_THAT(drawn.series, SizeIs(1));
  EXPECT_EQ(drawn.series[0].name, "1");
  EXPECT_EQ(drawn.x.quantity, Quantity::percentile);
  EXPECT_NEAR(drawn.series[0].points.front().y, 1'000, 1);
  EXPECT_NEAR(drawn.series[0].points.back().y, 2'000, 2);
}

// As comparisons draw them, with a side for each value of the axis; of requests, their turnaround.
TEST_F(CampaignFigures, ShowWhatTheMessagesOfEachCurveLookLike) {
  campaign.base.queue.mode = plan::Mode::request_reply;
  campaign.repeats = 2;
  std::vector<record::RunRecord> records;
  for (const uint32_t point : {1u, 2u})
    for (const uint32_t repeat : {1u, 2u}) {
      measure::Histogram histogram;
      for (int i = 0; i < 100; i++) histogram.record(point * 1'000'000);
      records.push_back(result(point, repeat));
      records.back().plan.queue.mode = plan::Mode::request_reply;
      records.back().plan.name = "rates: a, 1";
      records.back().latencies[Latency::turnaround].p50 = point * 1'000'000;
      with_histograms.push_back(records.back());
      with_histograms.back().histograms = {record::to_record("turnaround_ns", histogram)};
    }
  with_histograms.pop_back();
  for (const auto& [kind, shape] :
       {std::pair(FigureKind::boxes, figures::Shape::boxes), std::pair(FigureKind::raincloud, figures::Shape::violins),
        std::pair(FigureKind::cdf, figures::Shape::line)}) {
    SCOPED_TRACE(to_text(kind));
    campaign.figures = {
        {.id = "one", .title = "Spread", .kind = kind, .curves = "services", .where = {{"kind", {"a"}}}}};
    const auto drawn = figure(records);
    EXPECT_EQ(drawn.id, "one");
    EXPECT_EQ(drawn.title, "Spread");
    ASSERT_THAT(drawn.series, SizeIs(2));
    EXPECT_EQ(drawn.series[0].name, "1");
    EXPECT_EQ(drawn.series[1].name, "10");
    EXPECT_EQ(drawn.series[1].shape, shape);
    EXPECT_THAT(drawn.notes, Contains("without 1 run whose histogram cannot be read"));
    EXPECT_THAT(drawn.notes.front(), StartsWith("1: 2 runs (#")) << "the campaign has its name above";
    if (kind == FigureKind::cdf) {
      EXPECT_EQ(drawn.x.label, "turnaround");
      EXPECT_EQ(drawn.series[0].points.back().y, 100);
    } else {
      EXPECT_EQ(drawn.y.label, "turnaround");
      EXPECT_EQ(drawn.x.label, "services");
      EXPECT_THAT(drawn.x.categories, ElementsAre("1", "10"));
      EXPECT_NEAR(drawn.series[1].points.front().y, 2e6, 2e4);
    }
    if (kind == FigureKind::raincloud) {
      EXPECT_THAT(drawn.series[0].rain, ElementsAre(ElementsAre(1e6, 1e6))) << "a dot for each run";
    }
  }
}

TEST_F(CampaignFigures, HaveABoxForEachRunOfTheRepeatsThatAreChosen) {
  campaign.repeats = 3;
  campaign.figures = {{.id = "one",
                       .title = "Day",
                       .kind = FigureKind::runs,
                       .curves = "services",
                       .where = {{"kind", {"a"}}},
                       .repeats = {{1, 1}, {3, 3}},
                       .whiskers = {.from_percent = 10, .to_percent = 90},
                       .without = {.fastest = 0.1, .slowest = 0.1}}};
  for (uint32_t point = 1; point <= 2; point++)
    for (uint32_t repeat = 1; repeat <= 3; repeat++) {
      measure::Histogram histogram;
      for (int i = 0; i < 100; i++) histogram.record(repeat * 1'000'000 + i * 1'000);
      with_histograms.push_back(result(point, repeat));
      with_histograms.back().histograms = {record::to_record("latency_ns", histogram)};
      with_histograms.back().began_utc_ns = (10 - repeat) * 3'600'000'000'000;
    }
  const auto drawn = figure(with_histograms);
  EXPECT_EQ(drawn.title, "Day, without the fastest and the slowest 10 %");
  EXPECT_THAT(drawn.x.categories, SizeIs(4));
  ASSERT_THAT(drawn.series, SizeIs(2));
  EXPECT_EQ(drawn.series[1].name, "10");
  ASSERT_THAT(drawn.series[1].points, SizeIs(2));
  EXPECT_NEAR(drawn.series[1].points[0].y, 3'049'000, 2'000) << "the third repeat began before the first";
  EXPECT_NEAR(drawn.series[1].boxes[1].low_whisker, 1'018'000, 2'000) << "10 % of the 80 that are left";
  EXPECT_THAT(drawn.notes, Contains("repeats 1, 3 alone"));
  EXPECT_THAT(drawn.notes, Contains("whiskers from 10 to 90 %"));
  EXPECT_THAT(drawn.notes, Not(Contains(HasSubstr("not completed")))) << "the others were not asked for";
}

TEST_F(CampaignFigures, OfOneScaleHaveTheSameAxes) {
  const auto of_kind = [](const char* kind, const char* scale) {
    return FigureSpec{
        .id = kind, .kind = FigureKind::boxes, .curves = "services", .where = {{"kind", {kind}}}, .scale = scale};
  };
  for (const uint32_t point : {1u, 3u}) {
    measure::Histogram histogram;
    histogram.record(point * 1'000'000);
    with_histograms.push_back(result(point, 1));
    with_histograms.back().histograms = {record::to_record("latency_ns", histogram)};
  }
  const auto load = [&](int64_t id) -> Result<record::RunRecord> {
    return *std::ranges::find(with_histograms, id, &record::RunRecord::id);
  };
  campaign.figures = {of_kind("a", "both"), of_kind("b", "both")};
  auto drawn = figures_of(campaign, *points_of(campaign), with_histograms, load);
  ASSERT_THAT(drawn, SizeIs(2));
  EXPECT_TRUE(drawn[0].y.max);
  EXPECT_EQ(drawn[0].y.max, drawn[1].y.max);
  campaign.figures[1].part = {.from_ns = 500'000, .to_ns = 2'000'000};
  drawn = figures_of(campaign, *points_of(campaign), with_histograms, load);
  for (const auto& one : drawn) {
    EXPECT_EQ(one.y.min, 500'000) << "of both, though one of them alone says so";
    EXPECT_EQ(one.y.max, 2'000'000);
  }
  EXPECT_EQ(problem_of(campaign), std::nullopt);
  campaign.figures[0].part = {.to_ns = 1'000'000};
  EXPECT_EQ(problem_of(campaign),
            "figures[0].axis: figures with one scale have one axis, and that of b is 500us to 2ms");
  campaign.figures[0].part = campaign.figures[1].part = {};
  campaign.figures[1].scale = "";
  drawn = figures_of(campaign, *points_of(campaign), with_histograms, load);
  EXPECT_NE(drawn[0].y.max, drawn[1].y.max);
  // Shares of one and latencies of the other are two things; one that is logarithmic makes the other so.
  campaign.figures = {of_kind("a", "both"), of_kind("b", "both")};
  campaign.figures[0].kind = FigureKind::cdf;
  campaign.figures[1].logarithmic = true;
  drawn = figures_of(campaign, *points_of(campaign), with_histograms, load);
  EXPECT_TRUE(drawn[0].x.by_decades);
  EXPECT_FALSE(drawn[0].y.by_decades);
  EXPECT_EQ(drawn[0].y.max, 100);
  EXPECT_TRUE(drawn[1].y.by_decades);
}

TEST_F(CampaignFigures, OfMeansMayBeLogarithmicToo) {
  campaign.figures[0].logarithmic = true;
  EXPECT_TRUE(figure({result(1, 1, Verdict::passed, 100)}).y.by_decades);
  campaign.figures[0].whiskers = {.from_percent = 10, .to_percent = 90};
  EXPECT_EQ(problem_of(campaign),
            "figures[0].kind: whiskers and without are of figures of messages; set another kind, or leave them out");
}

TEST_F(CampaignFigures, ShowTheLatencyOfAllPointsWhereSomeHaveNoTurnaround) {
  campaign.axes[0].values[1].set = {{.key = "queue.mode", .value = "request-reply"}};
  campaign.figures = {{.id = "one", .kind = FigureKind::percentiles, .curves = "kind"}};
  for (const uint32_t point : {1u, 3u}) {
    measure::Histogram latency, turnaround;
    latency.record(1'000);
    turnaround.record(9'000);
    with_histograms.push_back(result(point, 1));
    with_histograms.back().histograms = {record::to_record("latency_ns", latency)};
    if (point == 1) continue;
    with_histograms.back().plan.queue.mode = plan::Mode::request_reply;
    with_histograms.back().histograms.push_back(record::to_record("turnaround_ns", turnaround));
  }
  const auto drawn = figure(with_histograms);
  EXPECT_EQ(drawn.y.label, "latency");
  ASSERT_THAT(drawn.series, SizeIs(2));
  EXPECT_EQ(drawn.series[0].points, drawn.series[1].points) << "both have the same latency";
}

TEST_F(CampaignFigures, OfMessagesAreEmptyBeforeTheFirstRun) {
  campaign.figures = {{.id = "one", .kind = FigureKind::boxes, .curves = "services", .where = {{"kind", {"a"}}}}};
  const auto drawn = figure({});
  EXPECT_TRUE(drawn.empty());
  EXPECT_EQ(drawn.empty_text, "No run of these points is completed");
  EXPECT_EQ(figure({result(3, 1)}).empty_text, "No run of these points is completed; 1 run of other points is");
  campaign.figures[0].repeats = {NumberRange{.first = 3, .last = 3}};
  EXPECT_EQ(figure({result(1, 1), result(2, 1)}).empty_text, "None of the repeats shown is completed");
  campaign.figures[0].repeats.clear();
  EXPECT_EQ(figure({result(1, 1)}).empty_text, "No completed run of these points has this figure");
}

}  // namespace
}  // namespace n2nq::campaign
