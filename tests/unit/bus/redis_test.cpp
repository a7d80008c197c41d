// Redis as a bus: against the real server, which counts by itself, and against one that does things wrong.
#include <signal.h>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/fake_redis.h"
#include "tests/unit/bus/bus_rig.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kChannel = "n2nq.00000000000000ab";

BusOptions at(const std::string& address, const std::string& window = "1000") {
  return {
      .kind = "redis-pubsub", .settings = {{"address", address}, {"window", window}}, .run_id = 0xab, .to_all = true};
}

TEST(RedisPubSub, PassesOnToAllAsTheServerCounts) {
  RedisServer server;
  BusRig rig(at(server.address()));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(server.ask({"PUBSUB", "NUMSUB", kChannel}), kChannel + "\n2");
  const std::vector<std::string> sent{"a", "", "\r\n$", std::string(100'000, 'd')};
  ASSERT_EQ(rig.send(7, sent), 4u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 8; }));
  EXPECT_EQ(payloads_of(rig.heard(first)), sent);
  EXPECT_EQ(payloads_of(rig.heard(second)), sent);
  EXPECT_TRUE(rig.wait([&] { return sender.heard.accepted == 4; }));
  EXPECT_EQ(server.calls("publish"), 4);
  rig.call([&] {
    rig.outlet(7).finish();
    rig.inlet(1).finish();
    rig.inlet(2).finish();
  });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed && first.heard.closed && second.heard.closed; }));
  EXPECT_EQ(server.ask({"PUBSUB", "CHANNELS"}), "");
  EXPECT_EQ(server.ask({"DBSIZE"}), "0");
  for (const Service* one : {&first, &second, &sender}) {
    EXPECT_THAT(rig.heard(*one).told, IsEmpty());
    EXPECT_THAT(rig.heard(*one).lost, IsEmpty());
  }
}

TEST(RedisPubSub, SaysWhichServerItIsAsTheServerDoes) {
  RedisServer server;
  BusRig rig(at(server.address()));
  Service& first = rig.sender(7, {});
  Service& second = rig.sender(8, {});
  ASSERT_TRUE(rig.wait([&] { return first.heard.ready && second.heard.ready; }));
  const std::string info = server.ask({"INFO", "server"});
  ASSERT_TRUE(rig.server().starts_with("redis-server ")) << rig.server();
  EXPECT_THAT(info, HasSubstr("redis_version:" + rig.server().substr(13) + "\r"));
  EXPECT_EQ(server.calls("info"), 2) << "by the first of the loop, and by this test";
}

