// Ends that nobody planned: SIGTERM and kill -9 of each of the three in the middle of a run. The survivors' books hold.
#include <signal.h>

#include "tests/system/foreign.h"

namespace n2nq::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kUnderWay = 20;

// SIGTERM in the middle of a run: as soon as the telemetry tells of more messages than that.
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
    EXPECT_TRUE(await_telemetry(worker, at_least(count, kUnderWay + 1))) << worker.out().substr(0, 2000);
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
  EXPECT_GT(sent, kUnderWay);
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
  enum class Sockets { direct, tapped };
  RunEnded run_and_kill(const std::string& whom, const Options& wishes = {}, Sockets way = Sockets::direct) {
    balanced = GetParam() == "load-balancer";
    stage.start_broker({"--mode", GetParam(), "--expect-senders", "4", "--expect-receivers", "4"});
    std::optional<BusTap> tap;
    if (way == Sockets::tapped) tap.emplace(stage.port());
    const auto start = [&](Fleet fleet) -> Process& {
      if (tap) fleet.port = tap->port();
      return stage.start(fleet);
    };
    Options telemetry{"--telemetry", "50ms"};
    Options listen = wishes;
    listen.insert(listen.end(), telemetry.begin(), telemetry.end());
    Process& listening = start(receivers(2, listen, 1));
    start(receivers(2, wishes, 11));
    Process& sending = start(senders(2, {"--messages", "300", "--delay", "2ms", "--telemetry", "50ms"}, 1));
    start(senders(2, {"--messages", "300", "--delay", "2ms"}, 11));
    wait_until_under_way(listening, "received");
    wait_until_under_way(sending, "sent");
    (whom == "broker" ? stage.broker() : whom == "sender" ? sending : listening).signal(SIGKILL);
    RunEnded run = stage.finish(Deadline(15s));  // the bound of the issue
    if (tap) {
      sockets = tap->links(8);
      EXPECT_THAT(sockets, testing::SizeIs(8)) << run.story();
      tap.reset();
    }
    EXPECT_THAT(processes_left(), IsEmpty()) << run.story();
    EXPECT_THAT(check_summaries_equal_logs(run, balanced), IsEmpty()) << run.story();
    if (const Json& said = run.broker.summary; said.value("verdict", "") == "incomplete") {
      int64_t missing = 0;
      for (const char* count : {"senders_vanished", "receivers_vanished", "expired", "undeliverable", "in_doubt"})
        missing += run.broker.total(count);
      EXPECT_TRUE(missing > 0 || said.value("end", "complete") != "complete") << "nothing says why: " << said;
    }
    return run;
  }
  static const FleetEnded& fleet(const RunEnded& run, const std::string& role, int first) {
    return *std::find_if(run.fleets.begin(), run.fleets.end(),
                         [&](const auto& one) { return one.role == role && one.first == first; });
  }
  // Over the services that `which` takes.
  int64_t carried(const std::function<bool(const std::string& role, uint32_t number)>& which,
                  const std::function<int64_t(const Carried&)>& what) const {
    int64_t sum = 0;
    for (const auto& [service, one] : sockets)
      if (which(service.first, service.second)) sum += what(one);
    return sum;
  }
  static int64_t messages(const Carried& one) { return static_cast<int64_t>(one.data.size()); }
  static int64_t confirmed(const Carried& one) { return one.confirmed; }
  // `delivered`: what of it the broker may count as delivered.
  void expect_doubt_as_on_sockets(const Options& wishes, const std::function<int64_t(const Carried&)>& delivered) {
    const auto killed = [](const std::string& role, uint32_t number) { return role == "receiver" && number < 11; };
    const auto receiver = [](const std::string& role, uint32_t) { return role == "receiver"; };
    const RunEnded run = run_and_kill("receiver", wishes, Sockets::tapped);
    EXPECT_EQ(run.broker.total("delivered"), carried(receiver, delivered)) << run.story();
    EXPECT_EQ(run.broker.total("confirmed"), carried(receiver, confirmed)) << run.story();
    EXPECT_EQ(run.broker.total("in_doubt"), carried(killed, messages) - carried(killed, confirmed)) << run.story();
    // What the killed ones wrote down before they died is a part of what they had.
    for (const auto& [service, one] : sockets) {
      if (!killed(service.first, service.second)) continue;
      EXPECT_LE(run.receiver_logs.at(service.second).rows.size(), one.data.size());
      EXPECT_GT(one.data.size(), 0U);
    }
  }
  void expect_workers_that_say_so(const RunEnded& run) const {
    for (const auto& one : run.fleets) {
      EXPECT_EQ(one.exit, Exit{.code = 5}) << run.story();
      EXPECT_FALSE(one.summary.empty()) << run.story();
      EXPECT_THAT(one.err, HasSubstr("broker")) << run.story();
      if (one.role == "receiver") {
        EXPECT_TRUE(one.summary["expected"].is_null()) << one.summary.dump();
        EXPECT_TRUE(one.summary["lost"].is_null()) << one.summary.dump();
      }
    }
    EXPECT_LT(run.sum("sender", "sent"), 4 * 300) << "it was killed in mid-run";
    EXPECT_THAT(check_what_came(run, balanced), IsEmpty()) << run.story();
  }
  static void expect_balanced(const RunEnded& run) {
    EXPECT_EQ(run.broker.total("owed"),
              run.broker.total("delivered") + run.broker.total("expired") + run.broker.total("undeliverable"))
        << run.story();
  }
  std::map<std::pair<std::string, uint32_t>, Carried> sockets;
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

