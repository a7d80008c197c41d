// Requests and replies between the real workers: who replies, what counts, what is measured of it, and what becomes of
// requests whose replier is slow or gone.
#include <signal.h>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Json turnaround_of(const RunEnded& run) {
  for (const FleetEnded& fleet : run.fleets)
    if (fleet.role == "sender") return fleet.summary.value("turnaround", Json::object());
  return Json::object();
}

int64_t figure(const Json& object, const std::string& latency, const std::string& key) {
  return count_in(object.value(latency, Json::object()), key);
}

class RepliesOfWorkers : public testing::Test {
 protected:
  void start_broker(Options options = {}) {
    options.insert(options.begin(), {"--mode", "request-reply"});
    stage.start_broker(options);
  }
  Process& start_repliers(int count, Options options = {}, int first = 1) {
    if (std::ranges::find(options, "--reply-size") == options.end())
      options.insert(options.end(), {"--reply-size", "0B..200B"});
    return stage.start(receivers(count, options, first));
  }
  Process& start_requesters(int count, Options options) {
    if (std::ranges::find(options, "--reply-from") == options.end())
      options.insert(options.end(), {"--reply-from", "one"});
    return stage.start(senders(count, options));
  }
  RunEnded finish(Deadline deadline = 60s) {
    RunEnded run = stage.finish(deadline);
    EXPECT_THAT(processes_left(), IsEmpty());
    return run;
  }
  // Everybody's books hold, whatever became of the requests.
  static void expect_books(const RunEnded& run, size_t answers = 1) {
    EXPECT_THAT(check_replies(run, answers), IsEmpty()) << run.story();
    EXPECT_THAT(check_turnaround(run, answers), IsEmpty()) << run.story();
    EXPECT_EQ(run.broker.total("replies"), run.broker.total("replies_delivered") + run.broker.total("replies_expired") +
                                               run.broker.total("replies_undeliverable"))
        << run.story();
  }
  // Nothing went wrong, and the broker delivered what requesters logged.
  static void expect_complete(const RunEnded& run, uint64_t messages, bool one, size_t answers = 1) {
    EXPECT_TRUE(run.all_ended_with(0)) << run.story();
    expect_books(run, answers);
    EXPECT_THAT(check_sender_logs(run, messages), IsEmpty());
    EXPECT_THAT(check_deliveries(run, one), IsEmpty());
    EXPECT_THAT(check_summaries_equal_logs(run, one), IsEmpty());
    size_t came = 0;
    for (const auto& [number, log] : run.sender_logs) came += log.replies.size();
    EXPECT_EQ(run.broker.total("replies_delivered"), static_cast<int64_t>(came));
    EXPECT_EQ(run.sum("receiver", "replies"), static_cast<int64_t>(came));
    EXPECT_EQ(run.broker.total("replies_surplus"), 0);
    EXPECT_EQ(count_in(turnaround_of(run), "timeouts"), 0);
  }
  static void wait_until(Process& worker, const std::string& count, int64_t least) {
    EXPECT_TRUE(await_telemetry(worker, at_least(count, least))) << worker.out().substr(0, 2000);
  }
  Stage stage;
};

TEST_F(RepliesOfWorkers, FromOneBringsEachRequestItsReply) {
  start_broker({"--policy", "round-robin"});
  start_repliers(3);
  start_requesters(4, {"--messages", "50", "--size", "0B..200B", "--delay", "1ms"});
  const RunEnded run = finish();
  expect_complete(run, 50, true);
  EXPECT_EQ(count_in(turnaround_of(run), "replies"), 200);
}

TEST_F(RepliesOfWorkers, FromFirstCountsOneReplyAndTheOthersAreNoDoubles) {
  start_broker({"--reply-from", "first"});
  start_repliers(3);
  start_requesters(2, {"--reply-from", "first", "--messages", "50", "--delay", "1ms"});
  const RunEnded run = finish();
  expect_complete(run, 50, false);
  EXPECT_EQ(count_in(turnaround_of(run), "replies"), 100);
  EXPECT_EQ(count_in(turnaround_of(run), "doubles"), 0);
  for (const auto& [number, log] : run.sender_logs) {
    EXPECT_EQ(std::ranges::count_if(log.replies, [](const LogRow& row) { return row.flagged("further"); }), 100);
  }
}

TEST_F(RepliesOfWorkers, FromAllCountsTheReplyOfEach) {
  start_broker({"--reply-from", "all"});
  start_repliers(3);
  start_requesters(2, {"--reply-from", "all", "--messages", "50", "--delay", "1ms"});
  const RunEnded run = finish();
  expect_complete(run, 50, false, 3);
  EXPECT_EQ(count_in(turnaround_of(run), "replies"), 300);
}

