// Kafka as a bus: against the real server, whose own programs say what it has.
#include <future>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/delaying_proxy.h"
#include "tests/helpers/fake_nats.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/kafka/kafka_bus.h"
#include "workers/bus/kafka/kafka_keys.h"
#include "workers/bus/kafka/kafka_sockets.h"

namespace n2nq::bus::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kTopic = "n2nq.00000000000000ab";

BusOptions kafka_at(const std::string& address, bool to_all, std::map<std::string, std::string> settings = {}) {
  settings["address"] = address;
  return {.kind = "kafka", .settings = std::move(settings), .run_id = 0xab, .to_all = to_all};
}

KafkaServer& kafka() {
  return static_cast<KafkaServer&>(shared_server("kafka"));
}

TEST(Kafka, BringsAllToAllAndLeavesNothing) {
  for (const auto& settings : std::vector<std::map<std::string, std::string>>{
           {},
           {{"acks", "1"}, {"compression", "zstd"}, {"keys", "uniform"}, {"no_delay", "true"}},
           {{"idempotence", "true"}, {"compression", "snappy"}, {"keys", "sender"}, {"profile", "throughput"}},
           {{"compression", "gzip"}, {"keys", "zipf"}, {"flush_interval", "5ms"}, {"profile", "latency"}}}) {
    SCOPED_TRACE(testing::PrintToString(settings));
    BusRig rig(kafka_at(kafka().address(), /*to_all=*/true, settings));
    Service& first = rig.receiver(1);
    Service& second = rig.receiver(2);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    const std::vector<std::string> sent{"a", "", std::string("\xce\0\x01", 3), std::string(300'000, 'd')};
    ASSERT_EQ(rig.send(7, sent), 4u);
    ASSERT_TRUE(rig.wait(
        [&] { return first.heard.frames.size() + second.heard.frames.size() == 8 && sender.heard.accepted == 4; }));
    for (const Service* one : {&first, &second})
      EXPECT_THAT(payloads_of(rig.heard(*one)), testing::UnorderedElementsAreArray(sent));
    EXPECT_THAT(rig.heard(sender).answered, testing::UnorderedElementsAre(1, 2, 3, 4));
    EXPECT_EQ(kafka().messages_in(kTopic), 4);
    EXPECT_GT(rig.counters(rig.outlet(7)).sent_bytes, 300u);
    EXPECT_GT(rig.counters(rig.inlet(1)).received_bytes, 300u);
    finish_all(rig, {&first, &second, &sender}, {7}, {1, 2});
    EXPECT_EQ(kafka().of_runs(), "");
  }
}

// One that takes nothing for now holds neither its group up, nor what it has not taken for others.
TEST(Kafka, GivesEachToOneAsItsGroupSays) {
  BusRig rig(kafka_at(kafka().address(), /*to_all=*/false, {{"partitions", "4"}, {"keys", "uniform"}}));
  Service& first = rig.receiver(1, /*wants=*/false);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(200, "x")), 200u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 200; }));
  EXPECT_THAT(rig.heard(first).frames, IsEmpty());
  rig.call([&] {
    first.wants = true;
    rig.inlet(1).read_on();
  });
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 200; }));
  EXPECT_GT(rig.heard(first).frames.size(), 0u);
  EXPECT_GT(rig.heard(second).frames.size(), 0u);
  // It leaves: what it had is committed, and comes to nobody again.
  rig.call([&] { rig.inlet(1).finish(); });
  ASSERT_TRUE(rig.wait([&] { return first.heard.closed; }));
  ASSERT_TRUE(rig.wait([&] { return !second.heard.told.empty(); }));
  EXPECT_THAT(rig.heard(second).told.front(), HasSubstr("this one has 4 of 4 partitions now"));
  const size_t before = rig.heard(second).frames.size();
  ASSERT_EQ(rig.send(7, {"y"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return second.heard.frames.size() > before; }));
  EXPECT_EQ(payloads_of(rig.heard(second)).back(), "y");
  EXPECT_EQ(rig.heard(second).frames.size(), before + 1);
  rig.call([&] { rig.outlet(7).finish(); });
  rig.call([&] { rig.inlet(2).finish(); });
  ASSERT_TRUE(rig.wait([&] { return second.heard.closed && sender.heard.closed; }));
  EXPECT_EQ(kafka().of_runs(), "");
}

