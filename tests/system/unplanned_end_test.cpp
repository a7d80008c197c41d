// Ends that nobody planned: SIGTERM and kill -9 of each of the three in the middle of a run. The survivors' books hold.
#include <signal.h>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// SIGTERM in the middle of a run: as soon as the telemetry tells of twenty messages.
class Sigterm : public testing::TestWithParam<std::string> {
 protected:
  RunEnded run_and_stop(const std::string& whom) {
    balanced = GetParam() == "load-balancer";
    stage.start_broker({"--mode", GetParam(), "--drain-timeout", "1s"});
    Process& listening = stage.start(receivers(2, {"--telemetry", "50ms"}));
    Process& sending = stage.start(senders(2, {"--messages", "100000", "--delay", "2ms", "--telemetry", "50ms"}));
    wait_until_under_way(listening, "received");
    wait_until_under_way(sending, "sent");
    (whom == "broker" ? stage.broker() : whom == "sender" ? sending : listening).signal(SIGTERM);
    return stage.finish(30s);
  }
  static void wait_until_under_way(Process& worker, const std::string& count) {
    auto line = worker.wait_line(
        [&](const std::string& text) {
          auto telemetry = parse_line(text);
          return telemetry && telemetry->value("type", "") == "telemetry" &&
                 count_in((*telemetry)["totals"], count) > 20;
        },
        20s);
    EXPECT_TRUE(line) << worker.out().substr(0, 2000);
  }
  void expect_books(const RunEnded& run) {
    EXPECT_THAT(check_summaries_equal_logs(run, balanced), IsEmpty()) << run.story();
    EXPECT_EQ(run.broker.total("owed"),
              run.broker.total("delivered") + run.broker.total("expired") + run.broker.total("undeliverable"))
        << run.story();
    EXPECT_FALSE(run.broker.summary.empty());
    for (const auto& fleet : run.fleets) EXPECT_FALSE(fleet.summary.empty());
    EXPECT_THAT(processes_left(), IsEmpty());
  }
  Stage stage;
  bool balanced = false;
};

TEST_P(Sigterm, OfTheSendersDrainsAndEndsTheRunInOrder) {
  RunEnded run = run_and_stop("sender");
  expect_books(run);
  int64_t sent = run.sum("sender", "sent");
  EXPECT_GT(sent, 40);
  EXPECT_EQ(run.sum("sender", "accepted"), sent) << run.story();
  EXPECT_EQ(run.sum("receiver", "expected"), balanced ? sent : 2 * sent);
  EXPECT_EQ(run.sum("receiver", "lost"), 0);
  for (const auto& fleet : run.fleets) {
    ASSERT_TRUE(fleet.exit) << run.story();
    EXPECT_EQ(fleet.exit->signal, 0);
    EXPECT_LE(fleet.exit->code, fleet.role == "receiver" ? 0 : 1) << run.story();  // unsent messages are a sender's 1
  }
}

TEST_P(Sigterm, OfTheReceiversLetsThemLeaveWithWhatIsUnderWay) {
  RunEnded run = run_and_stop("receiver");
  expect_books(run);
  for (const auto& fleet : run.fleets) {
    ASSERT_TRUE(fleet.exit) << run.story();
    EXPECT_EQ(fleet.exit->signal, 0);
  }
  EXPECT_EQ(run.sum("receiver", "lost"), 0);
  EXPECT_EQ(run.broker.total("in_doubt"), 0);
}

TEST_P(Sigterm, OfTheBrokerEndsTheRunForEverybody) {
  RunEnded run = run_and_stop("broker");
  expect_books(run);
  EXPECT_EQ(run.sum("receiver", "received"), run.broker.total("delivered")) << run.story();
  EXPECT_EQ(run.sum("sender", "accepted"), run.broker.total("accepted"));
  for (const auto& fleet : run.fleets) EXPECT_EQ(fleet.exit->signal, 0) << run.story();
}

