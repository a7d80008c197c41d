// NATS as a bus: against the real server, which counts by itself, and against one that does things wrong.
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/fake_nats.h"
#include "tests/helpers/fake_redis.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/nats/nats_op.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kSubject = "n2nq.00000000000000ab";

enum class Who { all, one, requesters };

BusOptions nats_at(const std::string& address, Who who = Who::all) {
  return {.kind = "nats",
          .settings = {{"address", address}},
          .run_id = 0xab,
          .replies = who == Who::requesters,
          .to_all = who == Who::all};
}

TEST(Nats, PassesOnToAllAsTheServerCounts) {
  NatsServer server;
  const int none = server.ask("subsz")["num_subscriptions"].get<int>();
  BusRig rig(nats_at(server.address()));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(server.ask("subsz")["num_subscriptions"].get<int>(), none + 2);
  const Json before = server.ask("varz");
  const std::vector<std::string> sent{"a", "", "\r\nMSG", std::string(100'000, 'd')};
  ASSERT_EQ(rig.send(7, sent), 4u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 8; }));
  EXPECT_EQ(payloads_of(rig.heard(first)), sent);
  EXPECT_EQ(payloads_of(rig.heard(second)), sent);
  rig.call([&] {
    rig.outlet(7).finish();
    rig.inlet(1).finish();
    rig.inlet(2).finish();
  });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed && first.heard.closed && second.heard.closed; }));
  const Json after = server.ask("varz");
  EXPECT_EQ(after["in_msgs"].get<int>() - before["in_msgs"].get<int>(), 4);
  EXPECT_EQ(after["out_msgs"].get<int>() - before["out_msgs"].get<int>(), 8);
  EXPECT_EQ(after["in_bytes"].get<int>() - before["in_bytes"].get<int>(), 100'006 + 4 * 40);
  EXPECT_EQ(after["connections"], 0);
  EXPECT_EQ(rig.heard(sender).accepted, 0u) << "it answers for nothing";
  EXPECT_EQ(rig.server(), "nats-server " + after["version"].get<std::string>());
  for (const Service* one : {&first, &second, &sender}) {
    EXPECT_THAT(rig.heard(*one).told, IsEmpty());
    EXPECT_THAT(rig.heard(*one).lost, IsEmpty());
  }
}

TEST(Nats, GivesEachToOneOfAGroup) {
  NatsServer server;
  BusRig rig(nats_at(server.address(), Who::one));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(200, "x")), 200u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 200; }));
  EXPECT_GT(rig.heard(first).frames.size(), 20u);
  EXPECT_GT(rig.heard(second).frames.size(), 20u);
  EXPECT_EQ(server.ask("varz")["out_msgs"], 200);
}

TEST(Nats, BringsARequestToOneAndItsReplyToItsRequester) {
  BusRig rig(nats_at(shared_server("nats").address(), Who::requesters));
  Service& replier = rig.receiver(1);
  Service& asking = rig.sender(7, {});
  Service& other = rig.sender(8, {});
  ASSERT_TRUE(rig.wait([&] { return asking.heard.ready && other.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"question"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return replier.heard.frames.size() == 1; }));
  rig.call([&] { EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 1, 1, "answer"))); });
  ASSERT_TRUE(rig.wait([&] { return asking.heard.frames.size() == 1; }));
  EXPECT_EQ(payloads_of(rig.heard(asking)), std::vector<std::string>{"answer"});
  rig.call([&] { EXPECT_TRUE(rig.inlet(1).reply(message_frame(7, 1, "no reply"))); });  // goes to requester 7
  ASSERT_TRUE(rig.wait([&] { return asking.heard.told.size() == 1; }));
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return asking.heard.closed; }));
  EXPECT_THAT(rig.heard(other).frames, IsEmpty());
}

// All that the server had given it by then, and nothing after it.
TEST(Nats, TakesWhatIsOnItsWayBeforeItLeaves) {
  NatsServer server;
  BusRig rig(nats_at(server.address(), Who::one));
  Service& receiver = rig.receiver(1, /*wants=*/false);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(50, std::string(1000, 'x'))), 50u);
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed; })) << "the server has all";
  EXPECT_EQ(server.ask("varz")["out_msgs"], 50);
  rig.call([&] { rig.inlet(1).finish(); });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.closed; }));
  EXPECT_THAT(rig.heard(receiver).frames, SizeIs(50));
}

