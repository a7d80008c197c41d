// Requests and replies through a server, over which a service has two connections: against the real servers, which say
// themselves what is left there, and with redis-py on either side.
#include <signal.h>

#include <future>

#include "tests/helpers/bus_servers.h"
#include "tests/unit/bus/bus_rig.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kRequests = "n2nq.00000000000000ab";

BusOptions replies_at(const std::string& kind, const std::string& address, bool to_all) {
  return {.kind = kind, .settings = {{"address", address}}, .run_id = 0xab, .replies = true, .to_all = to_all};
}

// A receiver, which answers each request at once.
Service& answering(BusRig& rig, uint32_t number = 1) {
  Service& receiver = rig.receiver(number);
  rig.call([&] {
    receiver.on_message = [&rig, number](std::span<const uint8_t> frame) {
      if (wire::read_header(frame.data()).type != wire::Type::data) return;  // that the message behind it comes again
      const wire::DataHeader data = wire::read_data_header(frame.data());
      EXPECT_TRUE(rig.inlet(number).reply(
          reply_frame(data.sender, data.index, number, "answer " + std::to_string(data.index))));
    };
  });
  return receiver;
}

// What a run has left there, as the server says.
std::string left_at(RedisServer& server) {
  return server.ask({"DBSIZE"}) == "0" ? server.ask({"PUBSUB", "CHANNELS"}) : server.ask({"KEYS", "*"});
}
std::string left_at(JetStreamServer& server) {
  const auto streams = server.ask("jsz")["streams"].get<int64_t>();
  return streams == 0 ? "" : std::to_string(streams) + " streams";
}
std::string left_at(RabbitServer& server) {
  return server.of_runs();
}
std::string left_at(KafkaServer& server) {
  return server.of_runs();
}

struct Asked {
  std::string kind;
  bool to_all = false;
  std::map<std::string, std::string> settings{};
  std::string name() const {
    std::string name = kind + (to_all ? "_to_all" : "");
    for (const auto& [key, value] : settings) name += "_" + key + "_" + value;
    std::ranges::replace(name, '-', '_');
    return name;
  }
};

// Of each kind one server, as long as nobody kills it.
class RequestsOver : public testing::TestWithParam<Asked> {
 protected:
  static void TearDownTestSuite() { servers_ = {}; }
  const std::string& kind() const { return GetParam().kind; }
  BusServer& server() const {
    if (kind() == "jetstream") return of(servers_.jetstream);
    if (kind() == "rabbitmq") return of(servers_.rabbit);
    if (kind() == "kafka") return of(servers_.kafka);
    return of(servers_.redis);
  }
  BusOptions options() const {
    BusOptions options = replies_at(kind(), server().address(), GetParam().to_all);
    options.settings.insert(GetParam().settings.begin(), GetParam().settings.end());
    return options;
  }
  std::string left() const {
    if (kind() == "jetstream") return left_at(*servers_.jetstream);
    if (kind() == "rabbitmq") return left_at(*servers_.rabbit);
    if (kind() == "kafka") return left_at(*servers_.kafka);
    return left_at(*servers_.redis);
  }
  // Each client of Kafka has some.
  testing::Matcher<uint64_t> connections(bool asks) const {
    if (kind() == "kafka") return testing::Gt(2u);
    return testing::Eq(asks && GetParam().settings.contains("replies") ? 1u : 2u);
  }
  static KafkaServer& kafka() { return *servers_.kafka; }
  static void forget_servers() { servers_ = {}; }

 private:
  template <class Server>
  static Server& of(std::unique_ptr<Server>& server) {
    if (!server) server = std::make_unique<Server>();
    return *server;
  }
  struct Servers {
    std::unique_ptr<RedisServer> redis{};
    std::unique_ptr<JetStreamServer> jetstream{};
    std::unique_ptr<RabbitServer> rabbit{};
    std::unique_ptr<KafkaServer> kafka{};
  };
  static Servers servers_;
};
RequestsOver::Servers RequestsOver::servers_;

