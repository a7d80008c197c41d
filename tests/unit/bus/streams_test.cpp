// Redis Streams as a bus: against the real server, which counts by itself, and answers that are cut by hand.
#include "workers/bus/redis/streams.h"
#include <signal.h>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/delaying_proxy.h"
#include "tests/helpers/fake_redis.h"
#include "tests/unit/bus/bus_rig.h"

namespace n2nq::bus::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;

const std::string kKey = "n2nq.00000000000000ab";

BusOptions streams_at(const std::string& address, bool to_all, std::map<std::string, std::string> settings = {}) {
  settings["address"] = address;
  return {.kind = "redis-streams", .settings = std::move(settings), .run_id = 0xab, .to_all = to_all};
}

// As messages that nobody has acknowledged, and that nobody has read.
std::string owed_by(const RedisServer& server) {
  const std::string pending = server.ask({"XPENDING", kKey, "receivers"});
  const std::string group = server.ask({"XINFO", "GROUPS", kKey});
  return pending.substr(0, pending.find('\n')) + " pending, lag " + group.substr(group.rfind('\n') + 1);
}

// Looked at until it is so.
std::string owed_once(const RedisServer& server, const std::string& wanted) {
  const auto until = std::chrono::steady_clock::now() + 10s;
  std::string owed;
  while ((owed = owed_by(server)) != wanted && std::chrono::steady_clock::now() < until) {
  }
  return owed;
}

int64_t seconds_left(const RedisServer& server, const std::string& key) {
  return std::stoll(server.ask({"TTL", key}));
}

TEST(RedisStreams, IsReadByEachAsTheServerCountsAndRemovedByTheLast) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/true));
  Service& first = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const std::vector<std::string> sent{"a", "", "\r\n$", std::string(100'000, 'd')};
  ASSERT_EQ(rig.send(7, sent), 4u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 4; }));
  Service& second = rig.receiver(2);  // one that comes late has all the same
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 8; }));
  EXPECT_EQ(payloads_of(rig.heard(first)), sent);
  EXPECT_EQ(payloads_of(rig.heard(second)), sent);
  EXPECT_EQ(server.ask({"XLEN", kKey}), "4");
  EXPECT_EQ(server.calls("xadd"), 4);
  rig.call([&] {
    rig.outlet(7).finish();
    rig.inlet(1).finish();
  });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed && first.heard.closed; }));
  EXPECT_EQ(server.ask({"XLEN", kKey}), "4");
  rig.call([&] { rig.inlet(2).finish(); });
  EXPECT_TRUE(rig.wait([&] { return second.heard.closed; }));
  EXPECT_EQ(server.ask({"DBSIZE"}), "0");
  for (const Service* one : {&first, &second, &sender}) {
    EXPECT_THAT(rig.heard(*one).told, IsEmpty());
    EXPECT_THAT(rig.heard(*one).lost, IsEmpty());
  }
}

TEST(RedisStreams, IsSharedByAGroupAndAcknowledged) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/false, {{"fetch", "7"}}));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  std::vector<std::string> sent;
  for (int i = 0; i < 100; i++) sent.push_back(std::to_string(i));
  ASSERT_EQ(rig.send(7, sent), 100u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 100; }));
  std::vector<std::string> came = payloads_of(rig.heard(first));
  for (const std::string& payload : payloads_of(rig.heard(second))) came.push_back(payload);
  EXPECT_THAT(came, UnorderedElementsAreArray(sent));
  rig.call([&] { rig.inlet(1).finish(); });
  EXPECT_TRUE(rig.wait([&] { return first.heard.closed; }));
  EXPECT_EQ(owed_once(server, "0 pending, lag 0"), "0 pending, lag 0");
}

// By the server's own list of commands.
TEST(RedisStreams, ReadsAsManyAtATimeAsItsProfileSays) {
  for (const auto& [profile, count] : {std::pair("as-shipped", "100"), std::pair("throughput", "1000")}) {
    SCOPED_TRACE(profile);
    RedisServer server({"--slowlog-log-slower-than", "0"});
    BusRig rig(streams_at(server.address(), /*to_all=*/true, {{"profile", profile}}));
    Service& receiver = rig.receiver(1);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    ASSERT_EQ(rig.send(7, {"a"}), 1u);
    ASSERT_TRUE(rig.wait([&] { return !receiver.heard.frames.empty(); }));
    EXPECT_THAT(server.ask({"--raw", "SLOWLOG", "GET", "100"}), HasSubstr(std::string("COUNT\n") + count + "\n"));
  }
}

