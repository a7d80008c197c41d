// JetStream as a bus, against the real server, which counts by itself.
#include <signal.h>

#include "tests/helpers/bus_servers.h"
#include "tests/helpers/fake_nats.h"
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/nats/jetstream.h"

namespace n2nq::bus::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

BusOptions jetstream_at(const std::string& address, bool to_all, std::map<std::string, std::string> settings = {}) {
  settings["address"] = address;
  return {.kind = "jetstream", .settings = std::move(settings), .run_id = 0xab, .to_all = to_all};
}

// The stream of the run as the server has it; null: it has none.
Json stream_at(const NatsServer& server) {
  const Json all = server.ask("jsz?streams=true&consumers=true&config=true");
  if (!all.contains("account_details")) return {};
  for (const Json& stream : all["account_details"][0]["stream_detail"])
    if (stream["name"] == "n2nq_00000000000000ab") return stream;
  return {};
}

template <class Is>
bool comes_true(const Is& is) {
  const auto until = std::chrono::steady_clock::now() + 10s;
  while (!is())
    if (std::chrono::steady_clock::now() > until) return false;
  return true;
}

// And no more: it knows how large they are, and has asked for others.
void take_one(BusRig& rig, Service& receiver, Service& sender) {
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"first"}), 1u);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  rig.call([&] { receiver.wants = false; });
}

size_t marked_again(const Heard& heard) {
  return static_cast<size_t>(std::ranges::count_if(
      heard.frames, [](const auto& frame) { return wire::read_header(frame.data()).type == wire::Type::again; }));
}

TEST(JetStream, IsReadByEachAsTheServerCountsAndRemovedByTheLast) {
  JetStreamServer server;
  BusRig rig(jetstream_at(server.address(), /*to_all=*/true, {{"fetch", "3"}}));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  std::vector<std::string> sent{"a", "", "\r\nMSG", std::string(100'000, 'd')};
  for (int i = 0; i < 20; i++) sent.push_back(std::to_string(i));
  ASSERT_EQ(rig.send(7, sent), sent.size());
  ASSERT_TRUE(rig.wait([&] { return payloads_of(first.heard) == sent && payloads_of(second.heard) == sent; }));
  EXPECT_TRUE(rig.wait([&] { return sender.heard.accepted == sent.size(); }));
  ASSERT_TRUE(comes_true([&] {
    const Json stream = stream_at(server);
    return stream["consumer_detail"][0]["num_ack_pending"] == 0 && stream["consumer_detail"][1]["num_ack_pending"] == 0;
  }));
  const Json stream = stream_at(server);
  EXPECT_EQ(stream["state"]["messages"], sent.size());
  EXPECT_EQ(stream["state"]["consumer_count"], 2);
  EXPECT_EQ(stream["config"]["storage"], "file");
  rig.call([&] { rig.outlet(7).finish(); });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  rig.call([&] { rig.inlet(1).finish(); });
  EXPECT_TRUE(rig.wait([&] { return first.heard.closed; }));
  EXPECT_EQ(stream_at(server)["state"]["consumer_count"], 1);
  rig.call([&] { rig.inlet(2).finish(); });
  EXPECT_TRUE(rig.wait([&] { return second.heard.closed; }));
  EXPECT_EQ(server.ask("jsz")["streams"], 0);
  for (const Service* one : {&first, &second, &sender}) {
    EXPECT_THAT(rig.heard(*one).told, IsEmpty());
    EXPECT_THAT(rig.heard(*one).lost, IsEmpty());
  }
}

// A monitor of the user's own, say: the server then knows of somebody at each subject, and so never says that nobody
// is.
TEST(JetStream, IsMadeByTheFirstAndRemovedByTheLastAlsoWhereStrangersHearAllSubjects) {
  for (const auto& [subjects, to_all] : {std::pair(">", true), {">", false}, {"n2nq.>", true}, {"n2nq.>", false}}) {
    SCOPED_TRACE(subjects);
    JetStreamServer server;
    RawClient stranger("http://" + server.address() + "/receiver/1");
    stranger.send("CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB " + std::string(subjects) + " 1\r\nPING\r\n");
    std::string said;
    while (said.find("PONG") == std::string::npos) said += stranger.read(1);
    BusRig rig(jetstream_at(server.address(), to_all));
    // The second has to wait for what the first makes.
    Service& second = rig.receiver(2);
    Service& first = rig.receiver(1);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return first.heard.ready && second.heard.ready && sender.heard.ready; }));
    ASSERT_EQ(rig.send(7, std::vector<std::string>(50, "x")), 50u);
    ASSERT_TRUE(
        rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == (to_all ? 100u : 50u); }));
    rig.call([&] { rig.outlet(7).finish(); });
    EXPECT_TRUE(rig.wait([&] { return sender.heard.closed; }));
    for (const uint32_t number : {1u, 2u}) {
      EXPECT_EQ(server.ask("jsz")["streams"], 1);
      rig.call([&] { rig.inlet(number).finish(); });
      EXPECT_TRUE(rig.wait([&] { return (number == 1 ? first : second).heard.closed; }));
    }
    EXPECT_EQ(server.ask("jsz")["streams"], 0);
    for (const Service* one : {&first, &second, &sender}) {
      EXPECT_THAT(rig.heard(*one).told, IsEmpty());
      EXPECT_THAT(rig.heard(*one).lost, IsEmpty());
    }
  }
}