TEST_P(RequestsOver, HaveTheirRepliesAndLeaveNothing) {
  constexpr size_t kEach = 100;
  BusRig rig(options());
  Service& receiver = answering(rig);
  Service* senders[] = {&rig.sender(7, {}), &rig.sender(8, {})};
  ASSERT_TRUE(rig.wait([&] { return senders[0]->heard.ready && senders[1]->heard.ready; }));
  for (const uint32_t number : {7, 8}) ASSERT_EQ(rig.send(number, std::vector<std::string>(kEach, "ask")), kEach);
  ASSERT_TRUE(rig.wait([&] {
    return senders[0]->heard.frames.size() >= kEach && senders[1]->heard.frames.size() >= kEach;
  })) << rig.heard(*senders[0]).frames.size();
  for (const uint32_t number : {7u, 8u}) {
    const Heard heard = rig.heard(*senders[number - 7]);
    ASSERT_THAT(heard.frames, SizeIs(kEach));
    for (size_t i = 0; i < kEach; i++)
      EXPECT_EQ(heard.frames[i], reply_frame(number, i + 1, 1, "answer " + std::to_string(i + 1)));
    EXPECT_THAT(heard.told, IsEmpty());
    EXPECT_THAT(rig.counters(rig.outlet(number)).connections, connections(/*asks=*/true));
  }
  if (kind() == "kafka") {
    EXPECT_EQ(kafka().messages_in(kRequests + ".replies"), 2 * kEach);
  }
  EXPECT_THAT(rig.counters(rig.inlet(1)).connections, connections(/*asks=*/false));
  finish_all(rig, {&receiver, senders[0], senders[1]}, {7, 8}, {1});
  EXPECT_EQ(left(), "");
}

// A replier that is told to leave while it still waits to have its replies taken sees them off first.
TEST_P(RequestsOver, AreSeenOffWhereTheReplierLeaves) {
  BusRig rig(options());
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"ask"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.frames.empty(); }));
  rig.call([&] {
    EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 1, 1, std::string(1'000'000, 'r'))));
    rig.inlet(1).finish();
  });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.closed; }));
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.frames.empty(); }));
  EXPECT_THAT(payloads_of(rig.heard(sender)).front(), SizeIs(1'000'000));
  EXPECT_THAT(rig.heard(receiver).lost, IsEmpty());
}

// Whoever leaves last removes the topic of replies, and many are on their way to it yet.
TEST(KafkaRequests, ReachTheirTopicBeforeItIsRemoved) {
  KafkaServer server;
  BusOptions options = replies_at("kafka", server.address(), /*to_all=*/true);
  options.settings.insert({{"linger", "0s"}, {"buffer_memory", "1GB"}});
  BusRig rig(options);
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const std::string large(8'000'000, 'r');
  rig.call([&] {
    for (uint64_t i = 1; i <= 24; i++) EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, i, 1, large)));
    rig.inlet(1).finish();
  });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.closed || !receiver.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(receiver).lost, IsEmpty());
}

TEST_P(RequestsOver, EndBeforeTheyHaveBegun) {
  BusRig rig(options());
  Service& receiver = rig.joining_receiver(1);
  Service& sender = rig.sender(7, {});
  rig.call([&] {
    rig.outlet(7).finish();
    rig.inlet(1).finish();
  });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed && receiver.heard.closed; }));
  EXPECT_THAT(rig.heard(sender).lost, IsEmpty());
  EXPECT_THAT(rig.heard(receiver).lost, IsEmpty());
}

TEST_P(RequestsOver, AreLostOnceWithTheirServer) {
  if (kind() == "kafka" && GetParam().to_all) return;  // as to one, and it takes its time
  BusRig rig(options());
  Service& receiver = answering(rig);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"ask"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.frames.size() == 1; }));
  server().process().signal(SIGKILL);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty() && !receiver.heard.lost.empty(); }));
  rig.call([&] {  // which changes nothing any more
    rig.outlet(7).finish();
    rig.inlet(1).finish();
  });
  rig.call([] {});
  for (const Service* one : {&sender, &receiver}) {
    ASSERT_THAT(rig.heard(*one).lost, SizeIs(1));
    EXPECT_EQ(rig.heard(*one).lost.front().kind, Loss::Kind::broker_gone);
    EXPECT_THAT(rig.heard(*one).lost.front().text, HasSubstr(server().address()));
    EXPECT_FALSE(rig.heard(*one).closed);
  }
  forget_servers();
}