INSTANTIATE_TEST_SUITE_P(Modes, Sigterm, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

// Told to end at once, the queue gives up what is owed. A receiver that is in the middle of a message by then reads it
// to its end, goes on to answer, and hears END like everybody.
class GivingUp : public testing::TestWithParam<std::string> {};

TEST_P(GivingUp, CutsOffNoReceiverThatIsInTheMiddleOfAMessage) {
  constexpr size_t kMessages = 10;  // more than the kernel holds
  constexpr size_t kSize = 2 << 20;
  Stage stage;
  stage.start_broker({"--mode", GetParam(), "--max-message", "2MiB", "--telemetry", "50ms"});
  ForeignReceiver receiver(stage.port(), {.wishes = kResponses});
  ForeignSender sender(stage.port(), {});
  receiver.begin();
  sender.begin();
  sender.send(kMessages, kSize);
  sender.done();
  ASSERT_TRUE(sender.wait_accepted(kMessages));
  ASSERT_THAT(receiver.take(2), testing::SizeIs(2));
  const auto reaches = [&](const std::string& phase) {
    return stage.broker().wait_line(
        [&](const std::string& line) {
          auto telemetry = parse_line(line);
          return telemetry && telemetry->value("type", "") == "telemetry" && telemetry->value("phase", "") == phase;
        },
        20s);
  };
  ASSERT_TRUE(reaches("draining"));
  stage.broker().signal(SIGTERM);
  sender.client().await(kEnd);
  stage.broker().signal(SIGTERM);
  ASSERT_TRUE(reaches("ending"));
  receiver.verdict = [](const Delivery&) { return 0; };
  receiver.answer_all({receiver.deliveries()[0], receiver.deliveries()[1]});
  receiver.take_all();
  EXPECT_FALSE(receiver.error()) << receiver.error()->text();
  const EndCounts end = counts(receiver.end());
  EXPECT_EQ(end.why, 2);
  EXPECT_GE(end.delivered, 2U);
  EXPECT_EQ(end.expected, end.delivered + end.undeliverable + (GetParam() == "load-balancer" ? 0 : end.expired));
  receiver.bye();
  sender.client().send(bye_frame(kMessages));
  sender.client().close();
  RunEnded run = stage.finish(30s);
  EXPECT_EQ(run.broker.exit, Exit{.code = 1}) << run.story();
  EXPECT_EQ(run.broker.total("receivers_vanished"), 0) << run.story();
  EXPECT_EQ(run.broker.total("confirmed"), run.broker.total("delivered"));
  EXPECT_EQ(run.broker.total("owed"), run.broker.total("delivered") + run.broker.total("undeliverable"));
  EXPECT_GE(run.broker.total("undeliverable"), run.broker.total("in_doubt"));
}

INSTANTIATE_TEST_SUITE_P(Modes, GivingUp, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

TEST(SigtermBeforeTheBegin, EndsAWaitingWorkerWithItsSummary) {
  for (const std::string role : {"sender", "receiver"}) {
    Stage stage;
    stage.start_broker({"--mode", "broadcaster"});
    Process& worker = stage.start({.role = role, .count = 2});
    worker.signal(SIGTERM);
    Ended ended = stage.finish_one(worker, 15s);
    ASSERT_TRUE(ended.exit) << role;
    EXPECT_EQ(ended.exit->signal, 0) << role;
    EXPECT_FALSE(ended.summary.empty()) << role;
    stage.broker().signal(SIGTERM);
    Ended broker = stage.finish_one(stage.broker(), 15s);
    EXPECT_FALSE(broker.summary.empty()) << role;
  }
}

// kill -9 of one of the three in the middle of a run.
class Killed : public Sigterm {
 protected:
  RunEnded run_and_kill(const std::string& whom, const Options& wishes = {}) {
    balanced = GetParam() == "load-balancer";
    stage.start_broker({"--mode", GetParam(), "--expect-senders", "4", "--expect-receivers", "4"});
    Options telemetry{"--telemetry", "50ms"};
    Options listen = wishes;
    listen.insert(listen.end(), telemetry.begin(), telemetry.end());
    Process& listening = stage.start(receivers(2, listen, 1));
    stage.start(receivers(2, wishes, 11));
    Process& sending = stage.start(senders(2, {"--messages", "300", "--delay", "2ms", "--telemetry", "50ms"}, 1));
    stage.start(senders(2, {"--messages", "300", "--delay", "2ms"}, 11));
    wait_until_under_way(listening, "received");
    wait_until_under_way(sending, "sent");
    (whom == "broker" ? stage.broker() : whom == "sender" ? sending : listening).signal(SIGKILL);
    RunEnded run = stage.finish(Deadline(15s));  // the bound of the issue
    EXPECT_THAT(processes_left(), IsEmpty()) << run.story();
    EXPECT_THAT(check_summaries_equal_logs(run, balanced), IsEmpty()) << run.story();
    EXPECT_NE(run.broker.summary.value("verdict", "") + run.broker.summary.value("reason", ""), "incompletecomplete");
    return run;
  }
  static const FleetEnded& fleet(const RunEnded& run, const std::string& role, int first) {
    return *std::find_if(run.fleets.begin(), run.fleets.end(),
                         [&](const auto& one) { return one.role == role && one.first == first; });
  }
  static void expect_balanced(const RunEnded& run) {
    EXPECT_EQ(run.broker.total("owed"),
              run.broker.total("delivered") + run.broker.total("expired") + run.broker.total("undeliverable"))
        << run.story();
  }
};

TEST_P(Killed, ReceiversLeaveTheRestComplete) {
  RunEnded run = run_and_kill("receiver");
  expect_balanced(run);
  const FleetEnded& survivors = fleet(run, "receiver", 11);
  EXPECT_EQ(survivors.total("lost"), 0) << run.story();
  EXPECT_EQ(run.sum("sender", "sent"), 4 * 300);
  EXPECT_EQ(run.broker.total("accepted"), 4 * 300);
  if (!balanced) {
    EXPECT_EQ(survivors.total("received"), 2 * 4 * 300);
  }
  // What the killed ones wrote down before they died is a lower bound of what they had.
  auto truth = static_cast<int64_t>(distinct_received(run, balanced));
  EXPECT_LE(run.broker.total("delivered") - run.broker.total("in_doubt"), truth) << run.story();
  EXPECT_LE(truth, run.broker.total("delivered")) << run.story();
  EXPECT_GT(run.broker.total("in_doubt"), 0);
}

TEST_P(Killed, ReceiversWithResponsesAreMadeUpForByTheLoadBalancer) {
  RunEnded run = run_and_kill("receiver", {"--responses"});
  expect_balanced(run);
  EXPECT_EQ(fleet(run, "receiver", 11).total("lost"), 0) << run.story();
  if (balanced) {
    EXPECT_EQ(run.broker.total("delivered"), 4 * 300) << run.story();
    EXPECT_EQ(run.broker.total("confirmed"), 4 * 300) << run.story();
  }
}

TEST_P(Killed, SendersLeaveWhatWasAcceptedDelivered) {
  RunEnded run = run_and_kill("sender");
  expect_balanced(run);
  int64_t accepted = run.broker.total("accepted");
  // All of the fleet that lived, and something of the one that did not.
  EXPECT_GT(accepted, 2 * 300);
  EXPECT_EQ(run.sum("receiver", "received"), balanced ? accepted : 4 * accepted) << run.story();
  EXPECT_EQ(run.sum("receiver", "lost"), 0);
  EXPECT_EQ(fleet(run, "sender", 11).total("accepted"), 600);
  EXPECT_EQ(fleet(run, "sender", 11).exit, Exit{.code = 0});
}

TEST_P(Killed, BrokerLeavesWorkersThatSaySo) {
  RunEnded run = run_and_kill("broker");
  for (const auto& one : run.fleets) {
    EXPECT_EQ(one.exit, Exit{.code = 5}) << run.story();
    EXPECT_FALSE(one.summary.empty()) << run.story();
    EXPECT_THAT(one.err, HasSubstr("broker")) << run.story();
    if (one.role == "receiver") {
      EXPECT_TRUE(one.summary["expected"].is_null()) << one.summary.dump();
      EXPECT_TRUE(one.summary["lost"].is_null()) << one.summary.dump();
    }
  }
  // Certain: what the broker confirmed. Possible: all that was sent.
  EXPECT_LE(run.sum("sender", "accepted"), run.sum("sender", "sent"));
  EXPECT_LE(static_cast<int64_t>(distinct_received(run, true)), run.sum("sender", "sent"));
}

INSTANTIATE_TEST_SUITE_P(Modes, Killed, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

}  // namespace
}  // namespace n2nq::test