TEST(Kafka, SaysThatAReceiverHasNoPartition) {
  BusRig rig(kafka_at(kafka().address(), /*to_all=*/false, {{"partitions", "1"}}));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  rig.call([&] {
    rig.inlet(1).finish();
    rig.inlet(2).finish();
  });
  ASSERT_TRUE(rig.wait([&] { return first.heard.closed && second.heard.closed; }));
  int without = 0;
  for (const Service* one : {&first, &second})
    for (const std::string& told : rig.heard(*one).told) without += told.contains("given none of the 1 partitions");
  EXPECT_EQ(without, 1);
}

// All at once, as each is tried for a while.
TEST(Kafka, SaysWhyItsServerCannotBeUsed) {
  const KafkaServer astray("advertised.listeners=PLAINTEXT://nowhere.invalid:1");
  // It waits for more than it is told.
  const std::string redis = shared_server("redis").address();
  std::vector<std::pair<std::future<std::string>, testing::Matcher<std::string>>> losses;
  for (const auto& [address, text] : std::vector<std::pair<std::string, testing::Matcher<std::string>>>{
           {"127.0.0.1:1", AllOf(HasSubstr("the Kafka server at 127.0.0.1:1 cannot be used: "),
                                 HasSubstr("Connection refused"), HasSubstr("start it, or correct bus.address"))},
           {redis, AllOf(HasSubstr("the Kafka server at " + redis + " takes connections and has answered nothing for "),
                         HasSubstr("; check bus.address"))},
           {astray.address(), AllOf(HasSubstr("resolve 'nowhere.invalid:1'"), HasSubstr("(advertised.listeners)"))}})
    losses.emplace_back(
        std::async(std::launch::async, [address] { return loss_of(kafka_at(address, /*to_all=*/true)); }), text);
  for (auto& [loss, text] : losses) EXPECT_THAT(loss.get(), text);
}

// Which it says at once, and does not try on.
TEST(Kafka, SaysThatAnotherServerIsThere) {
  const FakeNats http({.greeting = "HTTP/1.1 400 Bad Request\r\n\r\n"});
  for (const auto& [address, text] :
       {std::pair(shared_server("nats").address(), "does not speak as one: \"INFO\"; check bus.address"),
        std::pair(shared_server("rabbitmq").address(), "does not speak as one: \"AMQP\"; check bus.address"),
        std::pair(http.address(), "does not speak as one: \"HTTP\"; check bus.address")})
    EXPECT_THAT(loss_of(kafka_at(address, /*to_all=*/true)), HasSubstr("the Kafka server at " + address + " " + text));
}

// Each answer takes 240 ms, and a group is formed for a minute: the run does not begin.
TEST(Kafka, IsJoinedOverALongWayAndSaysWhatARunThatDidNotBeginLeaves) {
  DelayingProxy way(0, 120ms);
  KafkaServer far("advertised.listeners=PLAINTEXT://" + way.address() + "\ngroup.initial.rebalance.delay.ms=60000");
  way.lead_to(far.port());
  BusRig rig(kafka_at(way.address(), /*to_all=*/true));
  Service& sender = rig.sender(1, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  Service& receiver = rig.joining_receiver(1);
  const std::string group = kTopic + ".1";
  const auto formed = [&](const std::string& line) { return line.contains("Preparing to rebalance group " + group); };
  ASSERT_TRUE(far.process().wait_line(formed, 20s));
  rig.call([&] {
    rig.outlet(1).finish();
    rig.inlet(1).finish();
  });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed && receiver.heard.closed; }));
  EXPECT_FALSE(rig.heard(receiver).ready);
  EXPECT_THAT(rig.heard(sender).told,
              testing::ElementsAre(
                  HasSubstr("if no receiver has come either, the topic of the run, " + kTopic + ", stays at ")));
  EXPECT_THAT(rig.heard(receiver).told,
              testing::ElementsAre(AllOf(HasSubstr("the topic of the run may stay at "),
                                         HasSubstr("the group " + group + " is not empty yet"))));
}

