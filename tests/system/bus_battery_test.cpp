// What every bus of the table must do, each by what the table says it can: deliver all, in order, count what is lost,
// end, and survive the death of others. Real processes.
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "tests/helpers/accounts.h"
#include "tests/helpers/bus_servers.h"
#include "tests/helpers/sockets.h"
#include "tests/system/bus_stage.h"
#include "workers/measure/worker_clock.h"

namespace n2nq::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Field;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::UnorderedElementsAre;

const char* const kPlainModes[] = {"broadcaster", "load-balancer"};

std::string test_name(const testing::TestParamInfo<BusWay>& one) {
  std::string name = one.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

class AnyBus : public testing::TestWithParam<BusWay> {
 protected:
  // Where a sender has several connections to a receiver, or a topic several parts, its messages may overtake each
  // other.
  static BusWay in_order(const BusWay& way) {
    return way.with("connections", "1").with("keys", "sender").with("idempotence", "true");
  }
  // What a receiver had that has gone goes to others after that.
  static BusWay soon(const BusWay& way) { return way.with("session_timeout", "500ms").with("commit_interval", "10ms"); }
  // As soon as they are read, and where the bus has that, once they are worked on.
  static std::vector<BusWay> acknowledged(const BusWay& way) {
    if (!way.has("acknowledge_after")) return {way};
    return {way, way.with("acknowledge_after", "service")};
  }
  // Between two messages of a server that has just been told of a topic, too.
  static BusWay quiet(const BusWay& way) { return way.with("quiet", way.bus->any_order ? "1s" : "100ms"); }
  static void expect_all_came(const RunEnded& run, const std::string& mode, uint64_t messages) {
    const bool balanced = mode != "broadcaster";
    EXPECT_TRUE(run.all_ended_with(0)) << run.story();
    EXPECT_THAT(check_sender_logs(run, messages), IsEmpty());
    EXPECT_THAT(check_deliveries(run, balanced), IsEmpty());
    EXPECT_THAT(check_summaries_equal_logs(run, balanced), IsEmpty()) << run.story();
    EXPECT_EQ(run.sum("sender", "accepted"), run.sum("sender", "sent"));
    EXPECT_EQ(run.sum("receiver", "lost"), 0);
    EXPECT_EQ(run.sum("receiver", "expected"), run.sum("receiver", "received"));
  }
  // So many messages of each of its services, or in all.
  static void wait_for(Process& worker, const std::string& count, int64_t least) {
    EXPECT_TRUE(await_telemetry(worker, at_least(count, least))) << worker.out().substr(0, 2000) << worker.err();
  }
  // Until two looks in a row tell of as many sent, or there are no more.
  static void wait_until_still(Process& sending) {
    int64_t last = -1;
    sending.wait_line(
        [&](const std::string& text) {
          const auto telemetry = parse_line(text);
          if (!telemetry || telemetry->value("type", "") != "telemetry") return false;
          const int64_t before = std::exchange(last, count_in((*telemetry)["totals"], "sent"));
          return before == last;
        },
        20s);
  }
};

class EachWay : public AnyBus {};
class EachBus : public AnyBus {};

TEST_P(EachWay, DeliversEverythingInOrderAndEnds) {
  for (const std::string mode : kPlainModes) {
    if (!GetParam().can(mode)) continue;
    SCOPED_TRACE(mode);
    BusStage stage(in_order(GetParam()));
    expect_all_came(
        stage.run(mode, receivers(2), senders(2, {"--messages", "60", "--size", "50B", "--delay", "500us"})), mode, 60);
    EXPECT_THAT(processes_left(), IsEmpty());
  }
}

// Each message once, of a bus that answers; of our own and of those that do not, nothing.
TEST_P(EachWay, TimesItsAnswersToMessages) {
  BusStage stage(GetParam());
  const RunEnded run = stage.run(GetParam().plain_mode(), receivers(2),
                                 senders(2, {"--messages", "60", "--size", "50B", "--delay", "500us"}));
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  const Json& summary = run.fleets[1].summary;
  const bool times = GetParam().bus->answers && !GetParam().bus->own_queue;
  ASSERT_EQ(summary.contains("publish_ns"), times) << summary;
  if (!times) return;
  EXPECT_EQ(summary["publish_ns"]["count"], 120);
  EXPECT_GT(summary["publish_ns"]["min"], 0);
}

TEST_P(EachWay, CarriesNothingAndMuch) {
  for (const std::string size : {"0B", "8MiB"}) {
    SCOPED_TRACE(size);
    BusStage stage(in_order(GetParam()));
    expect_all_came(stage.run(GetParam().plain_mode(), receivers(1),
                              senders(1, {"--messages", "3", "--size", size, "--delay", "0"})),
                    GetParam().plain_mode(), 3);
  }
}

TEST_P(EachWay, BringsEachReplyToItsRequester) {
  if (!GetParam().can("request-reply")) return;
  BusStage stage(GetParam());
  const bool to_one = GetParam().bus->load_balancer;
  const std::string from = to_one ? "one" : "first";
  const RunEnded run =
      stage.run("request-reply", receivers(2, {"--reply-size", "0B..3KiB"}),
                senders(2, {"--reply-from", from, "--messages", "40", "--delay", "1ms"}), {"--reply-from", from});
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.sum("receiver", "received"), to_one ? 80 : 160);
  EXPECT_EQ(run.fleets[1].summary["turnaround"]["replies"], 80) << run.story();
  EXPECT_EQ(run.fleets[1].summary["turnaround"]["timeouts"], 0);
  EXPECT_FALSE(run.fleets[1].summary.contains("publish_ns")) << "the reply is the answer";
}