// Half of what it waits is what it may take from being ready to its first read: later it looks for others' messages
// first.
TEST(RedisStreams, IsTakenOverFromAReceiverThatHasAcknowledgedNothing) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/false, {{"take_over", "1s"}}));
  server.ask({"XGROUP", "CREATE", kKey, "receivers", "0", "MKSTREAM"});
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b", "c"}), 3u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 3; }));
  rig.receiver(1, /*wants=*/false);
  ASSERT_EQ(owed_once(server, "3 pending, lag 0"), "3 pending, lag 0");
  rig.call([&] { rig.inlet(1).cut_off(); });
  Service& second = rig.receiver(2);
  ASSERT_TRUE(rig.wait([&] { return second.heard.frames.size() == 6; }));
  EXPECT_THAT(payloads_of(rig.heard(second)), ElementsAre("a", "b", "c"));
  for (size_t i = 0; i < 6; i += 2) {
    const auto again = wire::decode_again(rig.heard(second).frames[i]);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, (wire::Again{.sender = 7, .attempt = 2, .index = i / 2 + 1}));
  }
  EXPECT_EQ(owed_once(server, "0 pending, lag 0"), "0 pending, lag 0");
}

// What it had asked for when it was to leave is its own yet.
TEST(RedisStreams, LeavesNothingPendingWithAReceiverThatLeaves) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/false));
  server.ask({"XGROUP", "CREATE", kKey, "receivers", "0", "MKSTREAM"});
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b", "c"}), 3u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 3; }));
  Service& receiver = rig.receiver(1, /*wants=*/false);
  ASSERT_EQ(owed_once(server, "3 pending, lag 0"), "3 pending, lag 0");
  rig.receiver(2);  // or the stream would go with the last
  rig.call([&] { rig.inlet(1).finish(); });
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.closed; }));
  EXPECT_EQ(payloads_of(rig.heard(receiver)), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(owed_once(server, "0 pending, lag 0"), "0 pending, lag 0");
}

TEST(RedisStreams, KeepsAboutAsManyAsItIsTold) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/true, {{"max_length", "100"}}));
  rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  for (uint64_t sent = 0; sent < 1000;) {
    sent += rig.send(7, std::vector<std::string>(100, "x"));
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == sent; }));
  }
  const int kept = std::stoi(server.ask({"XLEN", kKey}));
  EXPECT_GE(kept, 100);
  EXPECT_LE(kept, 300);
}

TEST(RedisStreams, EndsThoughItsServerHangs) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/true));
  Service& receiver = rig.receiver(1);
  server.process().signal(SIGSTOP);
  rig.call([&] { rig.inlet(1).finish(); });
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.closed; }, 20s));
  server.process().signal(SIGCONT);
}

// Nobody is left to remove it: the server does.
TEST(RedisStreams, OfReceiversThatAreKilledGoesByItself) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/true));
  rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { rig.inlet(1).cut_off(); });
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 1; }));
  for (const std::string& key : {kKey, kKey + ".receivers"}) {
    EXPECT_GT(seconds_left(server, key), 0) << key;
    EXPECT_LE(seconds_left(server, key), 300) << key;
  }
}

// A sender that goes on makes no other.
TEST(RedisStreams, IsNotThereAnyMoreOnceItsLastReceiverHasLeft) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/false));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { rig.inlet(1).finish(); });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.closed; }));
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("its last receiver has left, or somebody removed it"));
  EXPECT_EQ(sender.heard.accepted, 0u);
  EXPECT_EQ(server.ask({"DBSIZE"}), "0");
}

TEST(RedisStreams, SaysThatItsStreamIsGone) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/false));
  Service& receiver = rig.receiver(1);
  server.ask({"DEL", kKey});
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr("somebody removed the stream of the run"));
}

TEST(RedisStreams, LeavesOutWhatAStrangerAdds) {
  RedisServer server;
  BusRig rig(streams_at(server.address(), /*to_all=*/false));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  server.ask({"XADD", kKey, "*", "m", "hello"});
  server.ask({"XADD", kKey, "*", "one", "1", "two", "2"});
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  ASSERT_THAT(rig.heard(receiver).told, SizeIs(1));
  EXPECT_THAT(rig.heard(receiver).told.front(), HasSubstr("no message of this run"));
  EXPECT_EQ(owed_once(server, "0 pending, lag 0"), "0 pending, lag 0");
}

TEST(RedisStreams, SaysThatItsServerIsTooOld) {
  FakeRedis fake({.answers = {{"INCR", {":1\r\n"}},
                              {"PEXPIRE", {":1\r\n", ":1\r\n"}},
                              {"XGROUP", {"+OK\r\n"}},
                              {"XREADGROUP", std::vector<std::string>(100'000, "*-1\r\n")},
                              {"XAUTOCLAIM", {"-ERR unknown command 'XAUTOCLAIM'\r\n"}},
                              {"XADD", {"-ERR Invalid stream ID specified as stream command argument\r\n"}}}});
  BusRig rig(streams_at(fake.address(), /*to_all=*/false, {{"take_over", "10ms"}}));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready && !receiver.heard.lost.empty(); }));
  rig.send(7, {"a"});
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  const std::pair<Service*, const char*> lost[] = {{&receiver, "XAUTOCLAIM"}, {&sender, "XADD"}};
  for (const auto& [service, command] : lost) {
    const std::string text = rig.heard(*service).lost.front().text;
    EXPECT_THAT(text, HasSubstr(command));
    EXPECT_THAT(text, HasSubstr("Redis 6.2 or later"));
  }
}