// A value for each that no other has.
TEST(Kafka, TellsItsClientAllOfItsSettings) {
  using Setting = std::pair<std::string, std::string>;
  const auto has = [](const std::vector<Setting>& all) { return testing::IsSupersetOf(all); };
  const KafkaWay way = kafka_way(kafka_at("127.0.0.1:1", /*to_all=*/true,
                                          {{"acks", "1"},
                                           {"batch_size", "12345B"},
                                           {"linger", "7ms"},
                                           {"compression", "lz4"},
                                           {"delivery_timeout", "13s"},
                                           {"fetch_min", "678B"},
                                           {"fetch_wait", "9ms"},
                                           {"commit_interval", "11ms"},
                                           {"session_timeout", "6s"},
                                           {"no_delay", "true"},
                                           {"sasl", "scram-sha-256"}}));
  EXPECT_THAT(way.producer, has({{"acks", "1"},
                                 {"batch.size", "12345"},
                                 {"linger.ms", "7"},
                                 {"compression.type", "lz4"},
                                 {"message.timeout.ms", "13000"},
                                 {"enable.idempotence", "false"}}));
  const KafkaWay in_transactions =
      kafka_way(kafka_at("127.0.0.1:1", /*to_all=*/true,
                         {{"transactions", "300ms"}, {"idempotence", "true"}, {"delivery_timeout", "13s"}}));
  EXPECT_THAT(in_transactions.producer,
              has({{"acks", "all"}, {"enable.idempotence", "true"}, {"transaction.timeout.ms", "13300"}}));
  EXPECT_THAT(way.consumer, has({{"isolation.level", "read_committed"},
                                 {"fetch.min.bytes", "678"},
                                 {"fetch.wait.max.ms", "9"},
                                 {"auto.commit.interval.ms", "11"},
                                 {"session.timeout.ms", "6000"},
                                 {"heartbeat.interval.ms", "2000"}}));
  EXPECT_THAT(way.client, has({{"socket.nagle.disable", "true"}, {"sasl.mechanisms", "SCRAM-SHA-256"}}));
}

// Until the server has answered: with a long linger not at once.
TEST(Kafka, HoldsASenderUpWhoseClientHoldsAsMuchAsItMay) {
  BusRig rig(kafka_at(kafka().address(), /*to_all=*/true, {{"buffer_memory", "1kB"}, {"linger", "500ms"}}));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const std::vector<std::string> four(4, std::string(400, 'x'));
  EXPECT_EQ(rig.send(7, four), 3u) << "two are below it, the third goes beyond";
  EXPECT_EQ(rig.send(7, four), 0u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 3 && sender.heard.writable > 0; }));
  EXPECT_EQ(rig.send(7, {std::string(5000, 'x')}), 1u) << "a larger one goes alone";
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 4; }));
  finish_all(rig, {&receiver, &sender}, {7}, {1});
}

BusOptions in_transactions_of(const std::string& length, const std::string& address) {
  return kafka_at(address, /*to_all=*/true,
                  {{"transactions", length}, {"idempotence", "true"}, {"acks", "all"}, {"partitions", "1"}});
}

TEST(Kafka, AnswersForAndBringsWhatIsInATransactionOnceItIsCommitted) {
  BusRig rig(in_transactions_of("1min", kafka().address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b", "c"}), 3u);
  ASSERT_TRUE(rig.wait([&] { return kafka().messages_in(kTopic) >= 3; }));
  EXPECT_EQ(rig.heard(sender).accepted, 0u);
  EXPECT_THAT(rig.heard(receiver).frames, IsEmpty());
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed && receiver.heard.frames.size() == 3; }));
  EXPECT_EQ(rig.heard(sender).accepted, 3u);
  finish_all(rig, {&receiver}, {}, {1});
}

