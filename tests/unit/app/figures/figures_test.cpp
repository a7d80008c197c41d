#include "app/figures/figures.h"
#include "app/figures/record_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figures/histogram_bins.h"
#include "app/figures/run_landmarks.h"
#include "broker/base/clock.h"
#include "broker/base/random.h"
#include "tests/unit/app/record/example_record.h"
#include "workers/measure/latency_summary.h"

namespace n2nq::figures {
namespace {

using live::SeriesPoint;

constexpr int64_t kTick = 100'000'000;

std::vector<SeriesPoint> slots() {
  return {{.start_ns = 0, .width_ns = kTick, .sent = 250, .received = 0},
          {.start_ns = kTick,
           .width_ns = kTick,
           .sent = 250,
           .received = 500,
           .p50_ns = 80'000,
           .p95_ns = 90'000,
           .p99_ns = 100'000,
           .max_ns = 200'000,
           .delay_p50_ns = 400'000}};
}

bool has_note(const Figure& figure, const std::string& text) {
  return std::ranges::find(figure.notes, text) != figure.notes.end();
}

const Series& series_named(const Figure& figure, const std::string& name) {
  return *std::ranges::find(figure.series, name, &Series::name);
}

void expect_finite(const Figure& figure) {
  for (const Series& series : figure.series) {
    for (const Point& point : series.points) {
      EXPECT_TRUE(std::isfinite(point.x) && std::isfinite(point.y)) << figure.id;
    }
    EXPECT_TRUE(series.notes.empty() || series.notes.size() == series.points.size());
    EXPECT_LE(series.points.size(), kMostPoints);
  }
}

TEST(RateFigure, ShowsMessagesASecondInTheMiddleOfEachSlot) {
  const Figure figure = rate_figure(slots(), {});
  EXPECT_EQ(figure.id, "rate");
  EXPECT_EQ(figure.y.quantity, Quantity::rate_per_s);
  EXPECT_EQ(series_named(figure, "sent").points, (std::vector<Point>{{5e7, 2500}, {1.5e8, 2500}}));
  EXPECT_EQ(series_named(figure, "received").points, (std::vector<Point>{{5e7, 0}, {1.5e8, 5000}}));
  EXPECT_EQ(series_named(figure, "sent").hue, Hue::sender);
  EXPECT_EQ(series_named(figure, "received").hue, Hue::receiver);
  EXPECT_TRUE(has_note(figure, "500 sent, 500 received"));
  EXPECT_TRUE(has_note(rate_figure(slots(), {.stage = Stage::going_on}), "500 sent, 500 received from 0 to 0.2 s"));
}

// One that cut each last slot would lose what is whole, and one that cut none would fall at every end.
TEST(RateFigure, DoesNotFallWhereTheRunEndedWithinASlot) {
  std::vector<SeriesPoint> ended = slots();
  ended.push_back({.start_ns = 2 * kTick, .width_ns = kTick, .sent = 3, .received = 600});
  const Figure figure = rate_figure(ended, {});
  EXPECT_EQ(series_named(figure, "sent").points.back(), (Point{1.5e8, 2500}));
  EXPECT_EQ(series_named(figure, "received").points.back(), (Point{2.5e8, 6000})) << "no fall there";
  EXPECT_TRUE(has_note(figure, "503 sent, 1,100 received"));
  EXPECT_EQ(series_named(rate_figure(ended, {.stage = Stage::going_on}), "sent").points.back(), (Point{2.5e8, 30}))
      << "while it goes on each slot is whole";
}

TEST(RateFigure, DoesNotFallWhereTheLastMessagesTrickledInAfterTheEnd) {
  std::vector<SeriesPoint> ended = slots();
  ended.push_back({.start_ns = 2 * kTick, .width_ns = kTick, .sent = 130, .received = 450});
  ended.push_back({.start_ns = 3 * kTick, .width_ns = kTick, .sent = 2, .received = 440});
  const Figure figure = rate_figure(ended, {});
  EXPECT_EQ(series_named(figure, "sent").points.back(), (Point{1.5e8, 2500})) << "neither the remnant nor its slot";
  EXPECT_EQ(series_named(figure, "received").points.back(), (Point{2.5e8, 4500})) << "what falls slowly is there";
}

TEST(RateFigure, SaysWhatToDoWhileThereIsNothing) {
  EXPECT_TRUE(rate_figure({}, {.stage = Stage::planned}).empty());
  EXPECT_EQ(rate_figure({}, {.stage = Stage::going_on}).empty_text, "No message received yet");
  EXPECT_TRUE(rate_figure({}, {.stage = Stage::planned}).empty_text.starts_with("Start the run"));
  EXPECT_FALSE(rate_figure({}, {}).empty_text.empty());
}

TEST(LatencyOverTimeFigure, LeavesOutSlotsWithoutALatency) {
  const Figure figure = latency_over_time_figure(slots(), {});
  ASSERT_EQ(figure.series.size(), 4u);
  EXPECT_EQ(series_named(figure, "p50").points, (std::vector<Point>{{1.5e8, 80'000}}));
  EXPECT_EQ(series_named(figure, "max").points, (std::vector<Point>{{1.5e8, 200'000}}));
  EXPECT_EQ(series_named(figure, "max").shade, 3);
  EXPECT_EQ(series_named(figure, "max").shape, Shape::dots);
  EXPECT_EQ(series_named(figure, "p99").shape, Shape::band);
  EXPECT_EQ(series_named(figure, "p99").base, "p50");
  EXPECT_TRUE(series_named(figure, "p95").on_demand);
  EXPECT_TRUE(latency_over_time_figure(std::vector{slots()[0]}, {}).empty());
}

TEST(Figures, SayWhatIsLeftOutAndHowFarClocksCanBeTrusted) {
  const FigureContext measured{.warmup_ns = 2 * kSecond, .clock_kind = "measured", .clock_bound_ns = 3000};
  const Figure figure = latency_over_time_figure(slots(), measured);
  EXPECT_TRUE(has_note(figure, "± 3.00 µs"));
  EXPECT_TRUE(has_note(figure, "without 2.00 s of warm-up"));
  EXPECT_TRUE(has_note(latency_over_time_figure(slots(), {}), "one clock"));
  const Figure unknown = latency_over_time_figure(slots(), {.clock_kind = "unknown"});
  EXPECT_TRUE(unknown.notes.at(0).find("unknown") != std::string::npos);
  EXPECT_TRUE(latency_over_time_figure({}, measured).empty_text.find("warm-up") != std::string::npos);
  EXPECT_NE(latency_over_time_figure(std::vector{slots()[0]}, measured).empty_text.find("warm-up"), std::string::npos);
  FigureContext never = measured;
  never.began = false;
  EXPECT_EQ(latency_over_time_figure({}, never).empty_text, rate_figure({}, never).empty_text)
      << "of a run that never began";
}

TEST(PercentileFigure, GoesUpToTheLastPercentileThatTheCountSupportsAndTheLongestValue) {
  measure::Histogram latency;
  Random random(2);
  for (int i = 0; i < 100'000; i++) latency.record(80'000 + static_cast<int64_t>(random.below(50'000)));
  const Figure figure = latency_by_percentile_figure(latency, {}, {});
  const Series& actual = series_named(figure, "from the actual send");
  expect_finite(figure);
  EXPECT_EQ(actual.points.front().x, 0);
  EXPECT_NEAR(actual.points[actual.points.size() - 2].x, 99.999, 1e-9);
  EXPECT_NEAR(actual.points.back().x, 99.9995, 1e-9);
  EXPECT_EQ(actual.points.back().y, static_cast<double>(latency.moments().max_ns));
  EXPECT_GE(actual.points.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(actual.points, {}, &Point::x));
  EXPECT_TRUE(std::ranges::is_sorted(actual.points, {}, &Point::y));
  EXPECT_TRUE(series_named(figure, "from the intended send").points.empty());
  const auto summary = measure::summarize(latency);
  const auto at = [&](double percentile) {
    return std::ranges::find_if(actual.points, [&](const Point& p) { return std::fabs(p.x - percentile) < 1e-9; })->y;
  };
  EXPECT_EQ(at(50), static_cast<double>(*summary.p50));
  EXPECT_EQ(at(99), static_cast<double>(*summary.p99));
  EXPECT_EQ(at(99.9), static_cast<double>(*summary.p999));
  EXPECT_TRUE(has_note(figure, "100,000 messages"));
  EXPECT_TRUE(
      std::ranges::any_of(figure.notes, [](const std::string& note) { return note.starts_with("p95-trimmed mean "); }));
}

TEST(PercentileFigure, HasPublishLatencyWhereItIsMeasured) {
  measure::Histogram latency, publish;
  for (int64_t i = 1; i <= 10; i++) {
    latency.record(i * 1000);
    publish.record(i * 500);
  }
  EXPECT_EQ(latency_by_percentile_figure(latency, {}, {}).series.size(), 2u);
  const Figure figure = latency_by_percentile_figure(latency, {}, {}, publish);
  EXPECT_EQ(series_named(figure, "from the actual send to the answer").points.back().y, 5000);
}

TEST(PercentileFigure, SurvivesZeroAndNegativeValuesAndFewOfThem) {
  for (const int64_t n : {1, 2, 3, 10}) {
    measure::Histogram latency;
    for (int64_t i = 0; i < n; i++) latency.record(-1000 * i);
    const Figure figure = latency_by_percentile_figure(latency, latency, {});
    expect_finite(figure);
    EXPECT_FALSE(figure.empty());
    EXPECT_EQ(figure.series[1].points.size(), figure.series[0].points.size());
    EXPECT_EQ(figure.series[0].points.front().y, static_cast<double>(-1000 * (n - 1)));
    EXPECT_EQ(figure.series[0].points.back().y, 0) << "the longest of " << n;
  }
}

TEST(PercentileFigure, IsEmptyWithoutAMessageAndSaysWhatToDo) {
  const Figure figure = latency_by_percentile_figure({}, {}, {.stage = Stage::planned});
  EXPECT_TRUE(figure.empty());
  EXPECT_TRUE(figure.empty_text.starts_with("Start the run"));
}

TEST(PercentileFigure, HasAtMostSoManyPointsHoweverManyMessages) {
  measure::Histogram latency;
  for (int64_t i = 1; i < 1000; i++) {
    latency.add_bucket(static_cast<int32_t>(i), uint64_t{1} << 42);
    latency.add_moments({.count = uint64_t{1} << 42, .min_ns = 1, .max_ns = 999}, 0);
  }
  expect_finite(latency_by_percentile_figure(latency, latency, {}));
}

TEST(HistogramFigure, CountsMessagesInBinsAndSaysWhichValuesABinHolds) {
  measure::Histogram latency;
  for (int64_t i = 0; i < 1000; i++) latency.record(80'000 + i * 10);
  const Figure figure = histogram_figure(latency, {});
  expect_finite(figure);
  double sum = 0;
  for (const Point& point : figure.series.at(0).points) sum += point.y;
  EXPECT_EQ(sum, 1000);
  EXPECT_TRUE(figure.series[0].notes.at(0).find(" µs to ") != std::string::npos) << figure.series[0].notes[0];
}

TEST(HistogramFigure, TellsOfATailThatIsNotShown) {
  measure::Histogram latency;
  for (int64_t i = 0; i < 10'000; i++) latency.record(80'000 + i);
  latency.record(3 * kSecond);
  const Figure figure = histogram_figure(latency, {});
  EXPECT_TRUE(figure.notes.back().starts_with("1 message above ")) << figure.notes.back();
  EXPECT_TRUE(figure.notes.back().ends_with("(up to 3.00 s) not shown")) << figure.notes.back();
}

TEST(HistogramFigure, MarksTheMedianAndWhatAHundredthExceeds) {
  measure::Histogram latency;
  for (int64_t i = 1; i <= 1000; i++) latency.record(i * 1000);
  const Figure figure = histogram_figure(latency, {});
  const auto summary = measure::summarize(latency);
  ASSERT_EQ(figure.landmarks.size(), 2u);
  EXPECT_EQ(figure.landmarks[0].x, static_cast<double>(*summary.p50));
  EXPECT_TRUE(figure.landmarks[0].label.starts_with("p50 ")) << figure.landmarks[0].label;
  EXPECT_TRUE(figure.landmarks[0].label.ends_with(" µs")) << figure.landmarks[0].label;
  EXPECT_EQ(figure.landmarks[1].x, static_cast<double>(*summary.p99));
}

TEST(HistogramFigure, GoesByDecadesWhereTheTailIsTooMuchToBeLeftOut) {
  measure::Histogram latency;
  for (int64_t i = 0; i < 9000; i++) latency.record(60'000 + i * 5);
  for (int64_t i = 0; i < 1000; i++) latency.record(1'000'000 + i * 8'000);
  const Figure figure = histogram_figure(latency, {});
  EXPECT_TRUE(figure.x.by_decades);
  expect_finite(figure);
  double sum = 0, body = 0;
  for (const Point& point : figure.series.at(0).points) {
    sum += point.y;
    body += point.x < 200'000 ? 1 : 0;
  }
  EXPECT_EQ(sum, 10'000) << "nothing is left out";
  EXPECT_GE(body, 5) << "the many are more than a bar or two";
  EXPECT_TRUE(std::ranges::is_sorted(figure.series[0].points, {}, &Point::x));
  EXPECT_LE(figure.series[0].points.size(), kMaxBins);
  EXPECT_FALSE(has_note(figure, "not shown"));
}

TEST(RunLandmarks, AreTheEndOfTheWarmUpAndWhatTheLogSaysHappened) {
  using record::EventKind;
  const std::vector<record::RunNote> notes{
      {.since_begin_ns = 4 * kSecond, .text = "requests from now on: everything", .kind = EventKind::request},
      {.since_begin_ns = 6 * kSecond, .text = "requests: everything"},
      {.since_begin_ns = 7 * kSecond, .kind = EventKind::stop, .subject = "senders"},
      {.text = "stopped by the user", .kind = EventKind::stop}};  // before it began
  EXPECT_EQ(landmarks_of(2 * kSecond, notes).shown,
            (std::vector<Landmark>{{"end of warm-up", 2e9}, {"request changed", 4e9}, {"senders stopped", 7e9}}));
}

TEST(RunLandmarks, StandInTheFiguresOverTime) {
  const FigureContext context{.landmarks = {.shown = {{.label = "killed", .x = 1e8}}},
                              .stretches = {{.label = "no delivery, 1.00 s", .from = 1e8, .to = 11e8}}};
  EXPECT_EQ(rate_figure(slots(), context).stretches, context.stretches);
  EXPECT_EQ(rate_figure(slots(), context).landmarks, context.landmarks.shown);
  EXPECT_EQ(latency_over_time_figure(slots(), context).landmarks, context.landmarks.shown);
}

TEST(Baseline, StandsBehindUnderItsName) {
  Figure figure = rate_figure(slots(), {});
  const Figure before = rate_figure(slots(), {});
  put_behind(figure, before, "run 12");
  ASSERT_EQ(figure.series.size(), 4u);
  EXPECT_EQ(figure.series[2].name, "sent, run 12");
  EXPECT_TRUE(figure.series[2].behind);
  EXPECT_EQ(figure.series[2].points, before.series[0].points);
  put_behind(figure, histogram_figure({}, {}), "another figure");
  EXPECT_EQ(figure.series.size(), 4u);
}

TEST(Baseline, OfAHistogramCountsAsManyMessagesInBinsAsWide) {
  measure::Histogram few, many;
  for (int64_t i = 0; i < 1000; i++) few.record(80'000 + i * 10);
  for (int64_t i = 0; i < 9000; i++) many.record(80'000 + (i % 1000) * 10);
  Figure figure = histogram_figure(few, {});
  put_behind(figure, histogram_figure(many, {}), "run 12");
  ASSERT_EQ(figure.series.size(), 2u);
  EXPECT_EQ(figure.series[1].shape, Shape::steps);
  ASSERT_EQ(figure.series[1].points.size(), figure.series[0].points.size());
  EXPECT_NEAR(figure.series[1].points[5].y, figure.series[0].points[5].y, 1);
}

TEST(Baseline, IsOfTheSameSend) {
  measure::Histogram some;
  for (int64_t i = 0; i < 1000; i++) some.record(80'000 + i * 10);
  Figure late = histogram_figure(some, {.intended = true});
  put_behind(late, histogram_figure(some, {}), "run 12");
  EXPECT_EQ(late.series.size(), 1u) << "its latencies are from the actual send";
  auto with_both = slots();
  for (live::SeriesPoint& slot : with_both) slot.scheduled_p50_ns = slot.scheduled_p99_ns = 9'000'000;
  Figure over_time = latency_over_time_figure(with_both, {.intended = true});
  put_behind(over_time, latency_over_time_figure(with_both, {}), "run 12");
  std::vector<std::string> behind;
  for (const Series& one : over_time.series)
    if (one.behind) behind.push_back(one.name);
  EXPECT_EQ(behind, (std::vector<std::string>{"p50, intended send, run 12", "p99, intended send, run 12"}));
}

std::vector<live::ServiceFigures> receivers(uint32_t n) {
  std::vector<live::ServiceFigures> all;
  for (uint32_t i = 1; i <= n; i++) {
    live::ServiceFigures& one = all.emplace_back(control::Counts{.count = 10 * int64_t{i}}, Role::receiver, i);
    one.latency_p50_ns = 1000 * int64_t{i};
    one.latency_p99_ns = 2000 * int64_t{i};
  }
  return all;
}

TEST(PerServiceFigure, ComparesReceiversAsBars) {
  auto some = receivers(3);
  some[1].latency_p50_ns.reset();
  some[1].latency_p99_ns.reset();
  const Figure figure = per_service_figure(some, {});
  EXPECT_EQ(figure.x.categories, (std::vector<std::string>{"r1", "r2", "r3"}));
  EXPECT_EQ(series_named(figure, "p50").points, (std::vector<Point>{{0, 1000}, {2, 3000}}));
  EXPECT_EQ(series_named(figure, "p99").points, (std::vector<Point>{{0, 2000}, {2, 6000}}));
  EXPECT_EQ(series_named(figure, "p99").shape, Shape::bars);
  EXPECT_EQ(series_named(figure, "p99").notes.at(1), "receiver 3, 30 messages");
}

TEST(PerServiceFigure, DrawsLinesForMany) {
  EXPECT_EQ(per_service_figure(receivers(60), {}).series[0].shape, Shape::bars);
  const Figure many = per_service_figure(receivers(61), {});
  EXPECT_EQ(many.series[0].shape, Shape::line);
  EXPECT_EQ(many.series[0].points.size(), 61u);
}

TEST(PerServiceFigure, ShowsTheSlowestOfNeighboursWhereThereAreVeryMany) {
  const Figure figure = per_service_figure(receivers(1000), {});
  expect_finite(figure);
  EXPECT_EQ(figure.x.categories.at(0), "r1-4");
  EXPECT_EQ(series_named(figure, "p99").points.at(0), (Point{0, 8000}));
  EXPECT_EQ(series_named(figure, "p99").notes.at(0), "receiver 4, 40 messages");
  EXPECT_TRUE(has_note(figure, "each point is the slowest of 4 receivers"));
}

TEST(PerServiceFigure, IsEmptyWithoutReceiversOrLatencies) {
  EXPECT_TRUE(per_service_figure({}, {}).empty());
  EXPECT_TRUE(per_service_figure(std::vector{live::ServiceFigures{{}, Role::receiver, 1}}, {}).empty());
}

std::vector<record::LayerRecord> layers() {
  const auto took = [](int64_t p50) {
    return measure::LatencySummary{.count = 12, .min = p50 / 2, .p50 = p50, .p99 = 3 * p50, .max = 4 * p50};
  };
  return {{.from = "vm2",
           .to = "vm1",
           .layer = record::Layer::network,
           .method = "icmp",
           .sent = 12,
           .figures = took(200'000)},
          {.from = "vm2", .to = "vm1", .layer = record::Layer::tcp, .figures = took(900'000)},
          {.from = "vm3",
           .to = "vm1",
           .layer = record::Layer::network,
           .method = "tcp_connect",
           .sent = 15,
           .lost = 3,
           .figures = took(300'000)},
          {.from = "vm3", .to = "vm1", .layer = record::Layer::probe, .figures = took(400'000)},
          {.from = "vm3", .to = "vm1", .layer = record::Layer::bus, .figures = took(500'000)}};
}

TEST(LayersFigure, SetsTheLayersOfEachPairOfHostsSideBySide) {
  const Figure figure = layers_figure(layers(), {.clock_kind = "measured", .clock_bound_ns = 3000});
  expect_finite(figure);
  EXPECT_EQ(figure.x.categories, (std::vector<std::string>{"vm2 - vm1", "vm3 - vm1"}));
  EXPECT_EQ(figure.y.quantity, Quantity::duration_ns);
  EXPECT_TRUE(figure.y.by_decades) << "a ping and a late message differ by orders of magnitude";
  EXPECT_EQ(series_named(figure, "network, median").points, (std::vector<Point>{{0, 200'000}, {1, 300'000}}));
  EXPECT_EQ(series_named(figure, "network, p99").points, (std::vector<Point>{{0, 600'000}, {1, 900'000}}));
  EXPECT_EQ(series_named(figure, "queue's port, median").points, (std::vector<Point>{{1, 400'000}}));
  EXPECT_EQ(series_named(figure, "bus latency, p99").points, (std::vector<Point>{{1, 1'500'000}}));
  for (const Series& series : figure.series) EXPECT_EQ(series.shape, Shape::bars);
  EXPECT_EQ(series_named(figure, "network, p99").notes.at(1),
            "round trip by TCP connect time, 12 answers, 3 lost ones");
}

TEST(LayersFigure, SaysWhatIsOneWayAndHowTheNetworkWasAsked) {
  const Figure figure = layers_figure(layers(), {.clock_kind = "measured", .clock_bound_ns = 3000});
  EXPECT_TRUE(has_note(figure, "± 3.00 µs"));
  EXPECT_TRUE(has_note(figure,
                       "bus latency: one way, from a sender through the queue to a receiver there, two hops; the "
                       "others: there and back, one hop"));
  EXPECT_TRUE(has_note(figure, "vm3 - vm1: network by TCP connect time"));
  EXPECT_TRUE(has_note(figure, "vm3 - vm1: 3 of 15 not answered"));
  EXPECT_FALSE(has_note(figure, "vm2 - vm1: network by ICMP echo")) << "as usual";
}

TEST(LayersFigure, DoesNotDrawDelayedAcknowledgementsAsIfTheyWereTheNetwork) {
  const Figure figure = layers_figure(layers(), {});
  for (const Series& series : figure.series) EXPECT_EQ(series.name.find("TCP"), std::string::npos) << series.name;
  EXPECT_TRUE(has_note(figure, "TCP is not drawn: its round trip includes delayed acknowledgements"));
  const auto all = layers();
  EXPECT_FALSE(has_note(layers_figure(std::span(all).subspan(2), {}),
                        "TCP is not drawn: its round trip includes delayed acknowledgements"))
      << "where nobody asked TCP";
}

TEST(LayersFigure, NamesTheServerOfTheUsersOwn) {
  EXPECT_EQ(layers_figure(layers(), {}).x.label, "host - queue's host");
  const plan::BusPlan redis{.kind = "redis-pubsub"};
  EXPECT_EQ(layers_figure(layers(), {.bus = redis}).x.label, "host - queue's host") << "it is started there";
  EXPECT_EQ(layers_figure(layers(), {.bus = {.kind = "redis-pubsub", .settings = {{"address", "a:1"}}}}).x.label,
            "host - server");
}

TEST(LayersFigure, IsEmptyWithoutLayersOrAnswers) {
  const Figure direct = layers_figure(layers(), {.bus = {.kind = "websocket"}});
  EXPECT_TRUE(direct.empty());
  EXPECT_THAT(direct.empty_text, testing::HasSubstr("no message takes the path to the queue's host"));
  EXPECT_TRUE(layers_figure({}, {}).empty());
  EXPECT_FALSE(layers_figure({}, {}).empty_text.empty());
  EXPECT_TRUE(
      layers_figure(std::vector{record::LayerRecord{.from = "vm2", .to = "vm1", .sent = 3, .lost = 3}}, {}).empty());
}

TEST(FiguresOfARun, AreThoseOfTheTabsInTheirOrder) {
  measure::Histogram latency;
  for (int64_t i = 0; i < 1000; i++) latency.record(80'000 + i);
  record::RunRecord record;
  record.series = slots();
  record.histograms = {record::to_record("latency_ns", latency)};
  record.services = receivers(2);
  record.services.insert(record.services.begin(), live::ServiceFigures{{}, Role::sender, 1});
  record.plan.warmup_ns = kSecond;
  record.layers = layers();
  record.hosts = record::test::example_record().hosts;
  for (const char* series : {"memory_used", "disk_read", "network_sent"})
    record.hosts[0].series.push_back({.name = series, .value = 5, .values = {5, 5}});
  for (const char* series : {"rtt", "cwnd"})
    record.hosts[0].series.push_back(
        {.of = live::RecordedOf::connections, .subject = "queue", .name = series, .value = 5, .values = {5, 5}});
  record.plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 1'000'000};
  record.latencies[Latency::waiting] = record.latencies[Latency::occupied] = {.count = 10, .mean = 1e6};
  record.latencies[Latency::delay] = {.count = 10, .mean = 1e8};
  const auto figures = figures_of(record);
  std::vector<std::string> ids;
  for (const Figure& figure : figures) ids.push_back(figure.id);
  ASSERT_EQ(ids, (std::vector<std::string>{"rate", "latency-over-time", "backlog", "latency-by-percentile", "histogram",
                                           "per-service", "layers", "waiting", "queue-length", "schedule", "hosts",
                                           "memory", "disks", "network", "connections", "window", "sent-again"}));
  for (const Figure& figure : figures) {
    EXPECT_FALSE(figure.empty()) << figure.id;
    EXPECT_FALSE(figure.title.empty());
    expect_finite(figure);
  }
  EXPECT_EQ(figures[5].x.categories.size(), 2u);
  EXPECT_TRUE(has_note(figures[3], "without 1.00 s of warm-up"));
}

TEST(FiguresOfARun, ThatNeverBeganAreEmptyAndSayWhy) {
  for (const Figure& figure : figures_of(record::RunRecord())) {
    EXPECT_TRUE(figure.empty()) << figure.id;
    EXPECT_FALSE(figure.empty_text.empty()) << figure.id;
  }
}

TEST(FiguresOfARun, ThatIsPlannedSayWhatThePlanDecides) {
  record::RunRecord planned;
  const live::LiveFigures nobody(0, 0);
  const auto text_of = [&](std::string_view id) {
    const RunningView run(planned, {}, nobody, Stage::planned);
    const Figure figure = draw(id, {.run = run, .context = context_of(run)});
    EXPECT_TRUE(figure.empty()) << id;
    return figure.empty_text;
  };
  EXPECT_EQ(text_of("backlog"), "Start the run: the backlog appears once it has begun");
  EXPECT_TRUE(text_of("waiting").starts_with("Set a service time"));
  planned.plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::fixed, .mean_ns = 1'000'000};
  for (const Picture& picture : pictures()) EXPECT_TRUE(text_of(picture.id).starts_with("Start the run")) << picture.id;
  planned.plan.recorder.on = false;
  EXPECT_TRUE(text_of("hosts").contains("Record hosts is off"));
  planned.plan.receivers.fleet.attach = "127.0.0.1:7500";
  EXPECT_TRUE(text_of("backlog").contains("cannot be told beforehand"));
}

// 10 senders with a message every 100 ms each, for a second: the run's plan and log say what is late.
TEST(FiguresOfARun, HaveWhatWasNotSentByItsPlanAndLog) {
  record::RunRecord run;
  run.began_utc_ns = 1;
  run.plan.senders.fleet.count = 10;
  run.plan.senders.duration_ns = 1'000 * kMs;
  run.plan.senders.delay_ns = 100 * kMs;
  for (int64_t i = 0; i < 12; i++)
    run.series.push_back({.start_ns = i * 100 * kMs,
                          .width_ns = 100 * kMs,
                          .sent = i == 7             ? 40.0
                                  : i >= 4 && i < 10 ? 0.0
                                                     : 10.0});
  const auto unsent = [&run] {
    const Figure figure = figure_of(run, "backlog");
    return std::ranges::find(figure.series, "not sent yet", &Series::name) != figure.series.end();
  };
  EXPECT_TRUE(unsent());
  run.notes = {{.since_begin_ns = 400 * kMs, .kind = record::EventKind::stop}};
  EXPECT_FALSE(unsent()) << "stopped";
  run.notes.clear();
  run.plan.senders.pacing = plan::Pacing::poisson;
  EXPECT_FALSE(unsent()) << "20 of 60 may be chance";
}

TEST(LossRows, SayNothingWhereNothingIsKnown) {
  record::RunRecord run;
  run.services.resize(1);
  run.services[0].number = 3;
  run.services[0].count = 1'200;
  run.services[0].duplicates = 2;
  ASSERT_EQ(loss_rows(run).size(), 1u);
  EXPECT_EQ(loss_rows(run)[0].cells, (std::vector<std::string>{"receiver 3", "1,200", "-", "-", "-", "-", "2"}));
  EXPECT_EQ(loss_rows(run)[0].cells.size(), loss_columns().size());
  EXPECT_TRUE(no_losses_text(run).starts_with("What was lost is not known")) << "it is not nothing";
  run.totals.lost = 0;
  EXPECT_TRUE(no_losses_text(run).starts_with("No message was lost"));
  run.totals.duplicates = 2;
  EXPECT_TRUE(no_losses_text(run).contains("not known which services"));
}

}  // namespace
}  // namespace n2nq::figures