// Both are cut off where one is.
TEST(RedisRequests, AreLostWithEitherConnection) {
  RedisServer server;
  for (const std::string command : {"cmd=xread ", "cmd=xadd "}) {
    SCOPED_TRACE(command);
    BusRig rig(replies_at("redis-streams", server.address(), /*to_all=*/false));
    Service& receiver = rig.receiver(1);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    ASSERT_EQ(rig.send(7, {"ask"}), 1u);
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 1 && receiver.heard.frames.size() == 1; }));
    const std::string clients = server.ask({"CLIENT", "LIST"});
    const size_t at = clients.find(command);
    ASSERT_NE(at, std::string::npos) << clients;
    const size_t id = clients.rfind("id=", clients.rfind('\n', at) + 4) + 3;
    EXPECT_EQ(server.ask({"CLIENT", "KILL", "ID", clients.substr(id, clients.find(' ', id) - id)}), "1");
    ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
    rig.call([] {});
    EXPECT_THAT(rig.heard(sender).lost, SizeIs(1));
    EXPECT_FALSE(rig.heard(sender).closed);
    EXPECT_THAT(rig.heard(receiver).lost, IsEmpty());
    EXPECT_EQ(server.ask({"CLIENT", "LIST"}).find("cmd=xread "), std::string::npos);
    server.ask({"FLUSHALL"});
  }
}

TEST(RedisRequests, WaitForTheServerAsTheWindowSays) {
  RedisServer server;
  BusOptions options = replies_at("redis-streams", server.address(), /*to_all=*/false);
  options.settings["window"] = "1";
  BusRig rig(options);
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] {
    EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 1, 1, "one")));
    EXPECT_FALSE(rig.inlet(1).reply(reply_frame(7, 2, 1, "two")));
  });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.writable == 1; }));
  rig.call([&] { EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 2, 1, "two"))); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.frames.size() == 2; }));
  EXPECT_EQ(payloads_of(rig.heard(sender)), (std::vector<std::string>{"one", "two"}));
  finish_all(rig, {&sender, &receiver}, {7}, {1});
}

TEST(JetStreamRequests, SayThatAReplyIsTooLarge) {
  JetStreamServer server;
  BusRig rig(replies_at("jetstream", server.address(), /*to_all=*/false));
  Service& receiver = rig.receiver(1);
  rig.call([&] {
    for (int i = 0; i < 2; i++) EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 1, 1, std::string(17'000'000, 'r'))));
  });
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.told.empty(); }));
  ASSERT_THAT(rig.heard(receiver).told, SizeIs(1));
  EXPECT_THAT(rig.heard(receiver).told.front(), HasSubstr("takes no reply of 17000048 B; its requester waits in vain"));
}

INSTANTIATE_TEST_SUITE_P(Buses, RequestsOver,
                         testing::Values(Asked{"redis-pubsub", true}, Asked{"redis-streams"},
                                         Asked{"redis-streams", true}, Asked{"jetstream"}, Asked{"rabbitmq"},
                                         Asked{"rabbitmq", true, {{"replies", "direct"}}}, Asked{"kafka"},
                                         Asked{"kafka", true, {{"partitions", "1"}}}),  // which requesters share
                         [](const auto& one) { return one.param.name(); });

std::string by_python(const char* kind, const char* who, const BusServer& server, int count) {
  const std::string address = server.address();
  return output_of({"/usr/bin/python3", N2NQ_FOREIGN_REQUESTS, kind, who, address.substr(address.rfind(':') + 1),
                    kRequests, std::to_string(count)});
}

