#include "app/compare/figures.h"

#include <gmock/gmock.h>

#include "app/compare/comparison.h"
#include "app/compare/panels.h"
#include "app/record/date_text.h"
#include "tests/unit/app/compare/example_side.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::compare {
namespace {

constexpr Whiskers kExtremes{.from_percent = 0, .to_percent = 100};

using figures::Figure;
using figures::Quantity;
using figures::Shape;
using record::RunRecord;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

// A run whose messages took from `from_ns` on, 1 ns more each, up to `count` of them.
RunRecord run_of(int64_t id, int64_t from_ns, int count = 1000) {
  measure::Histogram histogram;
  for (int i = 0; i < count; i++) histogram.record(from_ns + i);
  RunRecord run = test::run_with(id, from_ns + count - 1);
  run.plan.name = "quick";
  run.started_utc_ns = id;
  run.latencies[Latency::latency].p50 = histogram.quantile(0.5);
  run.histograms = {record::to_record("latency_ns", histogram)};
  run.series = {{.start_ns = 0, .width_ns = 100, .p99_ns = from_ns}, {.start_ns = 100, .width_ns = 100, .p99_ns = 7}};
  return run;
}

// A is faster: from 0 and 10 ns on; B from 1000 ns on.
std::vector<Side> two_sides() {
  std::vector<Side> sides{{.name = "A"}, {.name = "B"}};
  sides[0].runs = {run_of(1, 0), run_of(2, 10)};
  sides[1].runs = {run_of(3, 1000), run_of(4, 1000), run_of(5, 1000)};
  for (RunRecord& run : sides[1].runs) run.plan.senders.fleet.count = 77;
  return sides;
}

Figure drawn(Picture picture, const View& view = {}) {
  return figure_of(picture, two_sides(), view);
}

TEST(ComparisonFigures, HaveACurveForEachSideOfAllItsRuns) {
  const Figure figure = drawn(Picture::percentiles);
  EXPECT_EQ(figure.id, "compare-percentiles");
  EXPECT_EQ(figure.x.quantity, Quantity::percentile);
  ASSERT_THAT(figure.series, SizeIs(2));
  EXPECT_EQ(figure.series[0].name, "A");
  EXPECT_EQ(figure.series[0].points.front().y, 0);
  EXPECT_EQ(figure.series[0].points.back().y, 1009) << "of both runs, to the longest";
  EXPECT_EQ(figure.series[1].points.front().y, 1000);
  EXPECT_NE(figure.series[0].hue, figure.series[1].hue);
  EXPECT_THAT(figure.notes, ElementsAre("A: quick, 2 runs (#1, #2)", "B: quick, 3 runs (#3, #4, #5)"));
}

TEST(ComparisonFigures, ShowEachRunWhereThatIsWanted) {
  const Figure figure = drawn(Picture::percentiles, {.each_run = true});
  ASSERT_THAT(figure.series, SizeIs(5));
  EXPECT_EQ(figure.series[1].name, "A #2");
  EXPECT_EQ(figure.series[1].hue, figure.series[0].hue);
  EXPECT_EQ(figure.series[1].points.front().y, 10);
}

TEST(ComparisonFigures, DrawTooManyRunsAsOneAndSaySo) {
  std::vector<Side> sides{{.name = "A"}};
  for (int i = 0; i < 25; i++) sides[0].runs.push_back(run_of(i + 1, 0, 10));
  const Figure figure = figure_of(Picture::cdf, sides, {.each_run = true});
  EXPECT_THAT(figure.series, SizeIs(1));
  EXPECT_THAT(figure.notes, Contains("more than 24 runs: those of a side are drawn as one"));
  EXPECT_THAT(figure.notes, Contains(HasSubstr("25 runs (#1, #2, #3, #4, #5, #6 …)")));
}

TEST(ComparisonFigures, LeaveTheSlowestOutOfThePictureAndSaySoOnIt) {
  const Figure figure = drawn(Picture::percentiles, {.without = {.slowest = 0.05}});
  EXPECT_EQ(figure.series[1].points.back().y, 1949);
  EXPECT_EQ(figure.title, "Latency by percentile, without the slowest 5 %");
  EXPECT_EQ(figure.notes.front(), "without the slowest 5 % of the messages of each run (a setting of this view)");
  EXPECT_EQ(two_sides()[1].runs[0].histograms[0].moments.count, 1000u);
  const Figure bars = drawn(Picture::bars, {.without = {.slowest = 0.05}});
  EXPECT_EQ(bars.title, "Latencies of the sides") << "figures of runs are of all messages";
}

TEST(ComparisonFigures, SayWhichShareOfTheMessagesTookNoLonger) {
  const Figure figure = drawn(Picture::cdf);
  EXPECT_EQ(figure.x.quantity, Quantity::duration_ns);
  const auto& points = figure.series[1].points;
  EXPECT_EQ(points.front(), (figures::Point{1000, 0}));
  EXPECT_EQ(points.back(), (figures::Point{1999, 100}));
  EXPECT_LE(points.size(), 303u);
  for (const figures::Point& point : points) EXPECT_NEAR(point.y, (point.x - 999) / 10, 0.2);
  EXPECT_FALSE(figure.x.max);
}

TEST(ComparisonFigures, LeaveAFarTailBeyondTheEdgeOfTheCdfAndSaySo) {
  std::vector<Side> sides{{.name = "A", .runs = {run_of(1, 0)}}};
  measure::Histogram histogram;
  for (int i = 0; i < 10'000; i++) histogram.record(1'000);
  histogram.record(50'000'000);
  sides[0].runs[0].histograms = {record::to_record("latency_ns", histogram)};
  const Figure figure = figure_of(Picture::cdf, sides, {});
  EXPECT_EQ(figure.x.max, 1'000);
  EXPECT_THAT(figure.notes, Contains(HasSubstr("up to 50.0 ms, lies beyond the right edge")));
}

TEST(ComparisonFigures, HaveABoxForEachSide) {
  const Figure figure = drawn(Picture::boxes);
  EXPECT_THAT(figure.x.categories, ElementsAre("A", "B"));
  ASSERT_THAT(figure.series, SizeIs(2));
  const figures::Series& b = figure.series[1];
  EXPECT_EQ(b.shape, Shape::boxes);
  EXPECT_EQ(b.points[0].x, 1);
  EXPECT_NEAR(b.points[0].y, 1499, 2);
  EXPECT_NEAR(b.boxes[0].lower_quartile, 1249, 2);
  EXPECT_NEAR(b.boxes[0].upper_quartile, 1749, 2);
  EXPECT_EQ(b.boxes[0].low_whisker, 1000) << "all lie within 1.5 boxes";
  EXPECT_EQ(b.boxes[0].high_whisker, 1999);
  EXPECT_EQ(b.notes[0], "3,000 messages of 3 runs");
  EXPECT_THAT(figure.notes, Contains("whiskers to the last message within 1.5 boxes"));
}

TEST(ComparisonFigures, HaveTheWhiskersThatAreWanted) {
  const Figure figure = drawn(Picture::boxes, {.whiskers = {.from_percent = 5, .to_percent = 95}});
  const figures::BoxMarks& box = figure.series[1].boxes[0];
  EXPECT_NEAR(box.low_whisker, 1049, 2);
  EXPECT_NEAR(box.high_whisker, 1949, 2);
  EXPECT_FALSE(box.outside.empty());
  EXPECT_EQ(box.outside.back(), 1999);
  EXPECT_LE(box.outside.size(), 40u);
  EXPECT_THAT(figure.notes, Contains("whiskers from 5 to 95 %"));
  const Figure all = drawn(Picture::boxes, {.whiskers = kExtremes});
  EXPECT_TRUE(all.series[1].boxes[0].outside.empty());
}

TEST(ComparisonFigures, LeaveBothEndsOut) {
  const Figure figure = drawn(Picture::boxes, {.whiskers = kExtremes, .without = {.fastest = 0.1, .slowest = 0.2}});
  EXPECT_NEAR(figure.series[1].boxes[0].low_whisker, 1100, 2);
  EXPECT_NEAR(figure.series[1].boxes[0].high_whisker, 1799, 2);
  EXPECT_EQ(figure.series[1].notes[0], "2,100 messages of 3 runs");
  EXPECT_EQ(figure.title, "Box plots of latency, without the fastest 10 % and the slowest 20 %");
}

TEST(ComparisonFigures, HaveABoxForEachRunByWhenItBegan) {
  constexpr int64_t kHourNs = 3'600'000'000'000, kMinuteNs = kHourNs / 60;
  std::vector<Side> sides = two_sides();
  const auto begin = [&sides](size_t side, size_t run, int64_t ns) { sides[side].runs[run].began_utc_ns = ns; };
  begin(0, 0, 3 * kHourNs);
  begin(0, 1, kHourNs);
  begin(1, 0, 2 * kHourNs);
  begin(1, 1, 4 * kHourNs);
  begin(1, 2, 5 * kHourNs);
  const auto clock = [](int64_t ns, size_t from, size_t count) { return record::local_time(ns).substr(from, count); };
  Figure figure = figure_of(Picture::runs, sides, {});
  EXPECT_EQ(figure.x.quantity, Quantity::category);
  ASSERT_THAT(figure.x.categories, SizeIs(5));
  EXPECT_THAT(figure.x.categories[1], testing::EndsWith(clock(2 * kHourNs, 11, 5)));
  ASSERT_THAT(figure.series, SizeIs(2)) << "all runs of a side have its name and colour";
  EXPECT_THAT(figure.series[0].points,
              ElementsAre(testing::Field(&figures::Point::x, 0), testing::Field(&figures::Point::x, 2)));
  EXPECT_THAT(figure.series[0].notes, ElementsAre("1,000 messages of #2", "1,000 messages of #1"));
  EXPECT_THAT(figure.series[1].boxes, SizeIs(3));
  EXPECT_THAT(figure.notes, Contains("A: medians of the runs from 499 ns to 509 ns"));
  // Within a minute of each other: to seconds. On another day: with the date, once.
  begin(0, 0, kHourNs + kMinuteNs / 60);
  begin(1, 2, 30 * kHourNs);
  figure = figure_of(Picture::runs, sides, {});
  EXPECT_EQ(figure.x.categories.front(), clock(kHourNs, 0, 19));
  EXPECT_EQ(figure.x.categories[1], clock(kHourNs + kMinuteNs / 60, 11, 8));
  EXPECT_EQ(figure.x.categories.back(), clock(30 * kHourNs, 0, 19));
}

TEST(ComparisonFigures, HaveARunForEachOfSoManyAndSayHowManyAreLeftOut) {
  std::vector<Side> sides{{.name = "A"}};
  for (int i = 0; i < 250; i++) sides[0].runs.push_back(run_of(i + 1, i, 2));
  const Figure figure = figure_of(Picture::runs, sides, {});
  EXPECT_THAT(figure.series[0].boxes, SizeIs(240));
  EXPECT_THAT(figure.notes, Contains("the first 240 of 250 runs"));
}

TEST(Looks, AreTheirOwnText) {
  for (const std::string text : {"1.5 boxes", "10 to 90 %", "0 to 100 %", "2.5 to 97.5 %"}) {
    const auto whiskers = parse_whiskers(text);
    ASSERT_TRUE(whiskers) << text;
    EXPECT_EQ(to_text(*whiskers), text);
  }
  for (const char* text :
       {"", "2 boxes", "5 to 95", "5 - 95 %", "30 to 90 %", "10 to 70 %", "-1 to 99 %", "1 to 101 %"})
    EXPECT_FALSE(parse_whiskers(text)) << text;
  for (const std::string text : {"the slowest 5 %", "the fastest 0.5 %", "the fastest and the slowest 1 %",
                                 "the fastest 1 % and the slowest 5 %"}) {
    const auto without = parse_without(text);
    ASSERT_TRUE(without) << text;
    EXPECT_EQ(to_text(*without), text);
  }
  EXPECT_EQ(parse_without("the fastest 1 % and the slowest 5 %"), (Without{.fastest = 0.01, .slowest = 0.05}));
  for (const char* text : {"", "5 %", "the slowest", "the slowest 0 %", "the slowest 50 %", "the fastest 1 % and 5 %",
                           "the slowest 5 % and", "the fastest and the slowest 1 % too"})
    EXPECT_FALSE(parse_without(text)) << text;
}

TEST(Looks, ShowAPartOfTheAxisOfLatencies) {
  EXPECT_EQ(parse_axis_part("0 to 5 ms"), (AxisPart{.from_ns = 0, .to_ns = 5'000'000}));
  EXPECT_EQ(to_text(*parse_axis_part("100 us to 1.5ms")), "100us to 1.5ms");
  EXPECT_EQ(parse_axis_part(""), AxisPart{});
  EXPECT_EQ(to_text(AxisPart{}), "");
  for (const char* text : {"5ms", "0 to", "to 5ms", "5ms to 5ms", "5ms to 1ms", "0 to 0", "-1ms to 5ms", "0 to 5"})
    EXPECT_FALSE(parse_axis_part(text)) << text;
  const View view{.part = {.from_ns = 100, .to_ns = 900}};
  for (const Picture picture : {Picture::percentiles, Picture::boxes, Picture::cdf, Picture::violins, Picture::bars}) {
    const Figure figure = drawn(picture, view);
    const figures::Axis& axis = picture == Picture::cdf ? figure.x : figure.y;
    EXPECT_EQ(axis.min, 100) << figure.id;
    EXPECT_EQ(axis.max, 900) << figure.id;
    EXPECT_FALSE(axis.from_zero || axis.by_decades) << figure.id;
    EXPECT_TRUE(axis.decided) << figure.id;
    EXPECT_THAT(figure.notes, Contains("in sight: latencies from 100 ns to 900 ns (a setting of this view)"));
    if (picture == Picture::cdf) continue;
    EXPECT_EQ(figures::figure_csv(figure), figures::figure_csv(drawn(picture))) << "all of it is in tables";
  }
  EXPECT_EQ(drawn(Picture::cdf, view).y.max, 100) << "shares are no latencies";
}

TEST(Panels, ShareTheEndsThatSomeOfThemHaveByThemselves) {
  std::vector<Figure> panels{drawn(Picture::cdf), drawn(Picture::cdf), drawn(Picture::percentiles)};
  panels[0].x.max = 50'000;
  share_axes(panels);
  EXPECT_EQ(panels[0].x.max, 50'000);
  EXPECT_EQ(panels[1].x.max, 50'000);
  EXPECT_EQ(panels[1].y.max, 100);
  EXPECT_LE(panels[2].x.max, 100) << "percentiles are no latencies";
  EXPECT_EQ(panels[2].y.max, 1999);
}

TEST(ComparisonFigures, HaveACloudABoxAndTheRunsForEachSide) {
  const Figure figure = drawn(Picture::violins);
  const figures::Series& a = figure.series[0];
  EXPECT_EQ(a.shape, Shape::violins);
  ASSERT_THAT(a.outlines, SizeIs(1));
  double widest = 0;
  for (const figures::Point& at : a.outlines[0]) widest = std::max(widest, at.x);
  EXPECT_EQ(widest, 1);
  const Figure boxes = drawn(Picture::boxes, {.whiskers = kExtremes});
  for (const bool logarithmic : {false, true})
    for (size_t side = 0; side < figure.series.size(); side++) {
      const auto outline = drawn(Picture::violins, {.logarithmic = logarithmic}).series[side].outlines[0];
      EXPECT_NEAR(outline.front().y, boxes.series[side].boxes[0].low_whisker, 2) << "from the shortest";
      EXPECT_EQ(outline.back().y, boxes.series[side].boxes[0].high_whisker) << "to the longest";
      EXPECT_TRUE(std::ranges::is_sorted(outline, {}, &figures::Point::y));
    }
  EXPECT_THAT(a.rain[0], SizeIs(2));
  EXPECT_NEAR(a.rain[0][0], 499, 2);
}

TEST(ComparisonFigures, ShowTheMedianOfTheRunsOverTime) {
  const Figure figure = drawn(Picture::over_time);
  EXPECT_THAT(figure.series[0].points, ElementsAre(figures::Point{0, 5}, figures::Point{100, 7}));
  EXPECT_THAT(figure.notes, Contains("the median of the runs in each 100 ns"));
  const Figure each = drawn(Picture::over_time, {.each_run = true});
  EXPECT_THAT(each.series, SizeIs(5));
  EXPECT_THAT(each.series[1].points, ElementsAre(figures::Point{0, 10}, figures::Point{100, 7}));
}

TEST(ComparisonFigures, CountARunWithNarrowerSlotsOnce) {
  std::vector<Side> sides{{.name = "A"}};
  sides[0].runs = {run_of(1, 10), run_of(2, 20), run_of(3, 500)};
  sides[0].runs[2].series.clear();
  for (int64_t i = 0; i < 10; i++)
    sides[0].runs[2].series.push_back({.start_ns = i * 10, .width_ns = 10, .p99_ns = 500 + i});
  const Figure figure = figure_of(Picture::over_time, sides, {});
  ASSERT_FALSE(figure.series[0].points.empty());
  EXPECT_EQ(figure.series[0].points[0], (figures::Point{0, 20})) << "of 10, 20 and 509, and not of twelve values";
}

TEST(ComparisonFigures, HaveBarsWithTheSpreadOverTheRuns) {
  const Figure figure = drawn(Picture::bars);
  EXPECT_THAT(figure.x.categories, ElementsAre("p50", "p90", "p95", "p99", "p99.9"));
  const figures::Series& a = figure.series[0];
  EXPECT_EQ(a.shape, Shape::bars);
  ASSERT_THAT(a.points, SizeIs(2)) << "the runs have p50 and p99";
  EXPECT_EQ(a.points[1], (figures::Point{3, 1004}));
  EXPECT_EQ(a.notes[1], "2 runs");
  ASSERT_NE(a.interval_at(1), nullptr);
  EXPECT_LT(a.interval_at(1)->low, 1004);
}

TEST(ComparisonFigures, StandOverTheOneSettingThatIsDifferent) {
  const Figure figure = drawn(Picture::axis, {.metric = figures::find_metric("p99")});
  EXPECT_EQ(figure.x.label, "Senders amount");
  EXPECT_THAT(figure.x.categories, ElementsAre("10", "77"));
  ASSERT_THAT(figure.series, SizeIs(1));
  EXPECT_THAT(figure.series[0].points, ElementsAre(figures::Point{0, 1004}, figures::Point{1, 1999}));
  std::vector<Side> sides = two_sides();
  for (RunRecord& run : sides[1].runs) run.plan.receivers.fleet.count = 78;
  const Figure two = figure_of(Picture::axis, sides, {.metric = figures::find_metric("rate")});
  EXPECT_EQ(two.x.label, "side");
  EXPECT_EQ(two.y.quantity, Quantity::rate_per_s);
}

// B asks for replies: its turnaround is 10 times its latency.
TEST(ComparisonFigures, ShowTheLatencyOfAllRunsWhereSomeHaveNoTurnaround) {
  std::vector<Side> sides{{.name = "A"}, {.name = "B"}};
  sides[0].runs = {run_of(1, 1'000)};
  RunRecord replies = run_of(2, 1'000);
  const RunRecord turnaround = run_of(2, 10'000);
  replies.plan.queue.mode = plan::Mode::request_reply;
  replies.latencies[Latency::turnaround] = turnaround.latencies[Latency::latency];
  replies.histograms.push_back(turnaround.histograms.front());
  replies.histograms.back().name = "turnaround_ns";
  for (live::SeriesPoint& slot : replies.series) slot.turnaround_p99_ns = 10'000;
  sides[1].runs = {replies};
  for (const Picture picture : {Picture::percentiles, Picture::over_time, Picture::boxes, Picture::violins}) {
    SCOPED_TRACE(static_cast<int>(picture));
    const Figure mixed = figure_of(picture, sides, {});
    EXPECT_THAT(mixed.y.label, StartsWith("latency"));
    EXPECT_EQ(mixed.series[0].points.front().y, mixed.series[1].points.front().y) << "B has the same latency";
  }
  EXPECT_THAT(figure_of(Picture::violins, sides, {}).series[1].rain[0],
              ElementsAre(*replies.latencies[Latency::latency].p50));
  const Figure own = figure_of(Picture::violins, std::span(sides).last(1), {});
  EXPECT_EQ(own.y.label, "turnaround");
  EXPECT_THAT(own.series[0].rain[0], ElementsAre(*replies.latencies[Latency::turnaround].p50));
  EXPECT_EQ(own.series[0].notes[0], "1,000 requests of 1 run");
}

TEST(ComparisonFigures, SayWhatToDoWhereThereIsNothing) {
  const std::vector<Side> none{{.name = "A"}, {.name = "B"}};
  for (const Picture picture : {Picture::percentiles, Picture::over_time, Picture::boxes, Picture::cdf,
                                Picture::violins, Picture::bars, Picture::axis, Picture::runs}) {
    for (const auto& sides : {none, std::vector<Side>()}) {
      const Figure figure = figure_of(picture, sides, {});
      EXPECT_TRUE(figure.empty());
      EXPECT_FALSE(figure.empty_text.empty());
    }
  }
}

TEST(Panels, AreOneForEachSide) {
  const auto panels = by_side(drawn(Picture::percentiles, {.each_run = true}));
  ASSERT_THAT(panels, SizeIs(2));
  EXPECT_THAT(panels[0].series, SizeIs(2));
  EXPECT_THAT(panels[1].series, SizeIs(3));
  EXPECT_EQ(panels[1].title, "Latency by percentile, B");
  const auto boxes = by_side(drawn(Picture::boxes));
  EXPECT_THAT(boxes[1].x.categories, ElementsAre("B"));
  EXPECT_EQ(boxes[1].series[0].points[0].x, 0);
}

TEST(Panels, SayOfEachSideWhatIsSaidOfIt) {
  const auto panels = by_side(drawn(Picture::boxes));
  ASSERT_THAT(panels, SizeIs(2));
  const std::string whiskers = "whiskers to the last message within 1.5 boxes";
  EXPECT_THAT(panels[0].notes, ElementsAre("A: quick, 2 runs (#1, #2)", whiskers));
  EXPECT_THAT(panels[1].notes, ElementsAre("B: quick, 3 runs (#3, #4, #5)", whiskers));
}

TEST(ComparisonFigures, HaveALogarithmicAxisWhereThatIsWanted) {
  EXPECT_FALSE(drawn(Picture::boxes).y.by_decades);
  const View logarithmic{.logarithmic = true};
  EXPECT_TRUE(drawn(Picture::boxes, logarithmic).y.by_decades);
  EXPECT_TRUE(drawn(Picture::violins, logarithmic).y.by_decades);
  EXPECT_TRUE(drawn(Picture::cdf, logarithmic).x.by_decades);
  EXPECT_FALSE(drawn(Picture::cdf, logarithmic).y.by_decades);
}

TEST(ComparisonFigures, AreLogarithmicByThemselvesWhereOneMessageWouldFlattenTheRest) {
  RunRecord slow = run_of(1, 0);
  measure::Histogram histogram;
  for (int i = 0; i < 999; i++) histogram.record(100'000 + i);
  histogram.record(90'000'000);
  slow.histograms = {record::to_record("latency_ns", histogram)};
  const std::vector<Side> sides{{.name = "A", .runs = {slow}}};
  for (const Picture picture : {Picture::boxes, Picture::violins}) {
    EXPECT_TRUE(figure_of(picture, sides, {}).y.by_decades);
    EXPECT_FALSE(figure_of(picture, sides, {.logarithmic = false}).y.by_decades) << "as is asked";
  }
  EXPECT_FALSE(figure_of(Picture::cdf, sides, {}).x.by_decades) << "its edge leaves that one out";
  const auto cloud = figure_of(Picture::violins, sides, {}).series[0].outlines[0];
  EXPECT_LT(cloud[1].y, 120'000) << "in steps of that axis";
}

TEST(Panels, HaveTheSameAxesWhereThatIsWanted) {
  auto panels = by_side(drawn(Picture::cdf));
  EXPECT_FALSE(panels[0].x.max);
  share_axes(panels);
  EXPECT_EQ(panels[0].x.min, 0);
  EXPECT_EQ(panels[0].x.max, 1999);
  EXPECT_EQ(panels[1].x.min, 0);
  EXPECT_EQ(panels[1].x.max, 1999);
  auto boxes = by_side(drawn(Picture::boxes));
  share_axes(boxes);
  EXPECT_EQ(boxes[0].y.max, 1999) << "the whisker of the other";
}

TEST(Grouping, PutsRepeatsOfAPlanOnASideTheEarliestFirst) {
  std::vector<RunRecord> runs{run_of(5, 0), run_of(3, 0), run_of(4, 0), run_of(1, 0)};
  runs[0].plan.senders.fleet.count = runs[1].plan.senders.fleet.count = 3;
  runs[2].verdict = record::Verdict::failed;
  runs[0].plan.name = "another name";
  const Assignment sides = sides_by_plan(runs);
  EXPECT_THAT(sides, ElementsAre(1, 1, 0, 0));
  const auto made = make_sides(runs, sides);
  ASSERT_TRUE(made) << made.error().text;
  ASSERT_THAT(*made, SizeIs(2));
  EXPECT_EQ((*made)[0].name, "10 senders");
  ASSERT_THAT((*made)[0].runs, SizeIs(1));
  EXPECT_EQ((*made)[0].runs[0].id, 1);
  EXPECT_THAT((*made)[0].left_out, ElementsAre("#4 failed")) << "a failed run is left out, and said so";
  EXPECT_EQ((*made)[1].name, "3 senders");
  EXPECT_THAT((*made)[1].runs, SizeIs(2));
}

TEST(Grouping, SaysWhichRunsAreNoRepeats) {
  std::vector<RunRecord> runs{run_of(1, 0), run_of(2, 0)};
  runs[1].plan.senders.fleet.count = 3;
  EXPECT_THAT(make_sides(runs, {0, 0}).error().text, HasSubstr("#1 and #2 are not repeats of each other"));
  EXPECT_TRUE(make_sides(runs, {0, std::nullopt})) << "who is on no side is not asked";
}

TEST(Grouping, StopsAtEightSides) {
  std::vector<RunRecord> runs;
  for (int i = 1; i <= 10; i++) {
    runs.push_back(run_of(i, 0));
    runs.back().plan.senders.fleet.count = static_cast<uint32_t>(i);
  }
  const Assignment sides = sides_by_plan(runs);
  EXPECT_EQ(sides[7], 7u);
  EXPECT_FALSE(sides[8]);
}

TEST(ComparisonFigures, CountWhatWentWrongInFailedRunsTooAsStatementsDo) {
  std::vector<Side> sides = two_sides();
  sides[1].failed = {run_of(6, 1000), run_of(7, 1000)};
  for (RunRecord& run : sides[1].failed) run.totals.lost = 60;
  const figures::Metric& lost = *std::ranges::find(figures::all_metrics(), "lost", &figures::Metric::name);
  const Figure figure = figure_of(Picture::axis, sides, {.metric = &lost});
  ASSERT_THAT(figure.series, SizeIs(1));
  ASSERT_THAT(figure.series[0].points, SizeIs(2));
  EXPECT_EQ(figure.series[0].points[1].y, 24);
  EXPECT_EQ(figure.series[0].notes[1], "5 runs");
  EXPECT_EQ(compare_by(lost, sides[0], sides[1]).b.size(), 5u);
}

}  // namespace
}  // namespace n2nq::compare