TEST_P(EachBus, AsksAllRepliersWhereItCan) {
  if (!GetParam().bus->reply_from_all) return;
  for (const std::string from : {"first", "all"}) {
    SCOPED_TRACE(from);
    BusStage stage(GetParam());
    const RunEnded run =
        stage.run("request-reply", receivers(3, {"--reply-size", "50B"}),
                  senders(2, {"--reply-from", from, "--messages", "20", "--delay", "1ms"}), {"--reply-from", from});
    EXPECT_TRUE(run.all_ended_with(0)) << run.story();
    EXPECT_EQ(run.sum("receiver", "received"), 120);
    EXPECT_EQ(run.fleets[1].summary["turnaround"]["timeouts"], 0) << run.story();
  }
}

// Ports that no other test of this computer takes, by chance.
std::pair<int, int> some_ports(int from) {
  const int first = from + ::getpid() % 90 * 50;
  return {first, first + 49};
}

// Those to where messages are go from the ports that were given, by what the kernel lists of the processes in the run.
TEST_P(EachBus, LeavesFromThePortsThatItIsGiven) {
  BusStage stage(GetParam());
  stage.start_broker(GetParam().plain_mode(), {"--drain-timeout", "10s"});
  const auto given = [](std::pair<int, int> ports, Options more) {
    more.insert(more.end(), {"--source-ports", std::to_string(ports.first) + "-" + std::to_string(ports.second)});
    return more;
  };
  const std::pair<int, int> of_senders = some_ports(20'000), of_receivers = some_ports(25'000);
  // Over http and websocket receivers have none of their own.
  Process& receiving = stage.start(receivers(2, GetParam().direct() ? Options{} : given(of_receivers, {})));
  Process& sending =
      stage.start(senders(2, given(of_senders, {"--messages", "100000", "--delay", "2ms", "--telemetry", "20ms"})));
  wait_for(sending, "sent", 100);
  const auto looked_at = [&](const Process& worker) {
    std::vector<TcpSocket> all = tcp_sockets_of(worker.pid());
    // What ties workers to the run is not of the messages.
    std::erase_if(all, [&](const TcpSocket& socket) {
      return !socket.established || (!GetParam().bus->own_queue && socket.remote == stage.stage().port());
    });
    return all;
  };
  const std::vector<TcpSocket> out = looked_at(sending), in = looked_at(receiving);
  EXPECT_GE(out.size(), 2u);
  for (const TcpSocket& socket : out)
    EXPECT_THAT(socket.local, AllOf(Ge(of_senders.first), Le(of_senders.second))) << "to " << socket.remote;
  EXPECT_GE(in.size(), 2u);
  for (const TcpSocket& socket : in) {
    if (GetParam().direct())
      EXPECT_THAT(socket.remote, AllOf(Ge(of_senders.first), Le(of_senders.second)));
    else
      EXPECT_THAT(socket.local, AllOf(Ge(of_receivers.first), Le(of_receivers.second))) << "to " << socket.remote;
  }
  if (GetParam().bus->own_queue) {  // service n from the n-th
    EXPECT_THAT(out, UnorderedElementsAre(Field(&TcpSocket::local, of_senders.first),
                                          Field(&TcpSocket::local, of_senders.first + 1)));
  }
  sending.signal(SIGTERM);
  const RunEnded run = stage.finish();
  EXPECT_EQ(run.sum("receiver", "lost"), 0) << run.story();
}