TEST(Kafka, CommitsOneTransactionAfterTheOther) {
  BusRig rig(in_transactions_of("20ms", kafka().address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  for (int i = 1; i <= 5; i++) {
    ASSERT_EQ(rig.send(7, {"one"}), 1u);
    ASSERT_TRUE(rig.wait(
        [&] { return std::cmp_equal(sender.heard.accepted, i) && std::cmp_equal(receiver.heard.frames.size(), i); }));
    ASSERT_TRUE(rig.wait([&] { return sender.heard.writable >= i; }));
  }
  EXPECT_EQ(kafka().messages_in(kTopic), 10) << "each is followed by what says that it was committed";
  finish_all(rig, {&receiver, &sender}, {7}, {1});
}

// The server finds out by its time that nobody ends it.
TEST(Kafka, BringsNothingOfATransactionWhoseSenderIsKilled) {
  BusOptions options = in_transactions_of("10s", kafka().address());
  options.settings.insert({{"delivery_timeout", "600ms"}});
  BusRig rig(options);
  Service& receiver = rig.receiver(1);
  Service& killed = rig.sender(7, {});
  Service& other = rig.sender(8, {});
  ASSERT_TRUE(rig.wait([&] { return killed.heard.ready && other.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"never"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return kafka().messages_in(kTopic) >= 1; }));
  rig.call([&] {
    rig.outlet(7).cut_off();
    EXPECT_THAT(rig.outlet(7).unanswered(), testing::ElementsAre(wire::Tally::Stretch{
                                                .first = 1, .last = 1, .fate = wire::Tally::Fate::unanswered}));
  });
  ASSERT_EQ(rig.send(8, {"in the end"}), 1u);
  rig.call([&] { rig.outlet(8).finish(); });
  ASSERT_TRUE(rig.wait([&] { return other.heard.closed; }));
  EXPECT_EQ(rig.heard(other).accepted, 1u);
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.frames.empty(); }, 40s));
  EXPECT_THAT(payloads_of(rig.heard(receiver)), testing::ElementsAre("in the end"));
  finish_all(rig, {&receiver}, {}, {1});
}

// By the end of its time; and nothing holds up who closes in the middle of a commit.
TEST(Kafka, SaysThatItDoesNotKnowHowATransactionEnded) {
  KafkaServer server;
  BusOptions options = in_transactions_of("10s", server.address());
  options.settings.insert({{"delivery_timeout", "1s"}});
  BusRig rig(options);
  Service& sender = rig.sender(7, {});
  Service& closed = rig.sender(8, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready && closed.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"perhaps"}), 1u);
  ASSERT_EQ(rig.send(8, {"perhaps"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return server.messages_in(kTopic) >= 2; }));
  server.process().signal(SIGSTOP);
  rig.call([&] {
    rig.outlet(7).finish();
    rig.outlet(8).finish();
  });
  rig.call([&] { rig.outlet(8).cut_off(); });
  const bool lost = rig.wait([&] { return !sender.heard.lost.empty(); }, 30s);
  server.process().signal(SIGCONT);
  ASSERT_TRUE(lost);
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("has not said how a transaction ended: "));
  EXPECT_EQ(rig.heard(sender).accepted, 0u);
  EXPECT_EQ(rig.heard(sender).refused, 0);
  for (const uint32_t number : {7, 8})
    rig.call([&] {
      EXPECT_THAT(rig.outlet(number).unanswered(), testing::ElementsAre(wire::Tally::Stretch{
                                                       .first = 1, .last = 1, .fate = wire::Tally::Fate::unanswered}));
    });
}