// The replier takes as long as we say: a turnaround is never less, and its parts add up to it.
TEST_F(RepliesOfWorkers, TurnaroundIsTheWayThereTheServiceAndTheWayBack) {
  constexpr int64_t kServiceNs = 5'000'000;
  start_broker();
  start_repliers(1, {"--service-time", "fixed:5ms"});
  start_requesters(1, {"--messages", "40", "--outstanding", "1"});
  const RunEnded run = finish();
  expect_complete(run, 40, true);
  const Json turnaround = turnaround_of(run);
  EXPECT_GE(figure(turnaround, "turnaround_ns", "min"), kServiceNs);
  ASSERT_THAT(run.receiver_logs, SizeIs(1));
  ASSERT_THAT(run.sender_logs, SizeIs(1));
  const LogFile& requester = run.sender_logs.at(1);
  const LogFile& replier = run.receiver_logs.at(1);
  ASSERT_THAT(replier.replies, SizeIs(40));
  ASSERT_THAT(requester.replies, SizeIs(40));
  double way_back = 0;
  for (size_t i = 0; i < 40; i++) {
    const int64_t there = *replier.rows[i].latency_ns;
    const int64_t service = *replier.replies[i].sent_ns - *replier.rows[i].received_ns;
    const int64_t back = *requester.replies[i].sent_ns - *replier.replies[i].sent_ns;
    EXPECT_GE(service, kServiceNs);
    EXPECT_EQ(there + service + back, *requester.replies[i].sent_ns - *requester.rows[i].sent_ns);
    way_back += static_cast<double>(back) / 40;
  }
  EXPECT_NEAR(turnaround["reply_latency_ns"]["mean"].get<double>(), way_back, 1.0);
}

TEST_F(RepliesOfWorkers, ThatComeLateAreCountedAndTheirRequestsTimedOut) {
  start_broker();
  start_repliers(1, {"--service-time", "fixed:100ms"});
  start_requesters(1, {"--messages", "5", "--delay", "10ms", "--timeout", "50ms"});
  const RunEnded run = finish();
  expect_books(run);
  const Json turnaround = turnaround_of(run);
  EXPECT_EQ(count_in(turnaround, "replies"), 0);
  EXPECT_EQ(count_in(turnaround, "timeouts"), 5);
  EXPECT_EQ(count_in(turnaround, "late"), 5);
  EXPECT_EQ(figure(turnaround, "turnaround_ns", "count"), 0);
  for (const FleetEnded& fleet : run.fleets) {
    if (fleet.role != "sender") continue;
    EXPECT_EQ(fleet.exit, Exit{.code = 1});
    EXPECT_THAT(fleet.summary["reason"], HasSubstr("5 of 5 requests got no reply in time"));
  }
  EXPECT_EQ(run.broker.exit, Exit{.code = 0}) << "every request was answered, if late";
}

// Everywhere in the requester's log, with its lines in the order of events.
TEST_F(RepliesOfWorkers, InClosedLoopNeverMoreThanSoManyAreOutstanding) {
  start_broker();
  start_repliers(2, {"--service-time", "exponential:200us"});
  start_requesters(3, {"--messages", "300", "--outstanding", "4", "--delay", "1h", "--telemetry", "10ms"});
  const RunEnded run = finish();
  expect_complete(run, 300, true);
  for (const auto& [number, log] : run.sender_logs) {
    std::vector<std::pair<int64_t, int>> steps;
    for (const LogRow& row : log.rows) {
      EXPECT_FALSE(row.intended_ns);
      steps.emplace_back(*row.sent_ns, 1);
    }
    for (const LogRow& row : log.replies) steps.emplace_back(*row.sent_ns, -1);
    std::ranges::sort(steps);
    int outstanding = 0, most = 0;
    for (const auto& [time, step] : steps) most = std::max(most, outstanding += step);
    EXPECT_EQ(most, 4) << number;
  }
  EXPECT_EQ(count_in(turnaround_of(run), "closed_loop"), 4);
  EXPECT_EQ(figure(turnaround_of(run), "scheduled_turnaround_ns", "count"), 0);
}

// A time-out makes room as a reply does: else the loop would stand still.
TEST_F(RepliesOfWorkers, InClosedLoopATimeoutLetsTheNextGo) {
  start_broker();
  start_repliers(1, {"--service-time", "fixed:30ms"});
  start_requesters(1, {"--messages", "20", "--outstanding", "2", "--timeout", "10ms"});
  const RunEnded run = finish();
  expect_books(run);
  EXPECT_EQ(count_in(turnaround_of(run), "timeouts"), 20);
  EXPECT_EQ(run.sum("sender", "sent"), 20);
}

