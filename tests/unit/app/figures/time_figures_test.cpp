// What stands in figures over time beside what was measured: the asked rate, events, the intended send.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/figures/figures.h"
#include "app/figures/run_landmarks.h"
#include "app/record/background_loads.h"
#include "app/record/outages.h"
#include "app/record/pauses.h"
#include "broker/base/clock.h"

namespace n2nq::figures {
namespace {

measure::LoadProfile load_of(const char* words) {
  return measure::LoadProfile(*measure::parse_shape(words));
}

std::vector<live::SeriesPoint> tenths(size_t count) {
  std::vector<live::SeriesPoint> slots;
  for (size_t i = 0; i < count; i++)
    slots.push_back({.start_ns = static_cast<int64_t>(i) * 100 * kMs,
                     .width_ns = 100 * kMs,
                     .sent = 10,
                     .received = 10,
                     .p50_ns = 80'000,
                     .p99_ns = 90'000,
                     .max_ns = 100'000});
  return slots;
}

const Series* find_series(const Figure& figure, const std::string& name) {
  const auto found = std::ranges::find(figure.series, name, &Series::name);
  return found == figure.series.end() ? nullptr : &*found;
}

bool says(const std::vector<std::string>& notes, const std::string& text) {
  return std::ranges::find(notes, text) != notes.end();
}

TEST(RateFigure, HasTheAskedRateBesideTheReachedOneAsLongAsTheLoadIs) {
  const Figure figure = rate_figure(tenths(5), {.asked = load_of("ramp 0/s..600/s over 300ms")});
  const Series* asked = find_series(figure, "asked");
  ASSERT_NE(asked, nullptr);
  ASSERT_EQ(asked->points.size(), 3u);
  EXPECT_NEAR(asked->points[0].y, 100, 1e-6) << "the mean of each slot";
  EXPECT_NEAR(asked->points[1].y, 300, 1e-6);
  EXPECT_NEAR(asked->points[2].y, 500, 1e-6);
  EXPECT_EQ(asked, &figure.series.front()) << "beneath the others";
  EXPECT_GT(asked->shade, 0) << "dashed";
  EXPECT_NE(figure_csv(figure).find("asked"), std::string::npos) << "a column of its table";
  EXPECT_EQ(find_series(rate_figure(tenths(5), {}), "asked"), nullptr);
}

// 10 come and 5 are received in each tenth of a second, but for what is skipped in the fourth.
TEST(BacklogFigure, IsWhatIsDueAndNotReceivedAndSaysHowItWasCaughtUpWith) {
  auto slots = tenths(8);
  for (size_t i = 0; i < 4; i++) slots[i].received = 5;
  for (size_t i = 4; i < 8; i++) slots[i].received = 15;
  slots[3].lost = 3;
  const FigureContext context{.due_per_message = 1, .receiver_pauses = {{.from_ns = 0, .to_ns = 400 * kMs}}};
  const Figure figure = backlog_figure(slots, context);
  ASSERT_EQ(figure.series.size(), 1u);
  std::vector<double> counts;
  for (const Point& point : figure.series[0].points) counts.push_back(point.y);
  EXPECT_EQ(counts, (std::vector<double>{5, 10, 15, 17, 12, 7, 2, 0}));
  EXPECT_EQ(figure.series[0].points[0].x, 1e8) << "a count is as of the end of its slot";
  EXPECT_TRUE(says(figure.notes, "at most 17 at 0.4 s"));
  EXPECT_TRUE(says(figure.notes, "from 0.4 s on: caught up in 140.0 ms"))
      << testing::PrintToString(figure.notes) << ", down to the 10 that are due in a slot";
  EXPECT_NE(figure_csv(figure).find("backlog"), std::string::npos);
  EXPECT_EQ(backlog_figure(slots, context, 500 * kMs).series[0].points.size(), 4u) << "zoomed";
}

// 100 messages a second are asked for; in half of the second nobody could send, and then all of it was sent.
TEST(BacklogFigure, HasWhatWasDueAndNotSentWhereThatIsMoreThanNothing) {
  auto slots = tenths(10);
  for (size_t i = 2; i < 7; i++) slots[i].sent = slots[i].received = 0;
  slots[7].sent = slots[7].received = 60;
  const auto load = measure::LoadProfile::steady(100, 1000 * kMs);
  FigureContext context{.asked = load, .due_per_message = 2};
  const Figure figure = backlog_figure(slots, context);
  const Series* unsent = find_series(figure, "not sent yet");
  ASSERT_NE(unsent, nullptr);
  std::vector<double> counts;
  for (const Point& point : unsent->points) counts.push_back(std::round(point.y));
  EXPECT_EQ(counts, (std::vector<double>{0, 0, 20, 40, 60, 80, 100, 0, 0, 0})) << "deliveries, two for each message";
  EXPECT_TRUE(says(figure.notes, "not sent yet: at most 100 at 0.7 s")) << testing::PrintToString(figure.notes);
  EXPECT_EQ(find_series(backlog_figure(tenths(10), context), "not sent yet"), nullptr) << "on schedule";
  EXPECT_EQ(figure_csv(figure).substr(0, figure_csv(figure).find('\n')).find("not received not sent"),
            std::string::npos);
  const auto unsent_in = [&](int64_t from_ns = 0) {
    const Series* line = find_series(backlog_figure(slots, context, from_ns), "not sent yet");
    return line == nullptr ? size_t{0} : line->points.size();
  };
  EXPECT_EQ(unsent_in(600 * kMs), 5u) << "zoomed";
  EXPECT_EQ(unsent_in(800 * kMs), 0u) << "zoomed behind it: no line of nothing";
  context.stage = Stage::going_on;
  EXPECT_EQ(unsent_in(), 10u) << "while the run goes on, what is drawn is complete";
  context.stage = Stage::over;
  context.asked_sends = {.poisson = true};
  EXPECT_EQ(unsent_in(), 10u) << "50 messages are no chance";
  slots[7].sent -= 30;
  for (size_t i = 2; i < 7; i++) slots[i].sent = 6;
  EXPECT_EQ(unsent_in(), 0u) << "20 of 70 may be";
  context.asked_sends = {.out_of_phase = 25};
  EXPECT_EQ(unsent_in(), 0u) << "as may the first of 25 senders";
  context.asked_sends = {};
  EXPECT_EQ(unsent_in(), 10u) << "and are not by a schedule";
}

TEST(BacklogFigure, HasNothingUnsentOnceNothingIsAsked) {
  auto slots = tenths(10);
  for (size_t i = 4; i < 10; i++) slots[i].sent = 0;
  FigureContext context{.asked = measure::LoadProfile::steady(100, 1000 * kMs), .due_per_message = 1};
  const auto unsent = [&] { return find_series(backlog_figure(slots, context), "not sent yet") != nullptr; };
  EXPECT_TRUE(unsent());
  context.asked_sends.until_ns = 400 * kMs;
  EXPECT_FALSE(unsent()) << "stopped";
  context.asked_sends = {};
  context.pauses.all = {{.from_ns = 400 * kMs, .to_ns = INT64_MAX}};
  EXPECT_FALSE(unsent()) << "paused";
  context.pauses = {.some_since_ns = 400 * kMs};
  EXPECT_FALSE(unsent()) << "what is asked while some are paused is not known";
  context = {.asked = measure::LoadProfile::steady(100, 420 * kMs), .due_per_message = 1};
  slots[3].sent = 0;
  EXPECT_TRUE(unsent()) << "of a number of messages all are to be sent";
  context.asked_sends.by_time = true;
  EXPECT_FALSE(unsent()) << "and in a time those that were";
}

// Lines of many points keep each other's times, and their peaks.
TEST(BacklogFigure, ThinsItsLinesAlike) {
  auto slots = tenths(1000);
  for (size_t i = 200; i < 250; i++) slots[i].sent = slots[i].received = 0;
  slots[250].sent = slots[250].received = 510;
  slots[777].received = 0;
  slots[778].received = 20;
  const Figure figure =
      backlog_figure(slots, {.asked = measure::LoadProfile::steady(100, 100'000 * kMs), .due_per_message = 1});
  ASSERT_EQ(figure.series.size(), 2u);
  ASSERT_EQ(figure.series[0].points.size(), 250u);
  ASSERT_EQ(figure.series[1].points.size(), 250u);
  for (size_t i = 0; i < 250; i++) EXPECT_EQ(figure.series[0].points[i].x, figure.series[1].points[i].x);
  EXPECT_EQ(std::ranges::max(figure.series[0].points, {}, &Point::y).y, 10);
  EXPECT_NEAR(std::ranges::max(figure.series[1].points, {}, &Point::y).y, 500, 1e-6);
}

TEST(BacklogFigure, GoesAsFarAsItIsKnownWhatIsDue) {
  EXPECT_TRUE(backlog_figure(tenths(8), {}).empty());
  const Figure figure = backlog_figure(tenths(8), {.due_per_message = 2, .due_until_ns = 300 * kMs});
  ASSERT_EQ(figure.series.size(), 1u);
  EXPECT_EQ(figure.series[0].points.size(), 3u);
  EXPECT_TRUE(says(figure.notes, "only up to 0.3 s, when requests changed"));
}

TEST(RateFigure, BeforeARunIsWhatItWillBeAsked) {
  const auto load = load_of("spike 100/s..900/s at 10s for 2s over 30s");
  const Figure figure = rate_figure({}, {.stage = Stage::planned, .asked = load, .asked_messages = 4'601});
  ASSERT_EQ(figure.series.size(), 1u);
  double messages = 0, most = 0;
  for (const Point& point : figure.series[0].points) {
    messages += point.y * 0.1;
    most = std::max(most, point.y);
  }
  EXPECT_NEAR(messages, load.messages(), 1e-6);
  EXPECT_NEAR(most, 900, 1e-6);
  EXPECT_EQ(figure.notes, (std::vector<std::string>{"4,601 messages asked for", "100.0 ms per point"}))
      << "as senders count them";
  EXPECT_EQ(rate_figure({}, {.stage = Stage::planned, .asked = load}).notes.front(), "about 4,600 messages asked for")
      << "by chance";
  EXPECT_TRUE(rate_figure({}, {.asked = load}).empty()) << "a run that never began has no rate";
}

// 100 messages a second for 400 ms, with a pause from 200 to 500 ms.
TEST(RateFigure, HasTheAskedRateMovedByAPauseOfAllSenders) {
  FigureContext context{.asked = measure::LoadProfile::steady(100, 400 * kMs)};
  context.pauses.all = {{.from_ns = 200 * kMs, .to_ns = 500 * kMs}};
  std::vector<double> asked;
  const Figure moved = rate_figure(tenths(10), context);
  for (const Point& point : find_series(moved, "asked")->points) asked.push_back(std::round(point.y));
  EXPECT_EQ(asked, (std::vector<double>{100, 100, 0, 0, 0, 100, 100}));
  context.pauses.all.back().to_ns = INT64_MAX;
  const Figure figure = rate_figure(tenths(10), context);
  EXPECT_EQ(find_series(figure, "asked")->points.size(), 10u) << "as long as nobody goes on";
  EXPECT_EQ(find_series(figure, "asked")->points.back().y, 0);
}

TEST(RateFigure, EndsTheAskedRateWhereOnlySomeSendersWerePausedAndSaysSo) {
  FigureContext context{.asked = measure::LoadProfile::steady(100, 400 * kMs)};
  context.pauses.some_since_ns = 210 * kMs;
  const Figure figure = rate_figure(tenths(5), context);
  EXPECT_EQ(find_series(figure, "asked")->points.size(), 2u);
  EXPECT_TRUE(says(figure.notes, "asked rate only up to 0.2 s, when only some senders were paused"));
}

TEST(RateFigure, KeepsTheEndOfALoadThatFalls) {
  const auto load = load_of("ramp 100/s..0/s over 500ms");
  std::vector<live::SeriesPoint> slots = tenths(5);
  for (size_t i = 0; i < slots.size(); i++) {
    slots[i].sent = 9 - 2 * static_cast<double>(i);
    slots[i].received = 3 * slots[i].sent;
  }
  const auto points = [&](const FigureContext& context, const char* name) {
    return find_series(rate_figure(slots, context), name)->points.size();
  };
  EXPECT_EQ(points({.asked = load}, "sent"), 5u);
  EXPECT_EQ(points({.asked = load}, "received"), 5u) << "of three receivers";
  EXPECT_EQ(points({}, "sent"), 3u) << "without one nobody knows";
  slots.back().sent = 0.2;
  EXPECT_EQ(points({.asked = load}, "sent"), 4u) << "it ended within the last slot";
}

TEST(LatencyOverTime, FromTheIntendedSendIsDrawnOnceItIsAskedFor) {
  std::vector<live::SeriesPoint> slots = tenths(3);
  for (live::SeriesPoint& slot : slots) slot.scheduled_p99_ns = 7'000'000;
  const Figure figure = latency_over_time_figure(slots, {});
  const Series* intended = find_series(figure, "p99, intended send");
  ASSERT_NE(intended, nullptr);
  EXPECT_TRUE(intended->on_demand);
  EXPECT_EQ(intended->points.front().y, 7e6);
  EXPECT_NE(figure_csv(figure).find("p99, intended send"), std::string::npos);
  for (const Series& one : latency_over_time_figure(tenths(3), {}).series)
    EXPECT_EQ(one.name.find("intended"), std::string::npos) << "without a schedule there is none";
}

TEST(LatencyOverTime, IsFromTheSendThatTheFiguresBesideItAreFrom) {
  record::RunRecord run;
  run.series = tenths(3);
  for (live::SeriesPoint& slot : run.series) slot.scheduled_p50_ns = slot.scheduled_p99_ns = 7'000'000;
  const auto shown = [&run] {
    const Figure figure = figure_of(run, "latency-over-time");
    std::string text = figure.y.label + ":";
    for (const Series& one : figure.series)
      if (!one.on_demand) text += " " + one.name + (one.base.empty() ? "" : " from " + one.base) + ";";
    return text;
  };
  run.latencies[Latency::latency] = {.count = 1000, .p50 = 100'000, .p99 = 200'000};
  run.latencies[Latency::scheduled_latency] = {.count = 1000, .p50 = 110'000, .p99 = 210'000};
  EXPECT_EQ(shown(), "latency: p50; p99 from p50; max;");
  run.latencies[Latency::scheduled_latency].p99 = 7'000'000;
  EXPECT_EQ(shown(), "latency, intended: p50, intended send; p99, intended send from p50, intended send;");
  EXPECT_EQ(figure_of(run, "histogram").x.label, "latency, intended");
  const std::vector<plan::RunLimit> limits{{.metric = "p99", .value = 5e6}};
  std::vector<std::string> lines;
  for (const bool intended : {false, true})
    for (const Limit& limit : latency_over_time_figure(run.series, {.limits = limits, .intended = intended}).limits)
      lines.push_back(limit.label);
  EXPECT_EQ(lines, (std::vector<std::string>{"p99 at most 5 ms", "p99 from the actual send at most 5 ms"}));
}

TEST(LatencyOverTime, HasAGapWhereNothingWasReceivedAndReachesToTheEndOfTheRun) {
  std::vector<live::SeriesPoint> slots = tenths(30);
  for (const size_t silent : {10, 11, 12, 13, 14, 28, 29})
    slots[silent].p50_ns = slots[silent].p99_ns = slots[silent].max_ns = {};
  const Figure figure = latency_over_time_figure(slots, {});
  EXPECT_EQ(find_series(figure, "p50")->gaps, (std::vector{1.25e9})) << "half way between the points beside it";
  EXPECT_EQ(find_series(figure, "p99")->gaps, (std::vector{1.25e9}));
  EXPECT_EQ(figure.x.reaches, 2.95e9);
}

TEST(LatencyOverTime, OfFewMessagesIsOneLine) {
  std::vector<live::SeriesPoint> slots = tenths(60);
  for (size_t i = 0; i < slots.size(); i++)
    if (i % 10 != 0) slots[i].p50_ns = {};
  EXPECT_TRUE(find_series(latency_over_time_figure(slots, {}), "p50")->gaps.empty());
}

TEST(ScheduleFigure, HasDelayAndLatenessAndWhatWasAskedFor) {
  EXPECT_TRUE(schedule_figure(tenths(3), {}).empty()) << "of an older bench";
  std::vector<live::SeriesPoint> slots = tenths(3);
  for (live::SeriesPoint& slot : slots) {
    slot.delay_p50_ns = 20'000'000;
    slot.delay_p99_ns = 21'000'000;
  }
  slots[1].lateness_p99_ns = 900'000;
  const Figure figure = schedule_figure(slots, {.asked_delay_ns = 20'000'000});
  std::vector<std::string> names;
  for (const Series& one : figure.series) names.push_back(one.name);
  EXPECT_EQ(names, (std::vector<std::string>{"asked", "delay, p50", "delay, p99", "lateness, p99"}));
  EXPECT_EQ(find_series(figure, "lateness, p99")->points, (std::vector<Point>{{.x = 1.5e8, .y = 9e5}}));
  EXPECT_EQ(find_series(figure, "asked")->points.back(), (Point{.x = 2.5e8, .y = 2e7}));
}

TEST(RunLandmarks, AreTheEventsOfTheRunByTheirKind) {
  using record::EventKind;
  std::vector<record::RunNote> notes{record::pause_note(2, 3),
                                     record::resume_note(0, 3),
                                     {.kind = EventKind::lost, .subject = "receivers 1-50"},
                                     {.kind = EventKind::lost, .subject = "senders", .was_killed = true},
                                     {.kind = EventKind::link_lost, .subject = "receivers"},
                                     {.kind = EventKind::silent, .subject = "senders"},
                                     {.kind = EventKind::clock_step},
                                     {.kind = EventKind::request},
                                     {.kind = EventKind::limit},
                                     record::server_gone_note({.server = 2, .killed = true, .leads = true}),
                                     record::server_gone_note({.server = 1, .text = "Kafka has ended: 137"}),
                                     record::receiver_pause_note(*control::parse_services("2"), true),
                                     record::coming_note(*control::parse_services("2-4"), true, 1, 4, {}),
                                     record::coming_note(*control::parse_services("3"), false, 2, 4, {}),
                                     record::load_begins_note("vm1", "vm2"),
                                     record::load_ends_note({.from = "vm1", .to = "vm2", .at_ns = 1})};
  for (size_t i = 0; i < notes.size(); i++) notes[i].since_begin_ns = static_cast<int64_t>(i + 1) * kSecond;
  std::vector<std::string> labels;
  for (const Landmark& landmark : landmarks_of(0, notes).shown) labels.push_back(landmark.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"paused", "resumed", "receivers 1-50 lost", "senders killed",
                                              "receivers: link lost", "senders silent", "clock step", "request changed",
                                              "limit exceeded", "server 2 (leader) killed", "server 1 lost",
                                              "receivers 2 paused", "receivers 2-4 left", "receivers 3 came",
                                              "load vm1 to vm2", "load vm1 to vm2 ends"}));
}

TEST(RunLandmarks, OfMoreThanThereIsRoomForAreThoseThatMatterAndANoteSaysHowManyAreNot) {
  using record::EventKind;
  std::vector<record::RunNote> notes;
  for (int i = 1; i <= 50; i++)
    notes.push_back({.since_begin_ns = i * kSecond, .kind = EventKind::pause, .senders = 3});
  notes.push_back({.since_begin_ns = 60 * kSecond, .kind = EventKind::lost, .subject = "senders"});
  notes.push_back({.since_begin_ns = 61 * kSecond, .text = "stopped by the user", .kind = EventKind::stop});
  notes.push_back({.since_begin_ns = 62 * kSecond, .text = "killed by the user", .kind = EventKind::kill});
  const Landmarks marks = landmarks_of(0, notes);
  ASSERT_EQ(marks.shown.size(), kMostLandmarks);
  EXPECT_EQ(marks.left_out, 13u);
  EXPECT_EQ(marks.shown.front().x, 1e9) << "of the others the first";
  EXPECT_EQ(marks.shown[37].label, "senders lost");
  EXPECT_EQ(marks.shown[38].label, "stopped");
  EXPECT_EQ(marks.shown[39].label, "killed");
  const Figure figure = rate_figure(tenths(5), {.landmarks = marks});
  EXPECT_TRUE(says(figure.notes, "13 more events in the run's log"));
  EXPECT_TRUE(says(latency_over_time_figure(tenths(5), {.landmarks = marks}).notes, "13 more events in the run's log"));
}

TEST(RunLandmarks, HaveNoneForALimitThatTheWholeRunExceeds) {
  const std::vector<record::RunNote> notes{
      {.since_begin_ns = kSecond, .text = "limit exceeded: lost 3, above 0, over the whole run"}};
  EXPECT_TRUE(landmarks_of(0, notes).shown.empty());
}

TEST(TurnaroundFigures, ShowTurnaroundFirstWithBothWaysAndSayThatTheLoopIsClosed) {
  auto slots = tenths(5);
  for (live::SeriesPoint& slot : slots) {
    slot.replies = 9;
    slot.timeouts = 1;
    slot.turnaround_p50_ns = 200'000;
    slot.turnaround_p99_ns = 300'000;
    slot.reply_p50_ns = 70'000;
  }
  const FigureContext context{.clock_kind = "measured", .clock_bound_ns = 3'000, .replies = true, .closed_loop = 4};
  const Figure figure = latency_over_time_figure(slots, context);
  EXPECT_EQ(figure.title, "Turnaround over time");
  EXPECT_EQ(find_series(figure, "p50")->points.front().y, 200'000);
  EXPECT_EQ(find_series(figure, "there, p50")->points.front().y, 80'000);
  EXPECT_EQ(find_series(figure, "back, p50")->points.front().y, 70'000);
  EXPECT_TRUE(says(figure.notes, "one clock")) << "of turnaround";
  EXPECT_TRUE(says(figure.notes, "there and back: ± 3.00 µs")) << testing::PrintToString(figure.notes);
  EXPECT_TRUE(says(figure.notes, "closed loop, 4 outstanding: hides waiting"));
  const Figure rate = rate_figure(slots, context);
  ASSERT_NE(find_series(rate, "replies"), nullptr);
  EXPECT_NEAR(find_series(rate, "replies")->points.front().y, 90, 1e-9);
  EXPECT_NEAR(find_series(rate, "timed out")->points.front().y, 10, 1e-9);
  EXPECT_TRUE(says(rate.notes, "closed loop, 4 outstanding: hides waiting"));
  EXPECT_EQ(find_series(latency_over_time_figure(tenths(5), {}), "back, p50"), nullptr);
}

}  // namespace
}  // namespace n2nq::figures