// It does not hear who asks for it.
TEST(JetStream, IsNotTakenFromAReceiverThatIsSlowToReadWhereStrangersHearAllSubjects) {
  JetStreamServer server;
  RawClient stranger("http://" + server.address() + "/receiver/1");
  stranger.send("CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB > 1\r\nPING\r\n");
  std::string said;
  while (said.find("PONG") == std::string::npos) said += stranger.read(1);
  BusRig rig(jetstream_at(server.address(), /*to_all=*/true));
  Service& slow = rig.receiver(1);
  Service& other = rig.receiver(2);
  ASSERT_TRUE(rig.wait([&] { return slow.heard.ready && other.heard.ready; }));
  rig.call([&] { slow.wants = false; });
  rig.call([&] { rig.inlet(2).finish(); });
  EXPECT_TRUE(rig.wait([&] { return other.heard.closed; }));
  EXPECT_EQ(server.ask("jsz")["streams"], 1);
  EXPECT_THAT(rig.heard(other).told, testing::Contains(HasSubstr("may stay at")));
  rig.call([&] {
    slow.wants = true;
    rig.inlet(1).read_on();
    rig.inlet(1).finish();
  });
  EXPECT_TRUE(rig.wait([&] { return slow.heard.closed; }));
  EXPECT_EQ(server.ask("jsz")["streams"], 0);
}

TEST(JetStream, IsSharedByAGroupThatAcknowledges) {
  JetStreamServer server;
  BusRig rig(jetstream_at(server.address(), /*to_all=*/false, {{"fetch", "5"}, {"storage", "memory"}}));
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(200, "x")), 200u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 200; }));
  EXPECT_GT(rig.heard(first).frames.size(), 20u);
  EXPECT_GT(rig.heard(second).frames.size(), 20u);
  ASSERT_TRUE(comes_true([&] { return stream_at(server)["consumer_detail"][0]["ack_floor"]["consumer_seq"] == 200; }));
  EXPECT_EQ(stream_at(server)["config"]["storage"], "memory");
  EXPECT_EQ(stream_at(server)["state"]["consumer_count"], 1);
}

TEST(JetStream, HasAsManyUnacknowledgedAsItSays) {
  const std::pair<const char*, int> kWays[] = {{"explicit", 7}, {"all", 7}, {"none", 50}};
  for (const auto& [acknowledge, given] : kWays) {
    SCOPED_TRACE(acknowledge);
    JetStreamServer server;
    BusRig rig(jetstream_at(server.address(), /*to_all=*/false,
                            {{"acknowledge", acknowledge}, {"ack_pending", "7"}, {"fetch", "50"}}));
    Service& receiver = rig.receiver(1);
    Service& sender = rig.sender(7, {});
    take_one(rig, receiver, sender);
    ASSERT_EQ(rig.send(7, std::vector<std::string>(50, "x")), 50u);
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 51; }));
    const auto delivered = [&] { return stream_at(server)["consumer_detail"][0]["delivered"]["consumer_seq"]; };
    EXPECT_TRUE(comes_true([&] { return delivered() == 1 + given; })) << delivered();
    rig.call([&] {
      receiver.wants = true;
      rig.inlet(1).read_on();
    });
    EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 51; }));
    EXPECT_EQ(stream_at(server)["consumer_detail"][0]["config"]["ack_policy"], acknowledge);
  }
}

TEST(JetStream, GivesToAnotherWhatAKilledOneHasNotAcknowledged) {
  JetStreamServer server;
  BusRig rig(jetstream_at(server.address(), /*to_all=*/false, {{"take_over", "300ms"}, {"fetch", "10"}}));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  take_one(rig, receiver, sender);
  ASSERT_EQ(rig.send(7, std::vector<std::string>(20, "x")), 20u);
  ASSERT_TRUE(comes_true([&] { return stream_at(server)["consumer_detail"][0]["num_ack_pending"] == 10; }));
  rig.call([&] { rig.inlet(1).cut_off(); });
  Service& other = rig.receiver(2);
  ASSERT_TRUE(rig.wait([&] { return payloads_of(other.heard).size() == 20; }));
  EXPECT_EQ(marked_again(rig.heard(other)), 10u);
}