TEST_F(RepliesOfWorkers, WarmUpIsTakenApart) {
  start_broker();
  start_repliers(1, {"--warmup", "100ms"});
  start_requesters(1, {"--messages", "40", "--delay", "5ms", "--warmup", "100ms"});
  const RunEnded run = finish();
  const Json turnaround = turnaround_of(run);
  EXPECT_EQ(count_in(turnaround, "replies"), 40);
  EXPECT_EQ(figure(turnaround, "warmup_turnaround_ns", "count"), 20);
  for (const char* latency : {"turnaround_ns", "scheduled_turnaround_ns", "reply_latency_ns"})
    EXPECT_EQ(figure(turnaround, latency, "count"), 20) << latency;
}

TEST_F(RepliesOfWorkers, OfAKilledReplierGoToAnother) {
  start_broker({"--policy", "round-robin"});
  Process& killed = start_repliers(1, {"--service-time", "fixed:20ms", "--telemetry", "20ms"});
  start_repliers(1, {}, 2);
  start_requesters(2, {"--messages", "200", "--delay", "2ms"});
  wait_until(killed, "replies", 3);
  killed.signal(SIGKILL);
  const RunEnded run = finish();
  const Json turnaround = turnaround_of(run);
  EXPECT_EQ(count_in(turnaround, "replies"), 400) << run.story();
  EXPECT_EQ(count_in(turnaround, "timeouts"), 0);
  EXPECT_GT(run.broker.total("redelivered"), 0);
  EXPECT_EQ(run.broker.total("receivers_vanished"), 1);
  size_t came = 0;
  for (const auto& [number, log] : run.sender_logs) came += log.replies.size();
  EXPECT_EQ(run.broker.total("replies_delivered"), static_cast<int64_t>(came));
  EXPECT_THAT(check_turnaround(run), IsEmpty());
}

TEST_F(RepliesOfWorkers, TimeOutOnceTheLastReplierIsGone) {
  start_broker({"--drain-timeout", "1s"});
  Process& killed = start_repliers(1, {"--telemetry", "20ms"});
  Process& asking =
      start_requesters(1, {"--messages", "100000", "--delay", "1ms", "--timeout", "100ms", "--telemetry", "20ms"});
  wait_until(killed, "replies", 3);
  killed.signal(SIGKILL);
  wait_until(asking, "timeouts", 1);
  const RunEnded run = finish();
  const Json turnaround = turnaround_of(run);
  EXPECT_EQ(count_in(turnaround, "replies") + count_in(turnaround, "timeouts"), run.sum("sender", "sent"))
      << run.story();
  EXPECT_GT(count_in(turnaround, "timeouts"), 0);
}

// As when a person presses Stop: what has been asked is still answered.
TEST_F(RepliesOfWorkers, StopWithTheRepliesThatAreUnderWay) {
  start_broker();
  start_repliers(2, {"--service-time", "fixed:5ms"});
  Process& asking = start_requesters(2, {"--messages", "100000", "--delay", "4ms", "--telemetry", "20ms"});
  wait_until(asking, "replies", 20);
  asking.signal(SIGTERM);
  const RunEnded run = finish();
  expect_books(run);
  EXPECT_EQ(count_in(turnaround_of(run), "timeouts"), 0) << run.story();
  EXPECT_EQ(count_in(turnaround_of(run), "replies"), run.sum("sender", "sent"));
}

// A replier that is told to stop answers what it has without working on it.
TEST_F(RepliesOfWorkers, AreAnsweredByAReplierThatLeaves) {
  start_broker({"--policy", "round-robin"});
  Process& leaving = start_repliers(1, {"--service-time", "fixed:50ms", "--telemetry", "20ms"});
  start_repliers(1, {}, 2);
  start_requesters(1, {"--messages", "200", "--delay", "2ms"});
  wait_until(leaving, "replies", 2);
  leaving.signal(SIGTERM);
  const RunEnded run = finish();
  expect_complete(run, 200, true);
}

TEST_F(RepliesOfWorkers, OfAnySizeComeWhole) {
  for (const std::string size : {"0B", "8MiB"}) {
    Stage here;
    here.start_broker({"--mode", "request-reply", "--max-message", "8MiB", "--max-memory", "64MiB"});
    here.start(receivers(2, {"--reply-size", size}));
    here.start(
        senders(2, {"--reply-from", "one", "--messages", "5", "--size", size, "--delay", "2ms", "--timeout", "1min"}));
    expect_complete(here.finish(), 5, true);
  }
}