// One of those that share requests is not ours; each requester has the reply of whoever took its request.
void expect_answered_by_python_too(const char* kind, const BusServer& server, const BusOptions& options) {
  BusRig rig(options);
  Service& receiver = answering(rig);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  auto foreign = std::async(std::launch::async, [&] { return by_python(kind, "replier", server, 3); });
  uint64_t sent = 0;
  while (foreign.wait_for(0s) != std::future_status::ready) {
    ASSERT_EQ(rig.send(7, {"ask"}), 1u);
    sent++;
    ASSERT_TRUE(rig.wait([&] { return sender.heard.frames.size() == sent; })) << sent;
  }
  EXPECT_EQ(foreign.get(), "replied 3\n");
  int from_foreign = 0;
  const Heard heard = rig.heard(sender);
  for (uint64_t i = 0; i < sent; i++) {
    const wire::ReplyHeader reply = wire::read_reply_header(heard.frames[i].data());
    EXPECT_EQ(reply.index, i + 1);
    EXPECT_EQ(reply.requester, 7u);
    from_foreign += reply.replier == 55;
  }
  EXPECT_EQ(from_foreign, 3);
  finish_all(rig, {&sender, &receiver}, {7}, {1});
}

TEST(RedisRequests, OfOursAreAnsweredByRedisPy) {
  RedisServer server;
  expect_answered_by_python_too("redis", server, replies_at("redis-streams", server.address(), /*to_all=*/false));
  EXPECT_EQ(server.ask({"DBSIZE"}), "0");
}

// A replier that has never heard of the requester.
TEST(RabbitRequests, ComeAgainWithTheAddressOfTheirRequester) {
  RabbitServer server;
  BusOptions options = replies_at("rabbitmq", server.address(), /*to_all=*/false);
  options.settings["replies"] = "direct";
  BusRig rig(options);
  Service& first = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { first.wants = false; });
  ASSERT_EQ(rig.send(7, {"ask"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 1; }));
  BusRig other(options);
  Service& second = answering(other, 2);
  rig.call([&] { rig.inlet(1).cut_off(); });
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.frames.empty(); }));
  EXPECT_EQ(rig.heard(sender).frames.front(), reply_frame(7, 1, 2, "answer 1"));
  EXPECT_EQ(wire::read_header(other.heard(second).frames.front().data()).type, wire::Type::again);
  finish_all(rig, {&sender}, {7}, {});
  finish_all(other, {&second}, {}, {2});
}

// By addresses that the server makes up.
TEST(RabbitRequests, TravelDirectlyBetweenOursAndPika) {
  RabbitServer server;
  BusOptions options = replies_at("rabbitmq", server.address(), /*to_all=*/false);
  options.settings.insert({{"replies", "direct"}, {"exchange", "direct"}});
  expect_answered_by_python_too("rabbitmq", server, options);
  BusRig rig(options);
  Service& receiver = answering(rig);
  EXPECT_EQ(by_python("rabbitmq", "requester", server, 2), "20 55 1 1 answer 1\n20 55 2 1 answer 2\n");
  // To one that has left.
  rig.call([&] { EXPECT_TRUE(rig.inlet(1).reply(reply_frame(55, 2, 1, "late"))); });
  finish_all(rig, {&receiver}, {}, {1});
  EXPECT_EQ(left_at(server), "");
}

TEST(RedisRequests, OfRedisPyAreAnsweredByOurs) {
  RedisServer server;
  BusRig rig(replies_at("redis-streams", server.address(), /*to_all=*/true));
  Service& receiver = answering(rig);
  EXPECT_EQ(by_python("redis", "requester", server, 1), "20 55 1 1 answer 1\n");
  EXPECT_EQ(server.ask({"XLEN", kRequests + ".reply.55"}), "1");
  // To one that has left.
  ASSERT_EQ(server.ask({"DEL", kRequests + ".reply.55"}), "1");
  rig.call([&] { EXPECT_TRUE(rig.inlet(1).reply(reply_frame(55, 2, 1, "late"))); });
  finish_all(rig, {&receiver}, {}, {1});
  EXPECT_EQ(server.ask({"EXISTS", kRequests + ".reply.55"}), "0");
}

}  // namespace
}  // namespace n2nq::bus::test