// What it has asked for it still takes, so that nothing is given out a second time.
TEST(JetStream, LeavesAGroupWithNothingDeliveredAgain) {
  JetStreamServer server;
  BusRig rig(jetstream_at(server.address(), /*to_all=*/false, {{"take_over", "60s"}, {"window", "100000"}}));
  Service& leaving = rig.receiver(1);
  Service& other = rig.receiver(2);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  uint64_t sent = 0;
  while (sent < 5'000) {
    sent += rig.send(7, std::vector<std::string>(100, "x"));
    if (sent == 2'000) rig.call([&] { rig.inlet(1).finish(); });
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == sent; }));
  }
  ASSERT_TRUE(rig.wait([&] { return leaving.heard.closed; }));
  ASSERT_TRUE(rig.wait([&] { return leaving.heard.frames.size() + other.heard.frames.size() >= sent; }));
  EXPECT_EQ(payloads_of(rig.heard(leaving)).size() + payloads_of(rig.heard(other)).size(), sent);
  EXPECT_EQ(marked_again(rig.heard(leaving)) + marked_again(rig.heard(other)), 0u);
}

// Fewer of them at a time, as the server holds what it was asked for.
TEST(JetStream, AsksForNoMoreLargeMessagesThanAServerHolds) {
  NatsServer server(
      "max_payload: 8388608\nmax_pending: 20971520\nwrite_deadline: 120s\njetstream { store_dir: \"{folder}\" }");
  BusRig rig(jetstream_at(server.address(), /*to_all=*/true, {{"fetch", "100"}, {"storage", "memory"}}));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const std::string large(900'000, 'x');
  rig.send(7, {large});
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  rig.call([&] { receiver.wants = false; });
  for (uint64_t i = 2; i <= 50; i++) {
    ASSERT_EQ(rig.send(7, {large}), 1u);
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == i; }));
  }
  rig.call([&] { receiver.wants = true; });
  std::this_thread::sleep_for(2500ms);  // it asks whether there are any yet, while they are on their way
  rig.call([&] { rig.inlet(1).read_on(); });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 50 || !receiver.heard.lost.empty(); }, 20s));
  EXPECT_THAT(rig.heard(receiver).lost, IsEmpty());
}

TEST(JetStream, GivesMessagesIdsWhereTheServerIsToKnowThem) {
  JetStreamServer server;
  BusRig rig(jetstream_at(server.address(), /*to_all=*/true, {{"deduplication", "180s"}}));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, {});
  RawClient listener("http://" + server.address() + "/receiver/1");
  listener.send("CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB n2nq.00000000000000ab 1\r\nPING\r\n");
  std::string said;
  while (said.find("PONG") == std::string::npos) said += listener.read(1);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b"}), 2u);
  ASSERT_TRUE(rig.wait([&] { return payloads_of(receiver.heard) == std::vector<std::string>{"a", "b"}; }));
  said.clear();
  while (said.find("Nats-Msg-Id: 7-2\r\n") == std::string::npos) said += listener.read(1);
  EXPECT_THAT(said, HasSubstr("Nats-Msg-Id: 7-1\r\n"));
  EXPECT_EQ(stream_at(server)["config"]["duplicate_window"], 180'000'000'000);
}

TEST(JetStream, IsRemovedByASenderWhereNoReceiverIsLeft) {
  JetStreamServer server;
  BusRig rig(jetstream_at(server.address(), /*to_all=*/true));
  rig.receiver(1);
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { rig.inlet(1).cut_off(); });
  ASSERT_TRUE(comes_true([&] { return server.ask("varz")["connections"] == 1; }));
  EXPECT_EQ(server.ask("jsz")["streams"], 1);
  rig.call([&] { rig.outlet(7).finish(); });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  EXPECT_EQ(server.ask("jsz")["streams"], 0);
}

// While the server has something to answer with to the receiver, and while it has not.
TEST(JetStream, SaysThatSomebodyRemovedItsStream) {
  for (const bool reads : {true, false}) {
    SCOPED_TRACE(reads);
    JetStreamServer server;
    BusRig rig(jetstream_at(server.address(), /*to_all=*/true));
    Service& receiver = rig.receiver(1, reads);
    Service& sender = rig.sender(7, {});
    ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
    ASSERT_TRUE(reads || comes_true([&] { return stream_at(server)["consumer_detail"][0]["num_waiting"] == 0; }));
    RawClient other("http://" + server.address() + "/receiver/1");
    other.send("CONNECT {\"verbose\":false}\r\nPUB $JS.API.STREAM.DELETE.n2nq_00000000000000ab 0\r\n\r\n");
    ASSERT_TRUE(comes_true([&] { return server.ask("jsz")["streams"] == 0; }));
    ASSERT_EQ(rig.send(7, {"a", "b"}), 2u);
    ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
    EXPECT_EQ(rig.heard(sender).refused, 2);
    EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("no such stream"));
    rig.call([&] {
      receiver.wants = true;
      rig.inlet(1).read_on();
    });
    ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }, 20s));
    EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr("somebody removed it"));
  }
}