TEST_P(EachBus, ConnectsManyToMany) {
  BusStage stage(GetParam());
  const std::string mode = GetParam().plain_mode();
  // Without a server between there are as many connections as one times the other.
  const uint32_t each = GetParam().direct() ? 50 : 250;
  expect_all_came(stage.run(mode, receivers(each), senders(each, {"--messages", "2", "--delay", "500ms"})), mode, 2);
}

TEST_P(EachBus, ServesOneSenderAndOneReceiver) {
  BusStage stage(GetParam());
  const std::string mode = GetParam().plain_mode();
  expect_all_came(stage.run(mode, receivers(1), senders(1, {"--messages", "1"})), mode, 1);
}

TEST_P(EachBus, LosesNothingToAReceiverThatIsStoppedForAWhile) {
  for (const std::string mode : kPlainModes) {
    if (!GetParam().can(mode)) continue;
    SCOPED_TRACE(mode);
    BusStage stage(in_order(GetParam()));
    stage.start_broker(mode);
    Process& slow = stage.start(receivers(1, {"--telemetry", "20ms"}));
    Process& sending =
        stage.start(senders(1, {"--messages", "300", "--size", "64KiB", "--delay", "0", "--telemetry", "20ms"}));
    wait_for(slow, "received", 1);
    slow.signal(SIGSTOP);
    wait_until_still(sending);  // 20 MB are more than sockets hold
    slow.signal(SIGCONT);
    expect_all_came(stage.finish(), mode, 300);
  }
}

// What is sent by the time the sender is stopped arrives, and nothing else is expected.
TEST_P(EachBus, EndsInOrderWhenItsSendersAreStopped) {
  for (const std::string mode : kPlainModes) {
    if (!GetParam().can(mode)) continue;
    SCOPED_TRACE(mode);
    BusStage stage(GetParam().with("quiet", "5s"));
    stage.start_broker(mode, {"--drain-timeout", "10s"});
    stage.start(receivers(2));
    Process& sending = stage.start(senders(2, {"--messages", "100000", "--delay", "2ms", "--telemetry", "20ms"}));
    wait_for(sending, "sent", 20);
    sending.signal(SIGTERM);
    const RunEnded run = stage.finish();
    EXPECT_EQ(run.fleets[0].exit, Exit{.code = 0}) << run.story();
    EXPECT_EQ(run.sum("receiver", "received"), run.sum("sender", "sent") * (mode == "broadcaster" ? 2 : 1));
    EXPECT_EQ(run.sum("receiver", "lost"), 0) << run.story();
    EXPECT_THAT(check_summaries_equal_logs(run, mode != "broadcaster"), IsEmpty()) << run.story();
  }
}

TEST_P(EachBus, GoesOnWithTheOtherReceiversWhenOneIsKilled) {
  for (const std::string mode : kPlainModes) {
    if (!GetParam().can(mode)) continue;
    SCOPED_TRACE(mode);
    // A group is arranged anew, which on a busy computer takes a while of nothing.
    const bool groups = GetParam().has("session_timeout");
    BusStage stage(soon(GetParam()).with("quiet", groups ? "5s" : "1s"));
    stage.start_broker(mode, {"--drain-timeout", groups ? "8s" : "1s", "--expect-receivers", "2"});
    Process& dying = stage.start(receivers(1, {"--telemetry", "20ms"}, 1));
    stage.start(receivers(1, {}, 2));
    stage.start(senders(1, {"--messages", "300", "--delay", "2ms"}));
    wait_for(dying, "received", 10);
    dying.signal(SIGKILL);
    const RunEnded run = stage.finish();
    const FleetEnded& left = run.fleets[1];
    EXPECT_EQ(left.exit, Exit{.code = 0}) << run.story();
    EXPECT_EQ(run.fleets[2].total("sent"), 300) << run.story();
    if (GetParam().bus->answers) {
      EXPECT_EQ(run.sum("sender", "accepted") + run.sum("sender", "refused") + run.sum("sender", "unanswered"), 300)
          << run.story();
    }
    EXPECT_EQ(left.total("lost"), 0) << run.story();
    // What the dead one has said that it had, it may not have acknowledged.
    const int64_t too_many = left.total("received") - left.total("expected");
    EXPECT_GE(too_many, 0) << run.story();
    if (!GetParam().has("commit_interval")) {  // what was not committed comes as if it were new
      EXPECT_LE(too_many, std::max<int64_t>(left.total("redelivered"), 0)) << run.story();
    }
    if (mode == "broadcaster")
      EXPECT_EQ(left.total("received"), 300);
    else  // its own half, and of the other's what came after it was gone
      EXPECT_GT(left.total("received"), 200) << run.story();
    EXPECT_EQ(run.broker.exit, Exit{.code = 1});
    EXPECT_THAT(processes_left(), IsEmpty());
  }
}