TEST_P(Killed, ReceiversLeaveInDoubtWhatTheirSocketsCarried) {
  expect_doubt_as_on_sockets({}, messages);
}

TEST_P(Killed, ReceiversWithResponsesLeaveInDoubtWhatTheirSocketsCarriedAndNobodyConfirmed) {
  expect_doubt_as_on_sockets({"--responses"}, confirmed);
}

TEST_P(Killed, BrokerLeavesWorkersThatSaySo) {
  expect_workers_that_say_so(run_and_kill("broker"));
}

TEST_P(Killed, BrokerLeavesWorkersWhoseFiguresAreWhatTheirSocketsCarried) {
  const RunEnded run = run_and_kill("broker", {}, Sockets::tapped);
  expect_workers_that_say_so(run);
  EXPECT_THAT(check_logs_equal_sockets(run, sockets), IsEmpty()) << run.story();
  for (const FleetEnded& one : run.fleets) {
    const auto of_it = [&](const std::string& role, uint32_t number) {
      return role == one.role && number >= static_cast<uint32_t>(one.first) && number <= one.last();
    };
    if (one.role == "sender") {
      EXPECT_EQ(one.total("sent"), carried(of_it, messages)) << run.story();
      EXPECT_EQ(one.total("accepted"), carried(of_it, [](const Carried& socket) { return socket.accepted; }))
          << run.story();
    } else {
      EXPECT_EQ(one.total("received"), carried(of_it, messages)) << run.story();
    }
  }
  for (const auto& [service, one] : sockets) EXPECT_LE(one.accepted, messages(one)) << service.first << service.second;
}

INSTANTIATE_TEST_SUITE_P(Modes, Killed, testing::Values("broadcaster", "load-balancer"),
                         [](const auto& one) { return one.param == "broadcaster" ? "broadcaster" : "load_balancer"; });

#ifndef N2NQ_SANITIZED  // whose own memory is without bound
// A limit of the shell, or of a container, below what the broker may keep.
TEST(Memory, ThatTheSystemDoesNotGiveIsToldAndSendersWaitForIt) {
  const ReservedPort port;
  const std::string address = "127.0.0.1:" + std::to_string(port.number());
  Process broker({"/bin/sh", "-c", "ulimit -v 60000 && exec \"$0\" \"$@\"", program("n2nq-broker"), "--mode",
                  "broadcaster", "--insecure-no-token", "--max-memory", "1GiB", "--expect-senders", "1", "--retention",
                  "until-collected", "--expect-receivers", "1", "--listen", address});
  await_json(broker, "ready");
  ForeignReceiver receiver(port.number(), Hello{.wishes = kRequests});
  Process sender(
      {program("n2nq-sender"), "--broker", address, "--messages", "1000", "--size", "64KiB", "--delay", "0"});
  receiver.begin();
  EXPECT_TRUE(broker.wait_err("the system gives the queue no more memory at", 20s)) << broker.err();
  receiver.request(~uint64_t{0});
  EXPECT_EQ(receiver.take_all(60s).size(), 1000U);
  receiver.bye();
  for (Process* each : {&sender, &broker}) {
    const auto exit = each->wait_exit(20s);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->code, 0) << each->err();
  }
}
#endif

}  // namespace
}  // namespace n2nq::test