TEST(RedisPubSub, DoesNotNeedToKnowWhichServerItIs) {
  const auto bulk = [](const std::string& text) { return "$" + std::to_string(text.size()) + "\r\n" + text + "\r\n"; };
  for (const auto& [answer, server] : std::map<std::string, std::string>{
           {bulk("# Server\r\nredis_version:6.2.1\r\nredis_mode:standalone\r\n"), "redis-server 6.2.1"},
           {bulk("redis_version:7.2.4\r\nvalkey_version:8.0.1\r\n"), "valkey-server 8.0.1"},
           {bulk("redis_version:7"), "redis-server 7"},
           {bulk(""), ""},
           {bulk("redis_version:"), ""},
           {bulk("redis_version:\x1b[31m7.0\r\n"), ""},
           {bulk("redis_version:" + std::string(41, '1')), ""},
           {bulk(std::string(70'000, '\n') + "redis_version:7.0.1\r\n"), ""},
           {"-NOPERM this user has no permissions to run the 'info' command\r\n", ""},
           {":7\r\n", ""},
           {"+OK\r\n", ""},
           {"$-1\r\n", ""}}) {
    SCOPED_TRACE(answer.substr(0, 60));
    FakeRedis fake({.answers = {{"INFO", {answer}}}});
    BusRig rig(at(fake.address()));
    Service& sender = rig.sender(7, {});
    EXPECT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    EXPECT_EQ(rig.server(), server);
    EXPECT_THAT(rig.heard(sender).lost, IsEmpty());
  }
  for (const bool silent : {false, true}) {
    SCOPED_TRACE(silent ? "silent" : "closes");
    FakeRedis fake({.says_nothing_to = silent ? "INFO" : "", .ends_at = silent ? "" : "INFO"});
    BusRig rig(at(fake.address()));
    Service& sender = rig.sender(7, {});
    EXPECT_TRUE(rig.wait([&] { return sender.heard.ready || !sender.heard.lost.empty(); }, 30s));
    EXPECT_TRUE(rig.heard(sender).ready);
    EXPECT_EQ(rig.server(), "");
  }
  FakeRedis fake({.answers = {{"INFO", {"*1\r\n:1\r\n"}}}});
  EXPECT_THAT(loss_of(at(fake.address())), HasSubstr("answers INFO with an array of 1, which Redis does not"));
}

TEST(RedisPubSub, HasAsManyUnansweredAsItsProfileSays) {
  const std::string address = shared_server("redis").address();
  for (const char* kind : {"redis-pubsub", "redis-streams"})
    for (const auto& [settings, unanswered] :
         std::map<std::map<std::string, std::string>, size_t>{{{}, 1'000},
                                                              {{{"profile", "as-shipped"}}, 1'000},
                                                              {{{"profile", "latency"}}, 100},
                                                              {{{"profile", "throughput"}}, 10'000},
                                                              {{{"profile", "throughput"}, {"window", "7"}}, 7}}) {
      SCOPED_TRACE(kind + std::string(" ") + std::to_string(unanswered));
      BusOptions options{.kind = kind, .settings = settings, .run_id = 0xac, .to_all = true};
      options.settings["address"] = address;
      BusRig rig(options);
      Service& receiver = rig.receiver(1);
      Service& sender = rig.sender(7, {});
      ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
      EXPECT_EQ(rig.send(7, std::vector<std::string>(20'000)), unanswered);
      EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == unanswered; }));
      rig.call([&] {
        rig.outlet(7).finish();
        rig.inlet(1).finish();
      });
      EXPECT_TRUE(rig.wait([&] { return sender.heard.closed && receiver.heard.closed; }));
    }
}

TEST(RedisPubSub, HasNoMoreUnansweredThanItsWindow) {
  BusRig rig(at(shared_server("redis").address(), "2"));
  rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(rig.send(7, {"a", "b", "c"}), 2u);
  EXPECT_TRUE(rig.wait([&] { return sender.heard.writable == 1; }));
  EXPECT_EQ(sender.heard.accepted, 2u);
}

TEST(RedisPubSub, SaysOnceThatAMessageWentToNobody) {
  BusRig rig(at(shared_server("redis").address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.send(7, {"a", "b"});
  EXPECT_TRUE(rig.wait([&] { return sender.heard.accepted == 2; }));
  ASSERT_THAT(rig.heard(sender).told, SizeIs(1));
  EXPECT_THAT(rig.heard(sender).told.front(), HasSubstr("message 1 went to nobody"));
}

TEST(RedisPubSub, LeavesOutWhatAStrangerPublishes) {
  RedisServer server;
  BusRig rig(at(server.address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  for (int i = 0; i < 2; i++) EXPECT_EQ(server.ask({"PUBLISH", kChannel, "hello"}), "1");
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  ASSERT_THAT(rig.heard(receiver).told, SizeIs(1));
  EXPECT_THAT(rig.heard(receiver).told.front(), HasSubstr("no message of this run"));
}

TEST(RedisPubSub, LeavesMessagesAtTheServerWhileItWantsNone) {
  RedisServer server;
  BusRig rig(at(server.address()));
  Service& receiver = rig.receiver(1, /*wants=*/false);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const std::vector<std::string> large(8, std::string(900'000, 'x'));
  size_t taken = 0;
  while (taken < large.size()) {
    taken += rig.send(7, {large[taken]});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == taken; }));
  }
  EXPECT_THAT(rig.heard(receiver).frames, IsEmpty());
  rig.call([&] {
    receiver.wants = true;
    rig.inlet(1).read_on();
  });
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == large.size(); }));
}

TEST(RedisPubSub, SaysThatItWasCutOffForBeingBehind) {
  RedisServer server({"--client-output-buffer-limit", "pubsub 1mb 0 0"});
  BusRig rig(at(server.address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { receiver.wants = false; });
  for (uint64_t i = 1; sender.heard.told.empty() && i < 100; i++) {  // until nobody is subscribed any more
    rig.send(7, {std::string(900'000, 'x')});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == i; }));
  }
  rig.call([&] {
    receiver.wants = true;
    rig.inlet(1).read_on();
  });
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr("client-output-buffer-limit"));
}

TEST(RedisPubSub, SaysThatItsServerIsGone) {
  RedisServer server;
  BusRig rig(at(server.address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  server.process().signal(SIGKILL);
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty() && !sender.heard.lost.empty(); }));
  for (const Service* one : {&receiver, &sender}) {
    const Loss loss = rig.heard(*one).lost.front();
    EXPECT_EQ(loss.kind, Loss::Kind::broker_gone);
    EXPECT_THAT(loss.text, HasSubstr("the connection to the Redis server at " + server.address() + " has ended"));
  }
}

TEST(RedisPubSub, GoesOnWithAServerThatWasStoppedForAWhile) {
  RedisServer server;
  BusRig rig(at(server.address(), "2"));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  server.process().signal(SIGSTOP);
  EXPECT_EQ(rig.send(7, {"a", "b", "c"}), 2u);
  EXPECT_EQ(rig.send(7, {"c"}), 0u) << "two are unanswered";
  rig.note([&] { EXPECT_EQ(sender.heard.accepted, 0u); });
  server.process().signal(SIGCONT);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.writable == 1; }));
  EXPECT_EQ(rig.send(7, {"c"}), 1u);
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 3 && sender.heard.accepted == 3; }));
  for (const Service* one : {&receiver, &sender}) EXPECT_THAT(rig.heard(*one).lost, IsEmpty());
}

TEST(RedisPubSub, IsLostWhereTheServerOwesAnswersAtTheEndAndGivesNone) {
  RedisServer server;
  BusRig rig(at(server.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  server.process().signal(SIGSTOP);
  EXPECT_EQ(rig.send(7, {"a", "b"}), 2u);
  EXPECT_TRUE(rig.wait([&] { return !sender.heard.told.empty(); }, 20s));
  rig.note(
      [&] { EXPECT_THAT(sender.heard.told.front(), HasSubstr("has answered nothing for 5s and owes 2 answers")); });
  rig.call([&] { rig.outlet(7).finish(); });
  EXPECT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }, 20s));
}

// Of eight messages that are out at once; what comes behind a refusal has its own answer.
TEST(RedisPubSub, EndsAfterARefusalOnceAllIsAnswered) {
  const std::string no = "-OOM command not allowed when used memory > 'maxmemory'.\r\n", yes = ":0\r\n";
  const FakeRedis server({.answers = {{"PUBLISH", {yes, no, no, yes, yes, no, yes}}}});
  BusRig rig(at(server.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(rig.send(7, {"1", "2", "3", "4", "5", "6", "7", "8"}), 8u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  const Heard heard = rig.heard(sender);
  EXPECT_EQ(heard.accepted, 5u);
  EXPECT_EQ(heard.refused, 3);
  EXPECT_EQ(heard.writable, 0);
  EXPECT_THAT(heard.lost.front().text, HasSubstr("its memory is used up"));
  using Fate = wire::Tally::Fate;
  rig.call([&] {
    EXPECT_EQ(rig.outlet(7).unanswered(),
              (std::vector<wire::Tally::Stretch>{{.first = 2, .last = 3, .fate = Fate::refused},
                                                 {.first = 6, .last = 6, .fate = Fate::refused}}));
  });
}

TEST(RedisPubSub, HasAcceptedWhatTheSameReadSaidBeforeNonsense) {
  const FakeRedis server({.answers = {{"PUBLISH", {":0\r\n:0\r\n+what?\r\n"}}}, .answers_no_more_after = 1});
  BusRig rig(at(server.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(rig.send(7, {"1", "2", "3"}), 3u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_EQ(rig.heard(sender).accepted, 2u);
}

TEST(RedisPubSub, KnowsWhatGotNoAnswer) {
  const FakeRedis server({.answers_no_more_after = 3, .ends_after = 5});
  BusRig rig(at(server.address()));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(rig.send(7, {"1", "2", "3", "4", "5"}), 5u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_EQ(rig.heard(sender).accepted, 3u);
  rig.call(
      [&] { EXPECT_EQ(rig.outlet(7).unanswered(), (std::vector<wire::Tally::Stretch>{{.first = 4, .last = 5}})); });
}

TEST(RedisPubSub, SaysThatItsConnectionWasCut) {
  const std::pair<const char*, const char*> kKinds[] = {{"normal", "sender"}, {"pubsub", "receiver"}};
  for (const auto& [kind, whose] : kKinds) {
    SCOPED_TRACE(whose);
    RedisServer server;
    BusRig rig(at(server.address()));
    Service& receiver = rig.receiver(1);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    EXPECT_EQ(server.ask({"CLIENT", "KILL", "TYPE", kind}), "1");
    Service& cut = std::string(whose) == "sender" ? sender : receiver;
    Service& other = std::string(whose) == "sender" ? receiver : sender;
    ASSERT_TRUE(rig.wait([&] { return !cut.heard.lost.empty(); }));
    EXPECT_EQ(rig.heard(cut).lost.front().kind, Loss::Kind::broker_gone);
    EXPECT_THAT(rig.heard(other).lost, IsEmpty());
  }
}

TEST(RedisPubSub, SaysThatThereIsNoServer) {
  std::string address;
  {
    const ReservedPort port;
    address = "127.0.0.1:" + std::to_string(port.number());
  }
  EXPECT_THAT(loss_of(at(address)), HasSubstr("cannot be reached: nothing listens at " + address));
}

TEST(RedisPubSub, SaysWhatIsWrongWithItsServer) {
  const std::pair<std::string, const char*> kAnswers[] = {
      {"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak as one: \"HTTP/1.1 400 Bad Request....\""},
      {"+" + std::string(5000, 'x'), "does not speak as one"},
      {"$100000000000000000000\r\n", "does not speak as one"},
      {"*1048577\r\n", "does not speak as one"},
      {"*3\r\n", "answers PING with an array of 3, which Redis does not"},
      {"$-1\r\n", "answers PING with nothing, which Redis does not"},
      {"-DENIED Redis is running in protected mode\r\n", "lets in only its own computer"},
      {"-ERR max number of clients reached\r\n", "raise its maxclients"},
      {"-NOPERM this user has no permissions\r\n", "may not do this"},
      {"-EVIL \x1b[2J\r\n", "refuses PING: \"EVIL .[2J\"; see its log"},
  };
  for (const auto& [answer, text] : kAnswers) {
    SCOPED_TRACE(answer);
    const FakeRedis server({.answers = {{"PING", {answer}}}});
    EXPECT_THAT(loss_of(at(server.address())), HasSubstr(text));
  }
  const FakeRedis silent({.says_nothing = true});
  EXPECT_THAT(loss_of(at(silent.address())), HasSubstr("takes connections and has answered nothing"));
}

TEST(RedisPubSub, WaitsForAServerThatIsStillLoading) {
  const FakeRedis server({.answers = {{"PING", {"-LOADING Redis is loading the dataset in memory\r\n"}}}});
  EXPECT_EQ(loss_of(at(server.address())), "it is ready");
}

TEST(RedisPubSub, EndsWhereAnAnswerIsNone) {
  for (const auto& [answer, text] : {std::pair{"-OOM command not allowed\r\n", "raise its maxmemory"},
                                     std::pair{"+OK\r\n", "answers PUBLISH with \"OK\", which Redis does not"},
                                     std::pair{":1\r\n:1\r\n", "answers PUBLISH with 1, which Redis does not"}}) {
    SCOPED_TRACE(answer);
    const FakeRedis server({.answers = {{"PUBLISH", {answer}}}});
    BusRig rig(at(server.address()));
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    rig.send(7, {"a"});
    ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
    EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr(text));
  }
}

TEST(RedisPubSub, EndsWhereAPushIsNone) {
  const std::string name = "$" + std::to_string(kChannel.size()) + "\r\n" + kChannel + "\r\n";
  const std::string kPushes[] = {"+OK\r\n",
                                 "*2\r\n",
                                 "*3\r\n$7\r\nmessage\r\n",
                                 "*3\r\n$9\r\nsubscribe\r\n$1\r\nx\r\n",
                                 "*3\r\n$9\r\nsubscribe\r\n" + name + "$1\r\n1\r\n",
                                 "*3\r\n$9\r\nsubscribe\r\n" + name + ":1\r\n*3\r\n$9\r\nsubscribe\r\n",
                                 "*3\r\n$9\r\nsubscribe\r\n" + name + ":1\r\n*3\r\n$7\r\nmessage\r\n" + name + ":1\r\n",
                                 "*3\r\n$9\r\nsubscribe\r\n" + name + ":1\r\n$99999999999\r\n"};
  for (const std::string& push : kPushes) {
    SCOPED_TRACE(push);
    const FakeRedis server({.answers = {{"SUBSCRIBE", {push}}}});
    BusRig rig(at(server.address()));
    Service& receiver = rig.receiver(1);
    EXPECT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
  }
}

}  // namespace
}  // namespace n2nq::bus::test