// What it has taken by then it has, and the others take the rest.
TEST_P(EachBus, GoesOnWithTheOtherReceiversWhenOneIsStopped) {
  if (!GetParam().can("load-balancer")) return;
  for (const BusWay& way : acknowledged(soon(GetParam()))) {
    SCOPED_TRACE(way.settings);
    BusStage stage(way);
    stage.start_broker("load-balancer", {"--drain-timeout", "5s", "--expect-receivers", "3"});
    Process& leaving = stage.start(receivers(1, {"--telemetry", "20ms", "--service-time", "3ms"}, 1));
    for (int number : {2, 3}) stage.start(receivers(1, {"--service-time", "3ms"}, number));
    stage.start(senders(2, {"--messages", "300", "--delay", "2ms"}));
    wait_for(leaving, "received", 10);
    leaving.signal(SIGTERM);
    const RunEnded run = stage.finish();
    for (int i : {0, 1, 2}) EXPECT_EQ(run.fleets[i].exit, Exit{.code = 0}) << run.story();
    for (int i : {1, 2}) EXPECT_EQ(run.fleets[i].total("received"), run.fleets[i].total("expected")) << run.story();
    EXPECT_EQ(run.sum("receiver", "duplicates"), 0) << run.story();
    EXPECT_EQ(run.sum("sender", "sent"), 600) << run.story();
    EXPECT_EQ(run.sum("receiver", "received"), run.sum("sender", "accepted")) << run.story();
    EXPECT_THAT(check_summaries_equal_logs(run, true), IsEmpty()) << run.story();
  }
}

// All that it counts as replied is with the requesters.
TEST_P(EachBus, SeesItsRepliesOffWhenAReplierIsStopped) {
  if (!GetParam().can("request-reply")) return;
  for (const BusWay& way : acknowledged(GetParam())) {
    SCOPED_TRACE(way.settings);
    BusStage stage(way);
    const std::string from = GetParam().bus->load_balancer ? "one" : "all";
    stage.start_broker("request-reply", {"--drain-timeout", "1s", "--expect-receivers", "2", "--reply-from", from});
    Process& leaving = stage.start(receivers(1, {"--telemetry", "20ms", "--reply-size", "256KiB"}, 1));
    stage.start(receivers(1, {"--reply-size", "256KiB"}, 2));
    stage.start(senders(2, {"--reply-from", from, "--messages", "100", "--delay", "5ms", "--timeout", "5s"}));
    wait_for(leaving, "replies", 10);
    leaving.signal(SIGTERM);
    const RunEnded run = stage.finish();
    EXPECT_EQ(run.fleets[0].exit, Exit{.code = 0}) << run.story();
    const Json& turnaround = run.fleets[2].summary["turnaround"];
    EXPECT_EQ(run.sum("receiver", "replies"),
              count_in(turnaround, "replies") + count_in(turnaround, "late") + count_in(turnaround, "doubles"))
        << run.story();
    // What a server had given it already it has replied to.
    if (!GetParam().direct() && from == "one") {
      EXPECT_EQ(count_in(turnaround, "timeouts"), 0) << run.story();
    }
  }
}

// The end may come while a receiver takes nothing: it hears of it all the same, once it goes on.
TEST_P(EachBus, EndsForAReceiverThatPausesMeanwhile) {
  const std::string token = "0123456789abcdef0123456789abcdef";
  BusStage stage(quiet(GetParam()));
  const std::string file = stage.stage().dir() / "token";
  std::ofstream(file) << token << "\n";
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  stage.start_broker(GetParam().plain_mode(),
                     {"--drain-timeout", "1s", "--expect-receivers", "2", "--token-file", file});
  Process& pausing = stage.stage().start_raw(
      "n2nq-receiver", stage.with_bus({"--broker", stage.stage().address(), "--telemetry", "20ms", "--controlled"}),
      Process::Stdin::pipe);
  const auto tell = [&](const Json& command) { pausing.send_line(command.dump()); };
  tell({{"type", "hello"}, {"token", token}});
  tell({{"type", "start"}});
  Process& other = stage.start(receivers(1, {"--token-file", file}, 2));
  Process& sending =
      stage.start(senders(1, {"--messages", "100000", "--delay", "1ms", "--telemetry", "20ms", "--token-file", file}));
  wait_for(pausing, "received", 1);
  tell({{"type", "pause"}});
  tell({{"type", "ping"}, {"id", 1}});
  await_json(pausing, "pong");
  sending.signal(SIGKILL);
  EXPECT_TRUE(other.wait_exit(20s)) << other.err();  // it was told, and so was the one that pauses
  tell({{"type", "resume"}});
  EXPECT_TRUE(pausing.wait_exit(20s)) << pausing.out() << pausing.err();
  stage.finish();
}