TEST(Nats, LeavesOutWhatAStrangerPublishes) {
  NatsServer server;
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  RawClient stranger("http://" + server.address() + "/receiver/1");
  for (int i = 0; i < 2; i++) stranger.send("PUB " + kSubject + " 5\r\nhello\r\n");
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready && !receiver.heard.told.empty(); }));
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  ASSERT_THAT(rig.heard(receiver).told, SizeIs(1));
  EXPECT_THAT(rig.heard(receiver).told.front(), HasSubstr("no message of this run"));
}

// Where somebody else is the slow one, the server says nothing and closes.
TEST(Nats, SaysThatItWasCutOffForBeingBehind) {
  NatsServer server("max_pending: 1048576\nmax_payload: 1048576");
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { receiver.wants = false; });
  for (int i = 0; server.ask("varz")["slow_consumers"] == 0 && i < 200; i++) {
    ASSERT_TRUE(rig.wait([&] { return rig.send(7, {std::string(900'000, 'x')}) == 1 || true; }));
  }
  rig.call([&] {
    receiver.wants = true;
    rig.inlet(1).read_on();
  });
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr("max_pending"));
}

// It has sent nothing, so nothing is to be waited for.
TEST(Nats, ClosesAtOnceWhereItIsFinishedBeforeItIsReady) {
  const FakeRedis silent({.says_nothing = true});
  for (const char* kind : {"nats", "jetstream", "redis-pubsub", "redis-streams"}) {
    SCOPED_TRACE(kind);
    BusRig rig({.kind = kind, .settings = {{"address", silent.address()}}, .run_id = 0xab, .to_all = true});
    Service& sender = rig.sender(7, {});
    rig.call([&] { rig.outlet(7).finish(); });
    EXPECT_TRUE(rig.wait([&] { return sender.heard.closed; }, 3s));
    EXPECT_THAT(rig.heard(sender).lost, IsEmpty());
  }
}

// As a PING now and then is answered.
TEST(Nats, WaitsForAServerThatReadsSlowly) {
  NatsServer server;
  BusRig rig(nats_at(server.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const Json before = server.ask("varz");
  const std::string large(900'000, 'x');
  for (int sent = 0; sent < 4;) sent += static_cast<int>(rig.send(7, {large}));
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  EXPECT_EQ(server.ask("varz")["in_msgs"].get<int>() - before["in_msgs"].get<int>(), 4);
}

TEST(Nats, SaysThatItsServerIsGone) {
  NatsServer server;
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  server.process().signal(SIGKILL);
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty() && !sender.heard.lost.empty(); }));
  for (const Service* one : {&receiver, &sender}) {
    const Loss loss = rig.heard(*one).lost.front();
    EXPECT_EQ(loss.kind, Loss::Kind::broker_gone);
    EXPECT_THAT(loss.text, HasSubstr("the connection to the NATS server at " + server.address() + " has ended"));
  }
}

TEST(Nats, SendsNoMessageThatItsServerDoesNotTake) {
  NatsServer server("max_payload: 1000");
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(rig.send(7, {std::string(960, 'x'), std::string(961, 'x'), "x"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty() && receiver.heard.frames.size() == 1; }));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("takes no message above 1000 B, with our header of 40 B"));
}

// With all its threads, of which some may run for a moment yet.
void stop(Process& process) {
  process.signal(SIGSTOP);
  const auto runs = [&] {
    for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(process.pid()) + "/task")) {
      std::ifstream in(task.path() / "stat");
      std::string stat;
      std::getline(in, stat);
      if (stat.find(") T ") == std::string::npos) return true;
    }
    return false;
  };
  for (const Deadline until = 10s; runs() && !until.passed();) {
  }
}

TEST(Nats, IsLostWhereTheServerHangsAtTheEnd) {
  NatsServer server;
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  stop(server.process());
  EXPECT_EQ(rig.send(7, {"a"}), 1u);
  rig.call([&] {
    rig.outlet(7).finish();
    rig.inlet(1).finish();
  });
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty() && receiver.heard.closed; }, 20s));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("has answered nothing for 5s and owes an answer"));
}

