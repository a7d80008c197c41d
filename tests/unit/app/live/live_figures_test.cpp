#include "app/live/live_figures.h"

#include <gtest/gtest.h>

#include <limits>

#include "app/live/exported_moments.h"
#include "broker/base/clock.h"
#include "broker/base/random.h"

namespace n2nq::live {
namespace {

using control::kNoFigure;
using control::ServiceRow;
using control::Telemetry;

constexpr int64_t kOrigin = 777 * kSecond;
constexpr int64_t kFarthest = std::numeric_limits<int64_t>::max();

ServiceRow sender_row(int64_t service, int64_t sent, int64_t delay_ns = kNoFigure) {
  return {{.count = sent, .bytes = sent * 50, .accepted = sent}, service, control::kRunning, delay_ns};
}
ServiceRow receiver_row(int64_t service, int64_t received, int64_t latency_ns = kNoFigure) {
  ServiceRow row{{.count = received, .bytes = received * 50}, service, control::kRunning};
  row.latency_ns = latency_ns;
  return row;
}
Telemetry line(Role role, int64_t since_begin_ns, std::vector<ServiceRow> rows) {
  Telemetry telemetry{.role = role, .time_ns = kOrigin + since_begin_ns, .interval_ns = 100 * kMs};
  for (const ServiceRow& row : rows) telemetry.totals += row;
  telemetry.services = std::move(rows);
  return telemetry;
}

// Two processes of five senders, and one of ten receivers, begun.
struct LiveFiguresTest : testing::Test {
  LiveFiguresTest() {
    for (const uint32_t worker : {low, high, receivers}) figures.begin(worker, kOrigin);
  }
  LiveFigures figures{10, 10};
  uint32_t low = figures.add_worker(Role::sender, 1, 5);
  uint32_t high = figures.add_worker(Role::sender, 6, 5);
  uint32_t receivers = figures.add_worker(Role::receiver, 1, 10);
};

TEST_F(LiveFiguresTest, HasARowForEveryPlannedService) {
  ASSERT_EQ(figures.senders().size(), 10u);
  EXPECT_EQ(figures.senders()[9].number, 10u);
  EXPECT_EQ(figures.senders()[9].worker, high);
  EXPECT_EQ(figures.senders()[9].state, ServiceState::connecting);
  EXPECT_EQ(LiveFigures(3, 2).receivers()[1].state, ServiceState::absent);
}

TEST_F(LiveFiguresTest, TakesWholeRowsOfTheServicesThatChanged) {
  const uint64_t before = figures.revision();
  figures.take(low, line(Role::sender, 100 * kMs, {sender_row(1, 5, 20 * kMs), sender_row(3, 6)}));
  EXPECT_GT(figures.revision(), before);
  EXPECT_EQ(figures.senders()[0].count, 5);
  EXPECT_EQ(figures.senders()[0].bytes, 250);
  EXPECT_EQ(figures.senders()[0].delay_ns, 20 * kMs);
  EXPECT_EQ(figures.senders()[0].state, ServiceState::running);
  EXPECT_EQ(figures.senders()[1].state, ServiceState::connecting);
  EXPECT_EQ(figures.senders()[2].count, 6);
  EXPECT_FALSE(figures.senders()[2].delay_ns.has_value());
}

TEST_F(LiveFiguresTest, KnowsWhatWasSentAfterTheMomentOfTheReceiversFigures) {
  figures.take(low, line(Role::sender, 100 * kMs, {sender_row(1, 100)}));
  figures.take(high, line(Role::sender, 100 * kMs, {sender_row(6, 200)}));
  figures.take(low, line(Role::sender, 200 * kMs, {sender_row(1, 200)}));
  figures.take(high, line(Role::sender, 200 * kMs, {sender_row(6, 400)}));
  figures.take(receivers, line(Role::receiver, 150 * kMs, {receiver_row(1, 250)}));
  EXPECT_EQ(figures.sent_beyond_receivers(), 50u + 100u);
  EXPECT_EQ(figures.sent_then()[0], 150);
  EXPECT_EQ(figures.sent_then()[5], 300);
  figures.take(receivers, line(Role::receiver, 151 * kMs, {receiver_row(1, 500), receiver_row(2, 50)}));
  EXPECT_EQ(figures.sent_beyond_receivers(), 100u) << "sent in a burst: what one has was sent";
  figures.set_wanted(std::vector<uint64_t>(10, 1));
  figures.take(receivers, line(Role::receiver, 152 * kMs, {receiver_row(1, 500), receiver_row(2, 60)}));
  EXPECT_EQ(figures.sent_beyond_receivers(), 40u);
  const int64_t before = figures.sent_then()[0] + figures.sent_then()[5];
  figures.take(low, line(Role::sender, 300 * kMs, {sender_row(1, 201)}));
  figures.take(high, line(Role::sender, 300 * kMs, {sender_row(6, 401)}));
  EXPECT_GE(figures.sent_then()[0] + figures.sent_then()[5], before) << "a count does not fall";
  figures.set_worker_gone(receivers);
  EXPECT_EQ(figures.sent_beyond_receivers(), 0u);
}

// Two messages a second each, evenly staggered: 120 of them come within any 60 ms, of none more than one.
TEST(LiveFigures, KnowWhatAThousandSlowSendersHaveSentAfterAMoment) {
  LiveFigures figures(1'000, 1);
  const uint32_t senders = figures.add_worker(Role::sender, 1, 1'000);
  const uint32_t receiver = figures.add_worker(Role::receiver, 1, 1);
  for (const uint32_t worker : {senders, receiver}) figures.begin(worker, kOrigin);
  for (int64_t now_ms = 100; now_ms <= 4'000; now_ms += 100) {
    std::vector<ServiceRow> rows;
    for (int64_t sender = 0; sender < 1'000; sender++) {
      const int64_t phase_us = sender * 500;
      const int64_t sent = now_ms * 1'000 < phase_us ? 0 : (now_ms * 1'000 - phase_us) / 500'000 + 1;
      rows.push_back(sender_row(sender + 1, sent));
      if (sent > 0) rows.back().last_ns = kOrigin + (phase_us + (sent - 1) * 500'000) * 1'000;
    }
    figures.take(senders, line(Role::sender, now_ms * kMs, rows));
    figures.take(receiver, line(Role::receiver, (now_ms - 60) * kMs, {receiver_row(1, 1)}));
    if (now_ms < 1'200) continue;  // all have sent twice
    EXPECT_EQ(figures.sent_beyond_receivers(), 120u) << now_ms;
  }
}

TEST_F(LiveFiguresTest, TakesNothingBackOfSendersThatWereDoneBeforeTheMoment) {
  for (int64_t tick = 1; tick <= 10; tick++) {
    ServiceRow done = sender_row(1, std::min<int64_t>(tick * 100, 500));
    done.last_ns = kOrigin + std::min<int64_t>(tick, 5) * 100 * kMs;
    figures.take(low, line(Role::sender, tick * 100 * kMs, {done}));
  }
  figures.take(receivers, line(Role::receiver, 600 * kMs, {receiver_row(1, 500)}));
  EXPECT_GT(figures.senders()[0].rate_per_s, 0);
  EXPECT_EQ(figures.sent_then()[0], 500);
}

TEST_F(LiveFiguresTest, HasSentWhatManyReceiversHaveTogether) {
  std::vector<uint64_t> wanted(10, 1);
  wanted[0] = 2;
  wanted[5] = 0;
  figures.set_wanted(wanted);
  for (int64_t tick = 1; tick <= 2; tick++) {
    figures.take(low, line(Role::sender, tick * 100 * kMs, {sender_row(1, tick * 100), sender_row(2, tick * 100)}));
    figures.take(high, line(Role::sender, tick * 100 * kMs, {sender_row(6, tick * 100)}));
  }
  figures.take(receivers,
               line(Role::receiver, 110 * kMs, {receiver_row(1, 160), receiver_row(2, 160), receiver_row(3, 155)}));
  EXPECT_EQ(figures.sent_then()[0], 183) << "by its rate 110; each is received twice, and 2 * 183 + 110 >= 475";
  EXPECT_EQ(figures.sent_then()[1], 110);
  EXPECT_EQ(figures.sent_then()[5], 110) << "nobody wants them";
}

TEST(ServiceFigures, OfASenderAMomentAgoHaveNoMoreAcceptedThanSent) {
  ServiceFigures sender{{.count = 160, .bytes = 1'600, .accepted = 155, .replies = 158}, Role::sender};
  take_back(sender, 10);
  EXPECT_EQ(sender.count, 150);
  EXPECT_EQ(sender.bytes, 1'500);
  EXPECT_EQ(sender.accepted, 150);
  EXPECT_EQ(sender.replies, 150);
}

TEST(ServiceFigures, OfARequesterAMomentAgoHaveTheRepliesOfAllRepliers) {
  ServiceFigures sender{{.count = 100, .replies = 290}, Role::sender};
  take_back(sender, 10);
  EXPECT_EQ(sender.replies, 270);
}

TEST_F(LiveFiguresTest, KnowsWhichDeliveriesHaveNoResponseYet) {
  Telemetry told = line(Role::receiver, 100 * kMs, {receiver_row(2, 5)});
  for (ServiceRow* row : {&told.services[0], &told.totals}) {
    row->deliveries = 6;
    row->responses = 4;
  }
  figures.take(receivers, told);
  EXPECT_EQ(outstanding(figures.receivers()[1]), 2);
  EXPECT_EQ(outstanding(figures.all_receivers()), 2);
  EXPECT_EQ(outstanding({{.responses = 4}, Role::receiver}), std::nullopt) << "what cannot be";
  EXPECT_EQ(outstanding({{}, Role::sender}), std::nullopt);
}

TEST_F(LiveFiguresTest, KeepsTheLastMeanWhileThereIsNoNewOne) {
  figures.take(receivers, line(Role::receiver, 100 * kMs, {receiver_row(1, 5, 84'000)}));
  figures.take(receivers, line(Role::receiver, 200 * kMs, {receiver_row(1, 5)}));
  EXPECT_EQ(figures.receivers()[0].latency_ns, 84'000);
}

TEST_F(LiveFiguresTest, AddsUpTheTotalsOfAllProcessesAndWeighsTheirMeans) {
  figures.take(low, line(Role::sender, 500 * kMs, {sender_row(1, 150)}));
  figures.take(high, line(Role::sender, 500 * kMs, {sender_row(6, 50)}));
  Telemetry first = line(Role::sender, kSecond, {sender_row(1, 300)});
  first.totals.delay_ns = 10 * kMs;
  Telemetry second = line(Role::sender, kSecond, {sender_row(6, 100)});
  second.totals.delay_ns = 30 * kMs;
  figures.take(low, first);
  figures.take(high, second);
  EXPECT_EQ(figures.all_senders().count, 400);
  EXPECT_EQ(figures.all_senders().bytes, 20'000);
  EXPECT_EQ(figures.all_senders().delay_ns, 15 * kMs);
  EXPECT_NEAR(figures.all_senders().rate_per_s, 400, 2) << "from BEGIN on, where the first interval is not known";
  EXPECT_EQ(figures.all_senders().number, 0u);
}

// Ten senders with a delay of 200 ms, evenly staggered: what each row and the sum of them say, line by line.
struct SlowSenders {
  SlowSenders() { figures.begin(fleet, kOrigin); }
  void tell(int64_t now_ms) {
    std::vector<ServiceRow> rows;
    int64_t last_ms = 0;
    for (int64_t sender = 0; sender < 10; sender++) {
      const int64_t phase_ms = sender * 20;
      const int64_t sent = now_ms < phase_ms ? 0 : (now_ms - phase_ms) / 200 + 1;
      rows.push_back(sender_row(sender + 1, sent));
      const int64_t at_ms = phase_ms + (sent - 1) * 200;
      if (sent > 0) rows.back().last_ns = kOrigin + at_ms * kMs;
      if (sent > 0) last_ms = std::max(last_ms, at_ms);
    }
    Telemetry telemetry = line(Role::sender, now_ms * kMs, rows);
    telemetry.totals.last_ns = kOrigin + last_ms * kMs;
    figures.take(fleet, telemetry);
  }
  LiveFigures figures{10, 0};
  uint32_t fleet = figures.add_worker(Role::sender, 1, 10);
};

TEST(LiveFigures, SayTheRatesOfSlowSendersExactlyAndAlikeInRowsAndTotals) {
  SlowSenders slow;
  for (int64_t now_ms = 100; now_ms <= 10'000; now_ms += 103) {
    slow.tell(now_ms);
    if (now_ms < 500) continue;
    for (const ServiceFigures& sender : slow.figures.senders())
      EXPECT_NEAR(sender.rate_per_s, 5, 1e-9) << sender.number << " at " << now_ms;
    EXPECT_NEAR(slow.figures.all_senders().rate_per_s, 50, 1e-9) << now_ms;
  }
}

TEST_F(LiveFiguresTest, TakesNoWordOnALastMessageThatCannotBe) {
  for (const int64_t last_ns : {kFarthest, kOrigin + 90 * kSecond}) {
    LiveFigures one(1, 0);
    const uint32_t worker = one.add_worker(Role::sender, 1, 1);
    one.begin(worker, kOrigin);
    for (int64_t tick = 1; tick <= 20; tick++) {
      ServiceRow row = sender_row(1, tick * 5);
      row.last_ns = last_ns;
      one.take(worker, line(Role::sender, tick * 100 * kMs, {row}));
    }
    EXPECT_NEAR(one.senders()[0].rate_per_s, 50, 1e-6) << last_ns;
  }
}

// What receivers say counts when no sender process can have sent more by then that was not told yet.
struct OneInstant : LiveFiguresTest {
  OneInstant() {
    for (const uint32_t worker : {low, high}) figures.take(worker, line(Role::sender, 0, {}));
  }
  void senders_tell(uint32_t worker, int64_t since_begin_ns, int64_t sent) {
    const int64_t first = worker == low ? 1 : 6;
    figures.take(worker, line(Role::sender, since_begin_ns, {sender_row(first, sent)}));
  }
  void receivers_tell(int64_t since_begin_ns, int64_t received) {
    figures.take(receivers, line(Role::receiver, since_begin_ns, {receiver_row(1, received)}));
  }
  int64_t received() const { return figures.all_receivers().count; }
};

TEST_F(OneInstant, NeverHasMoreReceivedThanSent) {
  senders_tell(low, kSecond, 50);
  senders_tell(high, kSecond, 50);
  receivers_tell(950 * kMs, 95);
  EXPECT_EQ(received(), 95);
  receivers_tell(1050 * kMs, 105);
  EXPECT_EQ(received(), 95);
  EXPECT_EQ(figures.receivers()[0].count, 95) << "rows and totals are of one moment";
  senders_tell(low, 1100 * kMs, 55);
  EXPECT_EQ(received(), 95) << "the other senders have not told yet";
  senders_tell(high, 1110 * kMs, 55);
  EXPECT_EQ(received(), 105);
  EXPECT_EQ(figures.receivers()[0].count, 105);
}

TEST_F(OneInstant, TakesWhatReceiversSaidInTurn) {
  for (int64_t tick = 1; tick <= 5; tick++) receivers_tell(tick * 100 * kMs, tick * 10);
  EXPECT_EQ(received(), 0);
  senders_tell(low, 300 * kMs, 40);
  senders_tell(high, 300 * kMs, 40);
  EXPECT_EQ(received(), 30);
  EXPECT_EQ(figures.complete_until_ns(), 300 * kMs);
  EXPECT_EQ(figures.nonsense(), 0u);
}

// What charts and tiles draw: whole slots of 100 ms, up to where all have spoken.
std::vector<SeriesPoint> drawn(const LiveFigures& figures) {
  return figures.series().points(0, figures.complete_until_ns(), 100);
}

TEST(LiveFigures, DrawNoSlotBeforeTheLateOneOfTwoReceiverProcessesHasSpokenOfItsEnd) {
  LiveFigures figures(1, 2);
  const uint32_t senders = figures.add_worker(Role::sender, 1, 1);
  const uint32_t quick = figures.add_worker(Role::receiver, 1, 1);
  const uint32_t late = figures.add_worker(Role::receiver, 2, 1);
  for (const uint32_t worker : {senders, quick, late}) figures.begin(worker, kOrigin);
  const auto senders_and_quick_tell = [&](int64_t tick) {
    figures.take(senders, line(Role::sender, tick * 100 * kMs, {sender_row(1, tick * 20)}));
    figures.take(quick, line(Role::receiver, tick * 100 * kMs, {receiver_row(1, tick * 10)}));
  };
  const auto late_tells = [&](int64_t at_ns, int64_t received) {
    figures.take(late, line(Role::receiver, at_ns, {receiver_row(2, received)}));
  };
  for (int64_t tick = 1; tick <= 5; tick++) senders_and_quick_tell(tick);
  EXPECT_TRUE(drawn(figures).empty());
  late_tells(250 * kMs, 25);
  ASSERT_EQ(drawn(figures).size(), 2u) << "the third slot is half told";
  late_tells(500 * kMs, 50);
  ASSERT_EQ(drawn(figures).size(), 5u);
  for (const SeriesPoint& slot : drawn(figures)) EXPECT_NEAR(slot.received, 20, 1e-9) << slot.start_ns;
  for (int64_t tick = 6; tick <= 10; tick++) senders_and_quick_tell(tick);
  EXPECT_EQ(drawn(figures).size(), 5u) << "the line ends earlier";
  figures.set_worker_gone(late);
  ASSERT_EQ(drawn(figures).size(), 10u) << "the line goes on without it";
  EXPECT_NEAR(drawn(figures)[4].received, 20, 1e-9);
  EXPECT_NEAR(drawn(figures)[5].received, 10, 1e-9);
}

TEST(LiveFigures, TakeNoMoreInSlotsThanAWorkerHasCounted) {
  LiveFigures figures(1, 0);
  const uint32_t worker = figures.add_worker(Role::sender, 1, 1);
  figures.begin(worker, kOrigin);
  control::Telemetry one = line(Role::sender, 100 * kMs, {sender_row(1, 10)});
  one.slots = control::SlotList{{.slot = 0, .count = 8}, {.slot = 0, .count = 1'000'000}, {.slot = 1, .count = 2}};
  figures.take(worker, one);
  EXPECT_EQ(figures.nonsense(), 1u);
  double drawn = 0;
  for (const SeriesPoint& slot : figures.series().points(0, 1000 * kMs, 100)) drawn += slot.sent;
  EXPECT_NEAR(drawn, 10, 1e-9);
  one = line(Role::sender, 200 * kMs, {sender_row(1, 12)});
  one.slots = control::SlotList{{.slot = 36'000'000, .count = 1}, {.slot = int64_t{1} << 62, .count = 1}};
  figures.take(worker, one);
  EXPECT_EQ(figures.nonsense(), 3u) << "both are later than their line";
  EXPECT_EQ(figures.series().width_ns(), 100 * kMs);
}

TEST_F(OneInstant, DrawsWhatReceiversSaidBeforeTheyWereGone) {
  receivers_tell(100 * kMs, 10);
  receivers_tell(250 * kMs, 25);
  figures.set_worker_gone(receivers);
  for (const uint32_t worker : {low, high}) senders_tell(worker, 200 * kMs, 10);
  ASSERT_EQ(drawn(figures).size(), 1u) << "half of the second slot is in the line that waits";
  for (const uint32_t worker : {low, high}) senders_tell(worker, 300 * kMs, 15);
  ASSERT_EQ(drawn(figures).size(), 3u);
  EXPECT_NEAR(drawn(figures)[1].received, 10, 1e-9);
}

TEST_F(OneInstant, WaitsForReceiversThatSpeakWhileTheirLinesWaitForLateSenders) {
  for (const uint32_t worker : {low, high}) senders_tell(worker, 100 * kMs, 5);
  receivers_tell(50 * kMs, 5);
  receivers_tell(2080 * kMs, 208);
  EXPECT_EQ(drawn(figures).size(), 0u) << "what the receivers said of the first slot waits for the senders";
  EXPECT_GT(figures.all_receivers().rate_per_s, 0) << "they are not silent";
}

TEST_F(OneInstant, DoesNotWaitForSendersThatAreGone) {
  receivers_tell(500 * kMs, 50);
  figures.set_worker_gone(low);
  EXPECT_EQ(received(), 0);
  figures.set_worker_gone(high);
  EXPECT_EQ(received(), 50);
}

TEST_F(OneInstant, DoesNotWaitForSendersThatFellSilent) {
  receivers_tell(500 * kMs, 50);
  receivers_tell(1900 * kMs, 190);
  EXPECT_EQ(received(), 0);
  receivers_tell(2100 * kMs, 210);
  EXPECT_EQ(received(), 210);
}

TEST_F(OneInstant, KeepsABoundedNumberOfLines) {
  const auto most = static_cast<int64_t>(LiveFigures::kMostLinesWaiting);
  for (int64_t i = 1; i <= most; i++) receivers_tell(i * kMs, i);
  EXPECT_EQ(received(), 0);
  receivers_tell((most + 1) * kMs, most + 1);
  EXPECT_EQ(received(), 1);
}

TEST_F(LiveFiguresTest, SaysTheStateOfAllServices) {
  EXPECT_EQ(figures.all_senders().state, ServiceState::connecting);
  std::vector<ServiceRow> rows;
  for (int64_t i = 1; i <= 5; i++) rows.push_back(sender_row(i, 1));
  figures.take(low, line(Role::sender, 100 * kMs, rows));
  EXPECT_EQ(figures.all_senders().state, ServiceState::running);
  for (ServiceRow& row : rows) row.state = control::kDone;
  figures.take(low, line(Role::sender, 200 * kMs, rows));
  EXPECT_EQ(figures.all_senders().state, ServiceState::connecting);
  figures.set_worker_gone(low);
  figures.set_worker_gone(high);
  EXPECT_EQ(figures.senders()[0].state, ServiceState::done) << "done is done";
  EXPECT_EQ(figures.senders()[9].state, ServiceState::gone);
  EXPECT_EQ(figures.all_senders().state, ServiceState::gone);
}

TEST(LiveFigures, CallNobodyDoneBeforeBegin) {
  LiveFigures figures(0, 2);
  const uint32_t worker = figures.add_worker(Role::receiver, 1, 2);
  const auto row_of = [](int64_t service, int64_t state) {
    ServiceRow row;
    row.service = service;
    row.state = state;
    return row;
  };
  Telemetry telemetry;
  telemetry.services = {row_of(1, control::kConnecting), row_of(2, control::kJoined)};
  figures.take(worker, telemetry);
  telemetry.services = {row_of(1, control::kDone), row_of(2, control::kDone)};
  for (int i = 0; i < 2; i++) {
    figures.take(worker, telemetry);
    EXPECT_EQ(figures.receivers()[0].state, ServiceState::gone) << "it never joined";
    EXPECT_EQ(figures.receivers()[1].state, ServiceState::stopped);
  }
}

TEST_F(LiveFiguresTest, TellsStoppedSendersFromThoseThatAreDone) {
  const auto row_of = [](int64_t service, int64_t sent, int64_t state) {
    ServiceRow row = sender_row(service, sent);
    row.state = state;
    return row;
  };
  figures.take(low, line(Role::sender, 100 * kMs, {row_of(1, 20, control::kDone), row_of(2, 5, control::kRunning)}));
  figures.stop_senders(std::vector<uint64_t>{20, 21, 19});
  figures.take(low,
               line(Role::sender, 200 * kMs,
                    {row_of(1, 20, control::kDone), row_of(2, 20, control::kDone), row_of(3, 19, control::kDone)}));
  EXPECT_EQ(figures.senders()[0].state, ServiceState::done);
  EXPECT_EQ(figures.senders()[1].state, ServiceState::stopped) << "of its own number one is missing";
  EXPECT_EQ(figures.senders()[2].state, ServiceState::done) << "it had sent all";
  figures.set_worker_gone(low);
  EXPECT_EQ(figures.senders()[1].state, ServiceState::stopped);
}

TEST_F(LiveFiguresTest, GivesTheRatesAndMeansOfTheWholeRun) {
  figures.take(receivers, line(Role::receiver, kSecond, {receiver_row(1, 30, 100), receiver_row(2, 10, 50)}));
  figures.take(receivers, line(Role::receiver, 2 * kSecond, {receiver_row(1, 40, 200), receiver_row(2, 10)}));
  figures.take(receivers, line(Role::receiver, 9 * kSecond, {}));
  const ServiceFigures first = figures.of_whole_run(figures.receivers()[0]);
  EXPECT_DOUBLE_EQ(first.rate_per_s, 20) << "up to the last message of any receiver";
  EXPECT_EQ(first.latency_ns, 125);
  EXPECT_EQ(first.count, 40);
  EXPECT_EQ(figures.of_whole_run(figures.receivers()[1]).latency_ns, 50);
  EXPECT_FALSE(figures.of_whole_run(figures.receivers()[2]).latency_ns);
  EXPECT_EQ(figures.of_whole_run(figures.receivers()[2]).rate_per_s, 0);
}

TEST_F(LiveFiguresTest, GivesTheTotalsOfTheWholeRunFromItsHistograms) {
  measure::Histogram latency;
  for (const int64_t ns : {100, 200, 600}) latency.record(ns);
  Telemetry telemetry = line(Role::receiver, 2 * kSecond, {receiver_row(1, 3, 600)});
  telemetry.totals.latency_ns = 600;
  telemetry.histograms.push_back({.name = "latency_ns", .moments = export_moments(latency.moments())});
  latency.for_each([&](const measure::Bucket& bucket) {
    telemetry.histograms.back().buckets.push_back({.index = bucket.index, .count = bucket.count});
  });
  figures.take(receivers, telemetry);
  EXPECT_EQ(figures.all_receivers().latency_ns, 600);
  const ServiceFigures all = figures.of_whole_run(figures.all_receivers());
  EXPECT_EQ(all.latency_ns, 300);
  EXPECT_DOUBLE_EQ(all.rate_per_s, 1.5);
  EXPECT_EQ(all.latency_p99_ns, figures.all_receivers().latency_p99_ns);
  const ServiceFigures now = figures.with_means_of_whole_run(figures.all_receivers());
  EXPECT_EQ(now.latency_ns, 300) << "as the percentiles beside it";
  EXPECT_EQ(now.rate_per_s, figures.all_receivers().rate_per_s);
}

TEST_F(LiveFiguresTest, TakesNothingButStatesBeforeBegin) {
  LiveFigures fresh(1, 0);
  const uint32_t worker = fresh.add_worker(Role::sender, 1, 1);
  Telemetry early = line(Role::sender, 0, {sender_row(1, 7)});
  early.services[0].state = control::kJoined;
  fresh.take(worker, early);
  EXPECT_EQ(fresh.senders()[0].state, ServiceState::joined);
  EXPECT_EQ(fresh.senders()[0].count, 0);
  EXPECT_EQ(fresh.all_senders().count, 0);
  EXPECT_EQ(fresh.series().end_ns(), 0);
  EXPECT_FALSE(fresh.begun());
}

TEST_F(LiveFiguresTest, PutsEachWorkersClockOnTheTimeSinceBegin) {
  LiveFigures two(1, 1);
  const uint32_t sender = two.add_worker(Role::sender, 1, 1);
  const uint32_t receiver = two.add_worker(Role::receiver, 1, 1);
  two.begin(sender, 5 * kSecond);
  two.begin(receiver, 900 * kSecond);
  Telemetry a = line(Role::sender, 0, {sender_row(1, 10)});
  a.time_ns = 6 * kSecond;
  Telemetry b = line(Role::receiver, 0, {receiver_row(1, 10)});
  b.time_ns = 901 * kSecond - 200 * kMs;
  two.take(sender, a);
  two.take(receiver, b);
  EXPECT_EQ(two.now_ns(), kSecond);
  EXPECT_EQ(two.complete_until_ns(), 800 * kMs);
  const auto points = two.series().points(0, kSecond, 100);
  ASSERT_EQ(points.size(), 10u);
  EXPECT_NEAR(points[9].sent, 1, 1e-9);
  EXPECT_EQ(points[9].received, 0);
  EXPECT_NEAR(points[7].received, 1.25, 1e-9);
}

TEST_F(LiveFiguresTest, MeasuresRatesOverTheLastSecondAndLetsThemFall) {
  for (int64_t tick = 1; tick <= 20; tick++)
    figures.take(low, line(Role::sender, tick * 100 * kMs, {sender_row(1, tick * 5), sender_row(2, tick)}));
  EXPECT_NEAR(figures.senders()[0].rate_per_s, 50, 1e-6);
  EXPECT_NEAR(figures.senders()[1].rate_per_s, 10, 1e-6);
  for (int64_t tick = 21; tick <= 31; tick++) {
    Telemetry only_second = line(Role::sender, tick * 100 * kMs, {sender_row(2, tick)});
    only_second.totals.count += 100;
    figures.take(low, only_second);
  }
  EXPECT_EQ(figures.senders()[0].rate_per_s, 0);
  EXPECT_NEAR(figures.senders()[1].rate_per_s, 10, 1e-6);
}

TEST_F(LiveFiguresTest, KeepsTheRateOfAServiceThatOnlyWaitsForTheNextLine) {
  for (int64_t tick = 1; tick <= 10; tick++)
    figures.take(low, line(Role::sender, tick * 100 * kMs, {sender_row(1, tick * 5)}));
  Telemetry full = line(Role::sender, 1500 * kMs, {sender_row(2, 1)});
  full.totals.count = 100;
  full.waiting = 4;
  figures.take(low, full);
  EXPECT_NEAR(figures.senders()[0].rate_per_s, 50, 1e-6);
  Telemetry late = line(Role::sender, 2 * kSecond, {sender_row(1, 100)});
  figures.take(low, late);
  EXPECT_NEAR(figures.senders()[0].rate_per_s, 50, 5);
}

TEST_F(LiveFiguresTest, LeavesOutAWorkerThatFellSilent) {
  figures.take(low, line(Role::sender, kSecond, {sender_row(1, 100)}));
  figures.take(high, line(Role::sender, kSecond, {sender_row(6, 100)}));
  for (int64_t tick = 11; tick <= 40; tick++)
    figures.take(high, line(Role::sender, tick * 100 * kMs, {sender_row(6, tick * 10)}));
  EXPECT_EQ(figures.senders()[0].rate_per_s, 0);
  EXPECT_NEAR(figures.all_senders().rate_per_s, 100, 1e-6);
  EXPECT_EQ(figures.all_senders().count, 500);
  EXPECT_EQ(figures.complete_until_ns(), 4 * kSecond);
}

TEST_F(LiveFiguresTest, MeasuresTheProcessorShareOfAWorker) {
  for (int64_t tick = 0; tick <= 10; tick++) {
    Telemetry telemetry = line(Role::sender, tick * 100 * kMs, {});
    telemetry.process.cpu_ns = static_cast<uint64_t>(5 * kSecond + tick * 98 * kMs);
    figures.take(low, telemetry);
  }
  EXPECT_NEAR(figures.workers()[low].cpu_share, 0.98, 1e-9);
  figures.set_worker_gone(low);
  EXPECT_EQ(figures.workers()[low].cpu_share, 0);
}

TEST_F(LiveFiguresTest, MergesHistogramsAndSummarizesThem) {
  Telemetry telemetry = line(Role::receiver, 100 * kMs, {receiver_row(1, 4)});
  telemetry.histograms.push_back(
      {.name = "latency_ns",
       .moments = {.count = 4, .min = -3, .max = 100, .sum = 200, .sum_squares = 20'009},
       .buckets = {{.index = 100, .count = 2}, {.index = 3, .count = 1}, {.index = -4, .count = 1}}});
  telemetry.histograms.push_back({.name = "warmup_latency_ns",
                                  .moments = {.count = 1, .min = 9, .max = 9, .sum = 9, .sum_squares = 81},
                                  .buckets = {{.index = 9, .count = 1}}});
  telemetry.histograms.push_back({.name = "of_a_newer_version_ns"});
  figures.take(receivers, telemetry);
  EXPECT_EQ(figures.summary(Latency::latency).count, 4u);
  EXPECT_EQ(figures.summary(Latency::latency).min, -3);
  EXPECT_EQ(figures.summary(Latency::latency).p50, 3);
  EXPECT_DOUBLE_EQ(*figures.summary(Latency::latency).mean, 50);
  EXPECT_TRUE(figures.summary(Latency::latency).trimmed_mean_p95.has_value());
  EXPECT_EQ(figures.histogram(Latency::warmup_latency).count(), 1u);
  EXPECT_EQ(figures.all_receivers().latency_p99_ns, 100);
  EXPECT_EQ(figures.series().points(0, kSecond, 10).at(0).max_ns, 100);
  EXPECT_EQ(figures.nonsense(), 0u);
}

TEST_F(LiveFiguresTest, MakesRowsForAForeignFleetThatIsLargerThanPlanned) {
  LiveFigures planned(2, 2);
  const uint32_t worker = planned.add_worker(Role::receiver, 1, 50);
  EXPECT_EQ(planned.receivers().size(), 50u);
  planned.add_worker(Role::sender, std::numeric_limits<uint32_t>::max(), std::numeric_limits<uint32_t>::max());
  EXPECT_LE(planned.senders().size(), LiveFigures::kMostServices);
  planned.begin(worker, kOrigin);
  planned.take(worker, line(Role::receiver, 100 * kMs, {receiver_row(50, 3)}));
  EXPECT_EQ(planned.receivers()[49].count, 3);
}

TEST_F(LiveFiguresTest, PassesOverWhatCannotBeAndCountsIt) {
  figures.take(low, line(Role::sender, 100 * kMs, {sender_row(1, 10)}));
  figures.take(low, line(Role::receiver, 200 * kMs, {}));
  EXPECT_EQ(figures.nonsense(), 1u) << "of the other role";
  for (const int64_t service : {int64_t{0}, int64_t{6}, int64_t{999}, int64_t{-1}, kNoFigure, kFarthest}) {
    const uint64_t before = figures.nonsense();
    Telemetry lie = line(Role::sender, 200 * kMs, {sender_row(1, 10), sender_row(service, 0)});
    figures.take(low, lie);
    EXPECT_EQ(figures.nonsense(), before + 1) << service;
  }
  EXPECT_EQ(figures.senders()[5].count, 0);
  Telemetry fallen = line(Role::sender, 300 * kMs, {sender_row(1, 9)});
  const uint64_t before = figures.nonsense();
  figures.take(low, fallen);
  EXPECT_EQ(figures.nonsense(), before + 2) << "row and totals";
  EXPECT_EQ(figures.senders()[0].count, 10);
  EXPECT_EQ(figures.all_senders().count, 10);
}

TEST_F(LiveFiguresTest, SurvivesAWorkerThatLiesAboutEverything) {
  Random random(99);
  const int64_t odd[] = {kFarthest, kNoFigure, -1, 0, 1, int64_t{1} << 53, kOrigin, kOrigin + kSecond};
  const auto any = [&] { return odd[random.below(std::size(odd))]; };
  for (int i = 0; i < 3000; i++) {
    Telemetry lie{.role = Role::receiver, .time_ns = any(), .interval_ns = any(), .merged = random.next()};
    lie.waiting = random.next();
    lie.process.cpu_ns = random.next();
    for (int row = 0; row < 20; row++) {
      ServiceRow wild;
      for (const auto& column : control::columns_of(Role::receiver)) wild.*column.value = any();
      if (row % 2 == 0) wild.service = static_cast<int64_t>(random.below(12));
      lie.services.push_back(wild);
      lie.totals = wild;
    }
    control::HistogramDelta delta{.name = "latency_ns",
                                  .moments = {.count = random.next() >> random.below(64),
                                              .min = any(),
                                              .max = any(),
                                              .sum = static_cast<double>(any()),
                                              .sum_squares = static_cast<double>(any())}};
    for (int bucket = 0; bucket < 20; bucket++)
      delta.buckets.push_back({.index = static_cast<int32_t>(random.next()) >> random.below(32),
                               .count = random.next() >> random.below(64)});
    lie.histograms.push_back(delta);
    figures.take(receivers, lie);
    (void)figures.summary(Latency::latency);
    (void)figures.all_receivers();
  }
  EXPECT_GT(figures.nonsense(), 0u);
  EXPECT_EQ(figures.receivers().size(), 10u);
  EXPECT_LT(figures.series().memory_bytes(), 22'000'000u);
}

TEST_F(LiveFiguresTest, AStampFromFarAheadDoesNotMakeTheSeriesCoarse) {
  constexpr int64_t kDay = int64_t{24} * 3600 * kSecond;
  figures.take(low, line(Role::sender, 100 * kMs, {sender_row(1, 10)}), 100 * kMs);
  figures.take(low, line(Role::sender, 300 * kDay, {sender_row(1, 20)}), 200 * kMs);
  EXPECT_EQ(figures.nonsense(), 1u);
  EXPECT_EQ(figures.now_ns(), 100 * kMs);
  EXPECT_EQ(figures.series().width_ns(), 100 * kMs);
  figures.take(low, line(Role::sender, 300 * kMs, {sender_row(1, 30)}), 300 * kMs);
  EXPECT_EQ(figures.senders()[0].count, 30);
}

TEST_F(LiveFiguresTest, TakesWhatAWorkerSaidBeforeItWent) {
  figures.set_worker_gone(low);
  figures.take(low, line(Role::sender, 100 * kMs, {sender_row(1, 10)}));
  EXPECT_EQ(figures.senders()[0].count, 10);
  EXPECT_EQ(figures.senders()[0].state, ServiceState::gone);
  EXPECT_EQ(figures.senders()[0].rate_per_s, 0);
}

TEST_F(LiveFiguresTest, MergesHowLongTheBusTookToAnswer) {
  for (const auto& [worker, ns] : {std::pair(low, 100), std::pair(high, 300)}) {
    Telemetry telemetry = line(Role::sender, 100 * kMs, {sender_row(worker == low ? 1 : 6, 2)});
    telemetry.histograms.push_back(
        {.name = "publish_ns",
         .moments = {.count = 2, .min = ns, .max = ns, .sum = 2.0 * ns, .sum_squares = 2.0 * ns * ns},
         .buckets = {{.index = ns, .count = 2}}});
    figures.take(worker, telemetry);
  }
  EXPECT_EQ(figures.summary(Latency::publish).count, 4u);
  EXPECT_EQ(figures.summary(Latency::publish).mean, 200);
  EXPECT_EQ(figures.summary(Latency::publish).min, 100);
  EXPECT_EQ(figures.nonsense(), 0u);
}

TEST_F(LiveFiguresTest, AddsUpWhatRequestersFound) {
  const auto said = [](int64_t at_ns, int64_t service, int64_t sent, int64_t replies, int64_t turnaround_ns) {
    ServiceRow row = sender_row(service, sent);
    row.replies = replies;
    row.timeouts = 1;
    row.late_replies = 1;
    row.outstanding = sent - replies - 1;
    row.turnaround_ns = turnaround_ns;
    Telemetry telemetry = line(Role::sender, at_ns, {row});
    telemetry.totals = row;
    const auto bucket = static_cast<int32_t>(turnaround_ns);
    for (const char* name : {"turnaround_ns", "reply_latency_ns"})
      telemetry.histograms.push_back({.name = name,
                                      .moments = {.count = static_cast<uint64_t>(replies),
                                                  .min = turnaround_ns,
                                                  .max = turnaround_ns,
                                                  .sum = static_cast<double>(turnaround_ns * replies)},
                                      .buckets = {{.index = bucket, .count = static_cast<uint64_t>(replies)}}});
    return telemetry;
  };
  figures.take(low, said(100 * kMs, 1, 10, 6, 100));
  figures.take(high, said(100 * kMs, 6, 5, 2, 300));
  const ServiceFigures all = figures.all_senders();
  EXPECT_EQ(all.replies, 8);
  EXPECT_EQ(all.timeouts, 2);
  EXPECT_EQ(all.late_replies, 2);
  EXPECT_EQ(all.open_requests, 5);
  EXPECT_EQ(all.turnaround_ns, 150) << "weighted by replies";
  EXPECT_EQ(figures.summary(Latency::turnaround).count, 8u);
  EXPECT_EQ(figures.summary(Latency::turnaround).p50, 100);
  EXPECT_EQ(figures.histogram(Latency::reply_latency).count(), 8u);
  const auto points = figures.series().points(0, 100 * kMs, 10);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].replies, 8);
  EXPECT_EQ(points[0].timeouts, 2);
  EXPECT_EQ(points[0].turnaround_p50_ns, 100);
  EXPECT_EQ(points[0].turnaround_max_ns, 300);
  EXPECT_EQ(points[0].reply_p99_ns, 300);
  EXPECT_FALSE(points[0].p50_ns) << "no latency of messages";
  figures.take(low, line(Role::sender, 200 * kMs, {sender_row(1, 11)}));
  EXPECT_EQ(figures.all_senders().replies, 8) << "a counter that falls is nonsense";
  EXPECT_EQ(figures.nonsense(), 2u);
}

TEST_F(LiveFiguresTest, AddsUpWhatConnectionsCarryEachOnce) {
  const auto said = [](Role role, std::optional<control::WireFigures> wire) {
    Telemetry telemetry = line(role, 100 * kMs, {});
    telemetry.process.wire = wire;
    return telemetry;
  };
  figures.take(low, said(Role::sender, control::WireFigures{.sent_bytes = 10, .received_bytes = 1, .connections = 2}));
  EXPECT_FALSE(figures.wire()) << "others have not said it yet";
  figures.take(high, said(Role::sender, control::WireFigures{.sent_bytes = 20, .received_bytes = 2, .connections = 3}));
  figures.take(receivers,
               said(Role::receiver, control::WireFigures{.sent_bytes = 3, .received_bytes = 30, .connections = 4}));
  EXPECT_EQ(figures.wire(), (control::WireFigures{.sent_bytes = 33, .received_bytes = 33, .connections = 9}));
  figures.set_bus(*bus::find_bus("http"));
  EXPECT_EQ(figures.wire(), (control::WireFigures{.sent_bytes = 30, .received_bytes = 3, .connections = 5}));
}

}  // namespace
}  // namespace n2nq::live