// Sockets that a process has open, as the kernel says.
size_t sockets_of(pid_t pid) {
  size_t sockets = 0;
  std::error_code gone;
  for (const auto& file : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd", gone))
    sockets += std::filesystem::read_symlink(file.path(), gone).string().starts_with("socket:");
  return sockets;
}

// While one is away it has no connection to the bus, and others take what is sent; each message is worked on once.
TEST_P(EachBus, LosesNothingWhereReceiversComeAndGo) {
  if (!GetParam().can("load-balancer") || GetParam().direct()) return;
  // Nobody dies here: a receiver that gets no processor for a while must not be taken for dead, which gives again.
  for (const BusWay& way : acknowledged(GetParam().with("session_timeout", "4s").with("commit_interval", "10ms"))) {
    SCOPED_TRACE(way.settings);
    const std::string token = "0123456789abcdef0123456789abcdef";
    BusStage stage(way.with("quiet", way.has("session_timeout") ? "5s" : "1s"));
    const std::string file = stage.stage().dir() / "token";
    std::ofstream(file) << token << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_read);
    stage.start_broker("load-balancer", {"--drain-timeout", "8s", "--expect-receivers", "3", "--token-file", file});
    Process& coming = stage.stage().start_raw(
        "n2nq-receiver",
        stage.with_bus({"--broker", stage.stage().address(), "--telemetry", "20ms", "--controlled", "--first", "2",
                        "--away", "2", "--service-time", "2ms", "--log-dir", stage.stage().logs()}),
        Process::Stdin::pipe);
    const auto tell = [&](const Json& command) { coming.send_line(command.dump()); };
    tell({{"type", "hello"}, {"token", token}});
    tell({{"type", "start"}});
    const std::jthread lives([&](const std::stop_token& ended) {
      for (; !ended.stop_requested(); std::this_thread::sleep_for(100ms)) tell({{"type", "ping"}});
    });
    // How many it had had when it was away.
    const auto wait_until_away = [&] {
      int64_t had = 0;
      EXPECT_TRUE(coming.wait_line(
          [&](const std::string& text) {
            const auto telemetry = parse_line(text);
            if (!telemetry || telemetry->value("type", "") != "telemetry") return false;
            had = count_in((*telemetry)["totals"], "received");
            return text.contains("\"state\":[6]");
          },
          20s))
          << coming.out().substr(0, 2000) << coming.err();
      return had;
    };
    for (int number : {1, 3}) stage.start(receivers(1, {"--service-time", "2ms", "--token-file", file}, number));
    Process& sending = stage.start(
        senders(1, {"--messages", "1000000", "--delay", "2ms", "--telemetry", "20ms", "--token-file", file}));
    int64_t had = wait_until_away();
    wait_for(sending, "sent", 50);
    // It measures the way to the server over a socket of its own now and then.
    size_t without = sockets_of(coming.pid());
    for (int i = 0; i < 20; ++i, std::this_thread::sleep_for(5ms))
      without = std::min(without, sockets_of(coming.pid()));
    std::vector<std::pair<int64_t, int64_t>> surely_away;
    int64_t since_ns = 0;
    for (int i : {1, 2}) {
      SCOPED_TRACE(i);
      surely_away.emplace_back(since_ns, measure::now_ns());
      tell({{"type", "come"}});
      wait_for(coming, "received", had + 20);
      if (!GetParam().bus->own_queue) {
        EXPECT_GT(sockets_of(coming.pid()), without);
      }
      tell({{"type", "go_away"}});
      had = wait_until_away();
      size_t left = sockets_of(coming.pid());
      for (const Deadline closed(10s); left > without && !closed.passed(); left = sockets_of(coming.pid()))
        std::this_thread::sleep_for(5ms);
      EXPECT_EQ(left, without);
      std::this_thread::sleep_for(100ms);  // what our own queue had sent it is on its way yet
      since_ns = measure::now_ns();
    }
    sending.signal(SIGTERM);
    const RunEnded run = stage.finish();
    const Ended ended = stage.stage().finish_one(coming);
    EXPECT_EQ(ended.exit, Exit{.code = 0}) << run.story() << coming.out();
    const auto all = [&](const char* key) { return run.sum("receiver", key) + ended.total(key); };
    EXPECT_EQ(all("received"), run.sum("sender", "accepted")) << run.story();
    EXPECT_EQ(all("deliveries"), all("received")) << run.story();
    const std::vector<LogRow>& rows = run.receiver_logs.at(2).rows;
    EXPECT_GE(rows.size(), 40u);
    for (const auto& [from_ns, to_ns] : surely_away)
      EXPECT_EQ(std::ranges::count_if(
                    rows, [&](const LogRow& row) { return *row.received_ns > from_ns && *row.received_ns < to_ns; }),
                0);
    EXPECT_THAT(processes_left(), IsEmpty());
  }
}