TEST(Nats, SaysWhatItMayNotDo) {
  const NatsServer server(
      "no_auth_user: a\nauthorization { users: [{user: a, password: b, permissions: {publish: \"x\"}}] }");
  BusRig rig(nats_at(server.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("Permissions Violation for Publish"));
}

TEST(Nats, SaysWhatIsWrongWithItsServer) {
  const std::string info = R"(INFO {"version":"2.9.10","max_payload":1048576})";
  const std::pair<std::string, const char*> kGreetings[] = {
      {"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak as one: \"HTTP/1.1 400 Bad Request....\""},
      {"$-1\r\n", "does not speak as one"},
      {"INFO " + std::string(60'000, '[') + "\r\n", "does not speak as one"},
      {"PONG\r\n", "does not speak as one: \"PONG..\""},
      {"MSG a 1 0\r\n\r\n", "does not speak as one"},
      {"INFO nonsense\r\n", "does not speak as one"},
      {"INFO []\r\n", "does not speak as one"},
      {"INFO {}\r\n", "does not speak as one"},
      {R"(INFO {"version":7})"
       "\r\n",
       "does not speak as one"},
      {"INFO " + std::string(70'000, ' '), "does not speak as one"},
      {R"(INFO {"version":"2.9.10","tls_required":true})"
       "\r\n",
       "speaks TLS; set bus.tls to true"},
      {info + "\r\n-ERR 'maximum connections exceeded'\r\n", "raise its max_connections"},
      {info + "\r\n-ERR 'EVIL \x1b[2J'\r\n", "says \"EVIL .[2J\": see its log"},
      {R"(INFO {"version":"2.9.10","max_payload":-1})"
       "\r\n",
       "it is ready"},
      {R"(INFO {"version":"\u001b[31m"})"
       "\r\n",
       "it is ready"},
      {info + "\r\nPING\r\n+OK\r\n", "does not speak as one: \"+OK..\""},
      {info + "\r\nPING\r\n", "it is ready"},
  };
  for (const auto& [greeting, text] : kGreetings) {
    SCOPED_TRACE(greeting.substr(0, 80));
    const FakeNats server({.greeting = greeting});
    EXPECT_THAT(loss_of(nats_at(server.address())), HasSubstr(text));
  }
  const FakeNats silent({.greeting = ""});
  EXPECT_THAT(loss_of(nats_at(silent.address())), HasSubstr("takes connections and has answered nothing"));
}

// Its cluster changes while it is greeted: no second login, whose PONG would be taken for another.
TEST(Nats, LogsInOnce) {
  const std::string info = R"(INFO {"version":"2.9.10"})"
                           "\r\n";
  const FakeNats server({.greeting = info + info, .answers = {{"SUB", {"PING\r\n"}}}});
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  EXPECT_TRUE(rig.heard(receiver).ready);
  EXPECT_EQ(server.operations("CONNECT"), 1);
}

TEST(Nats, GoesOnWithWhatAServerSaysByItself) {
  const FakeNats server({.answers = {{"SUB", {"INFO {\"ldm\":true}\r\nPING\r\n+OK\r\n"}}}});
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  EXPECT_THAT(rig.heard(receiver).lost, IsEmpty());
}

// To one of a group the server deals from its subscription on.
TEST(Nats, HandsOverWhatComesBeforeItIsReady) {
  const auto frame = message_frame(7, 1, "early");
  const std::string message(frame.begin(), frame.end());
  const FakeNats server(
      {.answers = {{"SUB", {"MSG a 1 " + std::to_string(message.size()) + "\r\n" + message + "\r\n"}}}});
  BusRig rig(nats_at(server.address()));
  Service& receiver = rig.receiver(1);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  EXPECT_EQ(payloads_of(rig.heard(receiver)), std::vector<std::string>{"early"});
  EXPECT_THAT(rig.heard(receiver).told, IsEmpty());
}

TEST(Nats, EndsWhereAMessageIsNone) {
  const std::string kWrong[] = {"MSG\r\n",
                                "MSG a 1\r\n",
                                "MSG a 1 x\r\n",
                                "MSG a 1 -1\r\n",
                                "MSG a b c d 1\r\n",
                                "MSG  1\r\n",
                                "MSG a 1 99999999999\r\n",
                                "MSG a 1 18446744073709551615\r\n",
                                "MSG a 1 18446744073709551616\r\n",
                                "HMSG a 1 18446744073709551615 18446744073709551615\r\n",
                                "MSG a 1 2\r\nabc\r\n",
                                "HMSG a 1 13 12\r\n",
                                "HMSG a 1 12\r\n",
                                "HMSG a b 1 x 12\r\n",
                                "PUB a 0\r\n\r\n",
                                "\r\n"};
  for (const std::string& wrong : kWrong) {
    SCOPED_TRACE(wrong);
    const FakeNats server({.answers = {{"UNSUB", {wrong}}, {"SUB", {"PONG\r\n" + wrong}}}});
    BusRig rig(nats_at(server.address()));
    Service& receiver = rig.receiver(1);
    ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
    EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr("does not speak as one"));
  }
}

}  // namespace
}  // namespace n2nq::bus::test