// It looks for what others have left between two reads, and reads all the same.
TEST(RedisStreams, IsReadThoughTheServerIsFarAndTakeOversAreSoon) {
  RedisServer server;
  const DelayingProxy proxy(server.port(), 20ms);
  BusRig rig(streams_at(proxy.address(), /*to_all=*/false, {{"take_over", "10ms"}}));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.send(7, {"a"});
  EXPECT_TRUE(rig.wait([&] { return !receiver.heard.frames.empty(); }));
}

// The entries of an answer as ID=MESSAGE, then how it went on.
std::string entries_of(StreamsReply::To to, const std::string& answer) {
  StreamsReply reply;
  reply.begin(to, 10);
  std::string text;
  for (auto bytes = std::span(reinterpret_cast<const uint8_t*>(answer.data()), answer.size()); !bytes.empty();) {
    const RespStep step = next_resp(bytes, 1000);
    if (step.kind != RespStep::Kind::token) return text + "no token";
    bytes = bytes.subspan(step.used);
    switch (reply.take(step.token)) {
      case StreamsReply::Step::more:
        continue;
      case StreamsReply::Step::entry:
        text += reply.id() + "=" + std::string(reply.message().begin(), reply.message().end()) + " ";
        if (!reply.over()) continue;
        break;
      case StreamsReply::Step::end:
        break;
      case StreamsReply::Step::wrong:
        return text + "wrong";
    }
    return text + (bytes.empty() ? "end" : "more than the answer");
  }
  return text + "cut";
}

TEST(StreamsReply, HandsOutEntriesAndRefusesWhatIsNone) {
  const std::string one = "*2\r\n$3\r\n1-1\r\n*2\r\n$1\r\nm\r\n$2\r\nab\r\n";
  const std::string other = "*2\r\n$3\r\n1-2\r\n*4\r\n$1\r\nm\r\n$1\r\nx\r\n$1\r\ny\r\n$1\r\nz\r\n";
  const std::string gone = "*2\r\n$3\r\n1-3\r\n*-1\r\n";
  const struct {
    StreamsReply::To to;
    std::string answer;
    std::string entries;
  } cases[] = {
      {StreamsReply::To::read, "*-1\r\n", "end"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*1\r\n" + one, "1-1=ab end"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*3\r\n" + other + gone + one, "1-2= 1-3= 1-1=ab end"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*0\r\n", "end"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*2\r\n" + one, "1-1=ab cut"},
      {StreamsReply::To::read, ":1\r\n", "wrong"},
      {StreamsReply::To::read, "*2\r\n", "wrong"},
      {StreamsReply::To::read, "*1\r\n*3\r\n", "wrong"},
      {StreamsReply::To::read, "*1\r\n*2\r\n:1\r\n", "wrong"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*1\r\n*2\r\n:1\r\n", "wrong"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*1\r\n*2\r\n$3\r\n1-1\r\n*3\r\n", "wrong"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*1\r\n*2\r\n$3\r\n1-1\r\n*2\r\n$1\r\nm\r\n*-1\r\n", "wrong"},
      {StreamsReply::To::take_over, "*3\r\n$3\r\n0-0\r\n*0\r\n*0\r\n", "end"},
      {StreamsReply::To::take_over, "*3\r\n$3\r\n0-0\r\n*1\r\n" + one + "*1\r\n$3\r\n1-9\r\n", "1-1=ab end"},
      {StreamsReply::To::take_over, "*3\r\n$3\r\n0-0\r\n*1\r\n" + one + "*0\r\n", "1-1=ab end"},
      {StreamsReply::To::take_over, "*2\r\n$3\r\n0-0\r\n*2\r\n*-1\r\n" + one, "= 1-1=ab end"},
      {StreamsReply::To::take_over, "*3\r\n$3\r\n0-0\r\n*0\r\n*1\r\n:1\r\n", "wrong"},
      {StreamsReply::To::take_over, "*-1\r\n", "wrong"},
      // More than was asked for, and an id that is none.
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*1000000\r\n", "wrong"},
      {StreamsReply::To::take_over, "*3\r\n$3\r\n0-0\r\n*11\r\n", "wrong"},
      {StreamsReply::To::read, "*1\r\n*2\r\n$1\r\nk\r\n*1\r\n*2\r\n$60\r\n" + std::string(60, '1') + "\r\n", "wrong"},
  };
  for (const auto& one_case : cases)
    EXPECT_EQ(entries_of(one_case.to, one_case.answer), one_case.entries) << one_case.answer;
}

}  // namespace
}  // namespace n2nq::bus::test