TEST_P(EachBus, SaysSoWhenItsOnlyReceiverIsKilled) {
  BusStage stage(GetParam());
  stage.start_broker(GetParam().plain_mode(), {"--drain-timeout", "200ms"});
  Process& dying = stage.start(receivers(1, {"--telemetry", "20ms"}));
  stage.start(senders(1, {"--messages", "2000", "--delay", "1ms"}));
  wait_for(dying, "received", 5);
  dying.signal(SIGKILL);
  const RunEnded run = stage.finish();
  // A server goes on taking messages that nobody gets; one that keeps none and answers says so.
  const bus::BusTraits& bus = *GetParam().bus;
  if (bus.server.empty()) {
    EXPECT_THAT(run.fleets[1].exit->code, testing::Gt(0)) << run.story();
  } else if (bus.answers && !bus.tells_again && bus.kept == "memory") {
    EXPECT_THAT(run.fleets[1].err, HasSubstr("went to nobody"));
  }
  EXPECT_EQ(run.broker.summary["verdict"], "incomplete");
  EXPECT_EQ(run.broker.exit, Exit{.code = 1});
}

// Nobody knows how much the dead sender had sent: receivers end when nothing has come for a while.
TEST_P(EachBus, EndsWhenASenderIsKilled) {
  for (const std::string mode : kPlainModes) {
    if (!GetParam().can(mode)) continue;
    SCOPED_TRACE(mode);
    BusStage stage(quiet(GetParam()));
    stage.start_broker(mode, {"--drain-timeout", "1s", "--expect-senders", "2"});
    stage.start(receivers(2));
    Process& dying = stage.start(senders(1, {"--messages", "100000", "--delay", "1ms", "--telemetry", "20ms"}, 1));
    stage.start(senders(1, {"--messages", "100", "--delay", "1ms"}, 2));
    wait_for(dying, "sent", 20);
    dying.signal(SIGKILL);
    const RunEnded run = stage.finish();
    EXPECT_EQ(run.fleets[2].exit, Exit{.code = 0}) << run.story();
    std::set<uint64_t> of_the_other;
    for (const auto& [number, log] : run.receiver_logs)
      for (const auto& row : log.rows)
        if (row.sender == 2) of_the_other.insert(row.index);
    EXPECT_EQ(of_the_other.size(), 100U) << run.story();
    EXPECT_NE(run.fleets[0].exit, std::nullopt) << run.story();
    if (GetParam().bus->own_queue) continue;
    EXPECT_THAT(run.fleets[0].summary.value("reason", ""), HasSubstr("nobody knows how many messages were to come"))
        << run.story();
    EXPECT_THAT(processes_left(), IsEmpty());
  }
}

TEST_P(EachBus, RefusesAModeThatItHasNot) {
  for (const std::string mode : {"broadcaster", "load-balancer", "request-reply"}) {
    if (GetParam().can(mode)) continue;
    BusStage stage(GetParam());
    stage.start_broker(mode);
    const Options replies{"--reply-size", "50B"};
    Process& receiving = stage.start(receivers(1, std::string(mode) == "request-reply" ? replies : Options()));
    EXPECT_TRUE(receiving.wait_err("has no mode in which", 10s)) << receiving.err();
    receiving.signal(SIGTERM);
    stage.stage().broker().signal(SIGTERM);
    stage.finish();
  }
}

TEST_P(EachBus, RefusesSettingsThatContradictEachOther) {
  if (!GetParam().has("tls_key") || !GetParam().direct()) return;
  const std::pair<const char*, const char*> kWrong[] = {
      {"tls_key=/k", "set bus.tls to true"},
      {"tls=true;tls_ca=/c", "bus.tls_ca: cannot read the certificates in /c: no such file"},
      {"tls=true;tls_key=/k", "give bus.tls_certificate too"},
      {"tls=true;tls_certificate=/c", "give bus.tls_key too"},
      {"tls=true;tls_certificate=/nowhere.pem;tls_key=/nowhere.pem", "cannot use the certificate /nowhere.pem"},
  };
  for (const auto& [settings, text] : kWrong) {
    SCOPED_TRACE(settings);
    BusWay way = GetParam();
    way.settings = settings;
    BusStage stage(way);
    stage.start_broker("load-balancer");
    Process& receiving = stage.start(receivers(1));
    EXPECT_TRUE(receiving.wait_err(text, 10s)) << receiving.err();
    EXPECT_THAT(receiving.wait_exit(10s)->code, AnyOf(3, 4)) << receiving.err();
    stage.stage().broker().signal(SIGTERM);
    stage.finish();
  }
}