// Replies that the bus does not take at once wait, and hold up the requests behind them; none is lost.
TEST_F(RepliesOfWorkers, ThatTheBusDoesNotTakeAtOnceAreNotLost) {
  start_broker({"--max-message", "1MiB", "--max-memory", "6MiB"});
  start_repliers(1, {"--reply-size", "64KiB..1MiB"});
  start_requesters(2, {"--messages", "150", "--delay", "0", "--timeout", "1min"});
  expect_complete(finish(), 150, true);
}

TEST_F(RepliesOfWorkers, OfTwoHundredRequesters) {
  start_broker({"--policy", "least-outstanding"});
  start_repliers(10, {"--loops", "2"});
  start_requesters(200, {"--messages", "20", "--delay", "5ms", "--loops", "2"});
  const RunEnded run = finish();
  expect_complete(run, 20, true);
  EXPECT_EQ(count_in(turnaround_of(run), "replies"), 4000);
}

// Each with a clock of its own: the way there and the way back are right within the bound that each names.
TEST_F(RepliesOfWorkers, HaveAWayBackThatIsRightWithinItsBoundWhateverTheClocks) {
  start_broker();
  start_repliers(2, {"--clock-skew", "-50s", "--clock-drift", "100"});
  start_requesters(2, {"--messages", "50", "--delay", "20ms", "--clock-skew", "20s", "--clock-drift", "-100"});
  const RunEnded run = finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  for (const FleetEnded& fleet : run.fleets) {
    if (fleet.role != "sender") continue;
    const Json& turnaround = fleet.summary["turnaround"];
    const int64_t bound_ns = count_in(fleet.summary["clock"], "bound_ns");
    EXPECT_EQ(figure(turnaround, "reply_latency_ns", "count"), 100);
    EXPECT_GT(bound_ns, count_in(fleet.summary["clock"], "own_bound_ns")) << "the repliers' clocks are in it too";
    EXPECT_GE(figure(turnaround, "reply_latency_ns", "min"), -bound_ns);
    EXPECT_LE(figure(turnaround, "reply_latency_ns", "max"), figure(turnaround, "turnaround_ns", "max") + bound_ns);
  }
}

// Over a bus that is not ours the workers do the same, and the broker carries nothing.
TEST_F(RepliesOfWorkers, ComeOverAnotherBusToo) {
  start_broker({"--elsewhere"});
  start_repliers(2, {"--bus", "http", "--service-time", "exponential:1ms"});
  start_requesters(3, {"--bus", "http", "--messages", "60", "--outstanding", "2"});
  const RunEnded run = finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  expect_books(run);
  EXPECT_THAT(check_sender_logs(run, 60), IsEmpty());
  EXPECT_THAT(check_deliveries(run, true), IsEmpty());
  EXPECT_EQ(count_in(turnaround_of(run), "replies"), 180);
  EXPECT_EQ(run.sum("receiver", "replies"), 180);
  EXPECT_EQ(run.broker.total("replies"), 0);
}

TEST_F(RepliesOfWorkers, ThatComeLateOverAnotherBusAreCountedAndEndTheRun) {
  start_broker({"--elsewhere"});
  start_repliers(1, {"--bus", "http", "--service-time", "fixed:60ms"});
  start_requesters(1, {"--bus", "http", "--messages", "5", "--delay", "10ms", "--timeout", "30ms"});
  const RunEnded run = finish();
  expect_books(run);
  EXPECT_EQ(count_in(turnaround_of(run), "timeouts"), 5) << run.story();
  EXPECT_EQ(run.sum("receiver", "received"), 5);
  EXPECT_EQ(run.broker.exit, Exit{.code = 0});
}

TEST_F(RepliesOfWorkers, AreRefusedInWordsWhereTheRunIsOfAnotherKind) {
  struct Misfit {
    const char* mode;
    Fleet worker;
    const char* text;
  };
  const std::vector<Misfit> misfits{
      {"broadcaster", senders(1, {"--reply-from", "one"}), "--reply-from: the broker's run has no replies"},
      {"broadcaster", receivers(1, {"--reply-size", "1B"}), "--reply-size: the broker's run has no replies"},
      {"request-reply", senders(1, {"--reply-from", "all"}), "--reply-from all: the broker's is one"},
      {"request-reply", receivers(1, {"--reply-size", "2MiB"}), "--reply-size 2MiB is more than the broker accepts"},
      {"request-reply", receivers(1), "a receiver with --reply-size"}};
  for (const Misfit& misfit : misfits) {
    Stage here;
    here.start_broker({"--mode", misfit.mode});
    const Ended ended = here.finish_one(here.start(misfit.worker));
    EXPECT_THAT(ended.err, HasSubstr(misfit.text));
    EXPECT_EQ(ended.exit, Exit{.code = 4});
    here.broker().signal(SIGTERM);
    here.finish_one(here.broker());
  }
}

}  // namespace
}  // namespace n2nq::test