TEST(Kafka, RefusesAllOfATransactionOfWhichTheServerRefusesOne) {
  BusRig rig(in_transactions_of("1min", kafka().address()));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  kafka().ask("kafka.admin.ConfigCommand", {"--alter", "--entity-type", "topics", "--entity-name", kTopic,
                                            "--add-config", "max.message.bytes=1000"});
  ASSERT_EQ(rig.send(7, {"small"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return kafka().messages_in(kTopic) >= 1; }));
  ASSERT_EQ(rig.send(7, {std::string(5000, 'x')}), 1u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("has refused a message: Broker: Message size too large"));
  EXPECT_EQ(rig.heard(sender).refused, 2);
  EXPECT_EQ(rig.heard(sender).accepted, 0u);
  rig.call([&] {
    EXPECT_THAT(rig.outlet(7).unanswered(),
                testing::ElementsAre(wire::Tally::Stretch{.first = 1, .last = 2, .fate = wire::Tally::Fate::refused}));
  });
  EXPECT_THAT(rig.heard(receiver).frames, IsEmpty());
  finish_all(rig, {&receiver}, {}, {1});
}

TEST(Kafka, MakesItsTopicAsItIsAskedTo) {
  BusRig rig(kafka_at(kafka().address(), /*to_all=*/true,
                      {{"partitions", "4"}, {"flush_interval", "7ms"}, {"flush_messages", "50"}}));
  Service& receiver = rig.receiver(1);
  EXPECT_THAT(kafka().ask("org.apache.kafka.tools.TopicCommand", {"--describe", "--topic", kTopic}),
              AllOf(HasSubstr("PartitionCount: 4"), HasSubstr("ReplicationFactor: 1"), HasSubstr("flush.ms=7"),
                    HasSubstr("flush.messages=50")));
  finish_all(rig, {&receiver}, {}, {1});
}

TEST(Kafka, SaysThatSomebodyElseProducesToItsTopic) {
  BusRig rig(kafka_at(kafka().address(), /*to_all=*/true, {{"partitions", "1"}}));
  Service& receiver = rig.receiver(1);
  kafka().produce(kTopic, "hello");
  ASSERT_TRUE(rig.wait([&] { return !receiver.heard.told.empty(); }, 20s));
  EXPECT_THAT(rig.heard(receiver).told.front(), HasSubstr("is no message of this run; it is left out"));
  EXPECT_THAT(rig.heard(receiver).frames, IsEmpty());
  rig.call([&] { rig.inlet(1).finish(); });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.closed; }));
}

TEST(Kafka, HasKeysAsTheyAreAskedFor) {
  std::string key;
  EXPECT_FALSE(key_of("none", 1, 1, key));
  EXPECT_TRUE(key_of("sender", 42, 1, key));
  EXPECT_EQ(key, "42");
  for (const auto& [kind, first_of_all] : {std::pair("uniform", 0.001), {"zipf", 0.1336}}) {
    std::map<std::string, int> count;
    for (uint64_t i = 1; i <= 100'000; i++) {
      ASSERT_TRUE(key_of(kind, 3, i, key));
      count[key]++;
    }
    EXPECT_THAT(count, SizeIs(testing::AllOf(testing::Gt(900u), testing::Le(kKafkaKeys)))) << kind;
    EXPECT_NEAR(count["0"] / 1e5, first_of_all, first_of_all / 5) << kind;
    std::string again;
    key_of(kind, 3, 100'000, again);
    EXPECT_EQ(again, key);
  }
}

TEST(KafkaSockets, LeaveFromTheChosenPortsOrNotAtAll) {
  net::SocketWishes wishes;
  wishes.ports = std::make_shared<net::SourcePorts>(PortRange{.first = 22'011, .last = 22'011});
  KafkaSockets sockets;
  const int fd = sockets.open(AF_INET, SOCK_STREAM, 0, wishes);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(net::local_endpoint(fd)->port(), 22'011);
  ASSERT_EQ(::listen(fd, 1), 0) << "so that nobody can leave from there";
  EXPECT_LT(sockets.open(AF_INET, SOCK_STREAM, 0, wishes), 0);
  sockets.close(fd);
}

}  // namespace
}  // namespace n2nq::bus::test