TEST_P(EachBus, SaysThatSendersAndReceiversWereGivenDifferentSettings) {
  if (!GetParam().has("tls_key") || !GetParam().direct()) return;
  BusStage stage(GetParam());
  stage.start_broker("load-balancer", {"--drain-timeout", "200ms"});
  stage.start(receivers(1));
  Fleet other = senders(1, {"--messages", "1", "--bus", std::string(GetParam().bus->kind), "--bus-set", "tls=true"});
  Process& sending = stage.stage().start(other);
  EXPECT_TRUE(sending.wait_err("give senders and receivers the same --bus and --bus-set", 10s)) << sending.err();
  EXPECT_THAT(sending.wait_exit(10s)->code, AnyOf(3, 4));
  stage.stage().broker().signal(SIGTERM);
  stage.finish();
}

// The second of them answers nobody. Kafka's client takes any of a list.
TEST_P(EachBus, MeasuresTheNetworkToTheServerWhereItsFirstServiceBegins) {
  const bus::BusTraits& bus = *GetParam().bus;
  if (!bus.cluster || bus.spreads || bus.any_order) return;
  const Options both{"--bus", std::string(bus.kind), "--bus-set",
                     "address=" + shared_server(bus.server).address() + ",192.0.2.1:1"};
  BusStage stage(GetParam());
  stage.start_broker("load-balancer");
  Options sending{"--messages", "20", "--delay", "10ms"};
  sending.insert(sending.end(), both.begin(), both.end());
  stage.stage().start(receivers(1, both, 2));
  stage.stage().start(senders(1, sending, 2));
  const RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  for (const FleetEnded& fleet : run.fleets)
    EXPECT_GT(fleet.summary["round_trips"]["network_ns"]["count"], 0) << run.story();
}