TEST(JetStream, SaysWhyItsServerDoesNotMakeIt) {
  const NatsServer without;
  JetStreamServer server;
  for (const auto& [address, settings, text] :
       {std::tuple(without.address(), std::map<std::string, std::string>(), "there is no JetStream"),
        std::tuple(server.address(), std::map<std::string, std::string>{{"replicas", "3"}},
                   "replicas > 1 not supported in non-clustered mode")}) {
    SCOPED_TRACE(text);
    BusRig rig(jetstream_at(address, /*to_all=*/true, settings));
    Service& receiver = rig.receiver(1);
    ASSERT_TRUE(rig.wait([&] { return !receiver.heard.lost.empty(); }, 20s));
    EXPECT_EQ(rig.heard(receiver).lost.front().kind, Loss::Kind::not_joined);
    EXPECT_THAT(rig.heard(receiver).lost.front().text, HasSubstr(text));
  }
}

TEST(JetStream, TellsWhatItAnsweredOutOfOrderInOrder) {
  const std::string inbox = "n2nq.00000000000000ab.sender.7.";
  const auto answer = [&](int index, const std::string& text) {
    return "MSG " + inbox + std::to_string(index) + " 1 " + std::to_string(text.size()) + "\r\n" + text + "\r\n";
  };
  const std::string good = R"({"stream":"x", "seq":1})", bad = R"({"error":{"code":503,"description":"no space"}})";
  const FakeNats server(
      {.answers = {{"PUB", {answer(3, bad) + answer(1, good), "", answer(4, good) + answer(2, good)}}}});
  BusRig rig(jetstream_at(server.address(), /*to_all=*/true));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"1", "2", "3", "4"}), 4u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_EQ(rig.heard(sender).accepted, 3u);
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("refuses a message: \"no space\""));
  using Fate = wire::Tally::Fate;
  rig.call([&] {
    EXPECT_EQ(rig.outlet(7).unanswered(),
              (std::vector<wire::Tally::Stretch>{{.first = 3, .last = 3, .fate = Fate::refused}}));
  });
}

// The one before it may be lost in a stream that somebody removes.
TEST(JetStream, EndsAfterARefusalAlsoWhereAMessageBeforeItHasNoAnswer) {
  const auto answer = [&](int index, const std::string& text) {
    return "MSG n2nq.00000000000000ab.sender.7." + std::to_string(index) + " 1 " + std::to_string(text.size()) +
           "\r\n" + text + "\r\n";
  };
  const std::string good = R"({"stream":"x", "seq":1})", bad = R"({"error":{"code":503,"description":"no space"}})";
  const FakeNats server({.answers = {{"PUB", {"", answer(2, good) + answer(3, bad), answer(4, good)}}}});
  BusRig rig(jetstream_at(server.address(), /*to_all=*/true));
  Service& sender = rig.sender(7, {});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"1", "2", "3", "4", "5"}), 5u);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }, 20s));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("refuses a message: \"no space\""));
  EXPECT_EQ(rig.heard(sender).accepted, 2u);
  EXPECT_EQ(rig.heard(sender).refused, 1);
  using Fate = wire::Tally::Fate;
  rig.call([&] {
    EXPECT_EQ(rig.outlet(7).unanswered(),
              (std::vector<wire::Tally::Stretch>{
                  {.first = 1, .last = 1}, {.first = 3, .last = 3, .fate = Fate::refused}, {.first = 5, .last = 5}}));
  });
}

TEST(JetStream, CountsDeliveriesByTheSubjectForAcknowledgements) {
  EXPECT_EQ(deliveries_of("$JS.ACK.s.c.2.1.5.1795713664037557210.0"), 2u);
  EXPECT_EQ(deliveries_of("$JS.ACK.hub.ACCOUNT.s.c.3.1.5.1795713664037557210.0"), 3u);
  EXPECT_EQ(deliveries_of("$JS.ACK.hub.ACCOUNT.s.c.4.1.5.1795713664037557210.0.random"), 4u);
  for (const char* wrong : {"", "n2nq.x", "$JS.ACK.", "$JS.ACK.s.c", "$JS.ACK.s.c.", "$JS.ACK.s.c.x.1.5.1.0"})
    EXPECT_EQ(deliveries_of(wrong), 0u) << wrong;
}

}  // namespace
}  // namespace n2nq::bus::test