// As the kernel has the sockets of either side then; of buffers it makes twice as much.
TEST_P(EachWay, HasItsConnectionsAsTheyAreAskedFor) {
  if (GetParam().settings.find("fresh") != std::string::npos) return;  // it has none when it begins
  const Options asked{
      "--tcp-congestion", "reno", "--tcp-nagle", "--tcp-send-buffer", "20KiB", "--tcp-receive-buffer", "30KiB",
      "--telemetry",      "100ms"};
  Options sending{"--messages", "20", "--delay", "1ms"};
  sending.insert(sending.end(), asked.begin(), asked.end());
  BusStage stage(GetParam());
  stage.start_broker(GetParam().plain_mode());
  Process* const both[] = {&stage.start(receivers(1, asked)), &stage.start(senders(1, sending))};
  const RunEnded run = stage.finish();
  ASSERT_TRUE(run.all_ended_with(0)) << run.story();
  for (Process* worker : both) {
    const auto is_begin = [](const std::string& line) { return is_type(line, "begin"); };
    const auto lines = worker->out_lines();
    const auto begin = std::ranges::find_if(lines, is_begin);
    ASSERT_NE(begin, lines.end()) << worker->out();
    const Json facts = parse_line(*begin)->value("bus", Json::object());
    EXPECT_EQ(facts.value("congestion_control", ""), "reno") << facts;
    EXPECT_EQ(facts.value("send_buffer_bytes", 0), 40'960) << facts;
    EXPECT_EQ(facts.value("receive_buffer_bytes", 0), 61'440) << facts;
    if (!GetParam().has("no_delay")) {
      EXPECT_FALSE(facts.value("nodelay", true)) << facts;
    }
  }
}

// Acknowledged once they are worked on, messages go to whoever is free, where a receiver is given one at a time: nobody
// has a second one while it works on one that takes long.
TEST_P(EachBus, GivesTheNextToWhoeverIsFreeWhereItIsAcknowledgedAfterService) {
  const BusWay way = GetParam().with("acknowledge_after", "service").with("fetch", "1").with("prefetch", "1");
  if (!way.has("fetch") && !way.has("prefetch")) return;
  if (!way.has("acknowledge_after")) return;
  BusStage stage(way);
  stage.start_broker("load-balancer", {"--drain-timeout", "5s", "--expect-senders", "2"});
  stage.start(receivers(2, {"--service-time", "fixed:1us+1ms/1KiB"}));
  stage.start(senders(1, {"--messages", "1", "--size", "1500KiB"}, 1));
  stage.start(senders(1, {"--messages", "100", "--size", "1B", "--delay", "3ms"}, 2));
  const RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.sum("receiver", "received"), 101) << run.story();
  EXPECT_EQ(run.sum("receiver", "redelivered"), 0) << run.story();
  size_t largest = 0;
  for (const auto& [number, log] : run.receiver_logs) {
    int64_t busy_until_ns = 0;
    for (const LogRow& row : log.rows) {
      EXPECT_GE(*row.received_ns, busy_until_ns) << "receiver " << number;
      if (row.sender != 1) continue;
      largest++;
      busy_until_ns = *row.received_ns + 1'500'000'000;
    }
  }
  EXPECT_EQ(largest, 1u);
  EXPECT_THAT(processes_left(), IsEmpty());
}

// Who has most to work on is left behind by the others: all is worked on once.
TEST_P(EachBus, WorksOnAllOfItOnceWhereItIsAcknowledgedAfterService) {
  const BusWay way = soon(GetParam()).with("acknowledge_after", "service").with("keys", "uniform");
  if (!way.has("acknowledge_after")) return;
  BusStage stage(way);
  stage.start_broker("load-balancer", {"--drain-timeout", "5s", "--expect-receivers", "3"});
  stage.start(receivers(1, {"--service-time", "10us"}, 1));
  stage.start(receivers(2, {"--service-time", "20ms"}, 2));
  stage.start(senders(1, {"--messages", "150", "--delay", "1ms"}));
  const RunEnded run = stage.finish();
  EXPECT_TRUE(run.all_ended_with(0)) << run.story();
  EXPECT_EQ(run.sum("receiver", "received"), 150) << run.story();
  EXPECT_EQ(run.sum("receiver", "deliveries"), 150) << run.story();
  int64_t served = 0;
  for (const FleetEnded& fleet : run.fleets)
    served += std::max<int64_t>(0, count_in(fleet.summary.value("service", Json::object()), "served"));
  EXPECT_EQ(served, 150) << run.story();
  EXPECT_THAT(processes_left(), IsEmpty());
}

// One that is killed before it has worked on anything takes nothing with it.
TEST_P(EachBus, LosesNothingThatAKilledReceiverWasToWorkOnWhereItIsAcknowledgedAfterService) {
  const BusWay way = soon(GetParam()).with("acknowledge_after", "service").with("take_over", "1s").with("quiet", "5s");
  if (!way.has("acknowledge_after")) return;
  BusStage stage(way);
  stage.start_broker("load-balancer", {"--drain-timeout", "8s", "--expect-receivers", "2"});
  Process& dying = stage.start(receivers(1, {"--telemetry", "20ms", "--service-time", "1h"}, 1));
  stage.start(receivers(1, {"--service-time", "100us"}, 2));
  stage.start(senders(1, {"--messages", "300", "--delay", "2ms"}));
  wait_for(dying, "received", 1);
  dying.signal(SIGKILL);
  const RunEnded run = stage.finish();
  EXPECT_EQ(run.fleets[1].total("received"), 300) << run.story();
  EXPECT_EQ(run.fleets[1].exit, Exit{.code = 0}) << run.story();
  EXPECT_THAT(processes_left(), IsEmpty());
}

class LeftOut : public AnyBus {};

TEST_P(LeftOut, EndsItsWorkersAtOnceWithWhatToBuildThemWith) {
  for (const char* const name : {"n2nq-receiver", "n2nq-sender"}) {
    Stage stage;
    Process& worker = stage.start_raw(name, {"--broker", "127.0.0.1:1", "--bus", std::string(GetParam().bus->kind)});
    EXPECT_EQ(worker.wait_exit(10s)->code, 3) << name;
    EXPECT_THAT(worker.err(), HasSubstr("this program was built without " + std::string(GetParam().bus->title) +
                                        "; build it with -DN2NQ_BUS"));
  }
}

INSTANTIATE_TEST_SUITE_P(Buses, EachWay, testing::ValuesIn(all_bus_ways()), test_name);
INSTANTIATE_TEST_SUITE_P(Buses, EachBus, testing::ValuesIn(plain_bus_ways()), test_name);
// The preset core leaves all out, most others none.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LeftOut);
INSTANTIATE_TEST_SUITE_P(Buses, LeftOut, testing::ValuesIn(left_out_bus_ways()), test_name);

}  // namespace
}  // namespace n2nq::test
