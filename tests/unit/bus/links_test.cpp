// Senders' and receivers' ends of HTTP and WebSocket, in one loop.
#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "broker/base/clock.h"
#include "tests/helpers/run.h"
#include "tests/unit/bus/bus_rig.h"

namespace n2nq::bus::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using testing::UnorderedElementsAreArray;

struct Way {
  std::string name;
  std::string kind;
  std::map<std::string, std::string> settings{};
};

class Links : public testing::TestWithParam<Way> {
 protected:
  BusOptions options(bool replies = false, bool to_all = false) const {
    return {.kind = GetParam().kind, .settings = GetParam().settings, .replies = replies, .to_all = to_all};
  }
  bool web_socket() const { return GetParam().kind == "websocket"; }
  bool fresh() const { return GetParam().settings.contains("connection"); }
};

TEST_P(Links, CarryFramesAsTheyAreToReceiversInTurn) {
  BusRig rig(options());
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "", "c", std::string(100'000, 'd')}), 4u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 4; }));
  rig.note([&] { EXPECT_THAT(first.heard.frames, SizeIs(2)); });
  size_t bytes = 0;
  for (const Service* one : {&first, &second}) {
    for (const auto& frame : rig.heard(*one).frames) {
      const wire::DataHeader header = wire::read_data_header(frame.data());
      EXPECT_EQ(header.length, frame.size());
      EXPECT_EQ(header.sender, 7u);
      EXPECT_EQ(wire::crc32c(std::span(frame).subspan(wire::kDataHeaderBytes)), header.checksum);
      bytes += header.payload_size();
    }
  }
  EXPECT_EQ(bytes, 100'002u);
  EXPECT_TRUE(rig.wait([&] { return web_socket() || sender.heard.accepted == 4; }));
  std::vector<ForeignOutlet::Share> shares;
  rig.call([&] { shares = rig.outlet(7).shares(); });
  ASSERT_THAT(shares, SizeIs(2));
  EXPECT_EQ(shares[0].messages + shares[1].messages, 4u);
}

TEST_P(Links, CloseOnceEverythingIsOutAndRead) {
  BusRig rig(options());
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b", "c"}), 3u);
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  rig.call([] {});
  rig.note([&] { EXPECT_THAT(receiver.heard.frames, SizeIs(3)); });
  rig.note([&] { EXPECT_THAT(sender.heard.lost, IsEmpty()); });
  rig.note([&] { EXPECT_THAT(receiver.heard.told, IsEmpty()); });
  rig.note([&] { EXPECT_THAT(sender.heard.told, IsEmpty()); });
}

TEST_P(Links, BringRepliesBackInAnyOrder) {
  BusRig rig(options(true));
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b"}), 2u);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 2; }));
  const std::string large(300'000, 'r');
  rig.call([&] {
    EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 2, 1, "second")));
    EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 1, 1, large)));
  });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.frames.size() == 2; }));
  std::map<uint64_t, size_t> sizes;
  for (const auto& frame : rig.heard(sender).frames) {
    const auto reply = wire::decode_reply(frame);
    ASSERT_TRUE(reply) << reply.error().text;
    sizes[reply->index] = reply->payload_size();
  }
  EXPECT_EQ(sizes, (std::map<uint64_t, size_t>{{1, 300'000}, {2, 6}}));
}

TEST_P(Links, TellOfAReplyThatHasNowhereToGoOnce) {
  BusRig rig(options(true));
  Service& receiver = rig.receiver(1);
  rig.call([&] {
    EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 2, 1, "")));
    EXPECT_TRUE(rig.inlet(1).reply(reply_frame(7, 3, 1, "")));
  });
  rig.note([&] { EXPECT_THAT(receiver.heard.told, ElementsAre(HasSubstr("a reply has nowhere to go"))); });
}

// What both ends counted at their sockets is the same, and is more than the frames; TLS adds to it.
TEST_P(Links, CountAllBytesOnTheWire) {
  BusRig rig(options());
  rig.receiver(1);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {std::string(1000, 'x'), std::string(1000, 'y')}), 2u);
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  const LinkCounters out = rig.counters(rig.outlet(7));
  LinkCounters in;
  const Deadline deadline = 10s;  // the receiver's end may be a few turns behind
  do {
    in = rig.counters(rig.inlet(1));
  } while (in.received_bytes < out.sent_bytes && !deadline.passed());
  EXPECT_EQ(in.received_bytes, out.sent_bytes);
  EXPECT_GE(in.sent_bytes, out.received_bytes);  // what came after the end nobody read
  EXPECT_GT(out.sent_bytes, 2 * (1000 + wire::kDataHeaderBytes));
  EXPECT_LT(out.sent_bytes, 2 * (1000 + wire::kDataHeaderBytes) + 4000);
  // Where connections are kept, two messages that are under way at a time need two; a fresh one asks first.
  EXPECT_EQ(out.connections, web_socket() ? 1u : fresh() ? 3u : 2u);
  EXPECT_EQ(in.connections, out.connections);
}

TEST_P(Links, HoldTheSenderWhileAReceiverTakesNothing) {
  BusRig rig(options());
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { receiver.wants = false; });
  size_t sent = 0;
  const std::string payload(500'000, 'x');
  while (rig.send(7, {payload}) == 1) ASSERT_LT(++sent, 1000u);
  EXPECT_GT(sent, 0u);
  rig.note([&] { EXPECT_EQ(sender.heard.writable, 0); });
  rig.call([&] {
    receiver.wants = true;
    rig.inlet(1).read_on();
  });
  EXPECT_TRUE(rig.wait([&] { return sender.heard.writable > 0 && receiver.heard.frames.size() == sent; }));
}

// Where messages are answered one by one, what a connection carries first is no exception.
TEST_P(Links, AnswerForNothingWhileAReceiverTakesNothing) {
  if (web_socket()) return;
  BusRig rig(options());
  Service& holding = rig.receiver(1);
  Service& taking = rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { holding.wants = false; });
  std::vector<std::string> payloads;
  for (size_t i = 0; i < 64; i++) payloads.emplace_back(i % 16 < 2 ? 100'000 : i, 'x');
  ASSERT_EQ(rig.send(7, payloads), 64u);
  ASSERT_TRUE(rig.wait([&] { return taking.heard.frames.size() == 32 && sender.heard.accepted >= 32; }));
  rig.note([&] {
    EXPECT_THAT(holding.heard.frames, IsEmpty());
    EXPECT_EQ(sender.heard.accepted, 32u);
  });
  rig.call([&] {
    holding.wants = true;
    rig.inlet(1).read_on();
  });
  EXPECT_TRUE(rig.wait([&] { return holding.heard.frames.size() == 32 && sender.heard.accepted == 64; }));
}

TEST_P(Links, GoOnWithoutAReceiverThatIsGone) {
  BusRig rig(options());
  Service& first = rig.receiver(1);
  rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { rig.inlet(2).cut_off(); });
  if (web_socket()) {
    ASSERT_TRUE(rig.wait([&] { return !sender.heard.told.empty(); }));
    rig.note([&] { EXPECT_THAT(sender.heard.told, ElementsAre(HasSubstr("the connection to receiver 2"))); });
  }
  for (int i = 0; i < 6; i++) {
    size_t before = 0;
    rig.note([&] { before = first.heard.frames.size() + sender.heard.told.size(); });
    ASSERT_EQ(rig.send(7, {"x"}), 1u);
    ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + sender.heard.told.size() > before || i > 1; }));
  }
  EXPECT_TRUE(rig.wait([&] { return first.heard.frames.size() >= 3; }));
  rig.note([&] {
    EXPECT_THAT(sender.heard.told, Contains(HasSubstr("receiver 2 at 127.0.0.1")));
    EXPECT_THAT(sender.heard.lost, IsEmpty());
  });
}

TEST_P(Links, WithAnotherTokenAreRefused) {
  BusRig rig(options());
  Service& receiver = rig.receiver(1);
  BusOptions other = options();
  other.token = "another";
  BusRig stranger(other);
  Service& sender = stranger.sender(7, rig.peers());
  ASSERT_TRUE(stranger.wait([&] { return !sender.heard.lost.empty(); }));
  const Loss loss = stranger.heard(sender).lost.front();
  EXPECT_EQ(loss.kind, Loss::Kind::not_joined);
  EXPECT_THAT(loss.text, AllOf(HasSubstr("receiver 1 at 127.0.0.1"), HasSubstr("the token is not")));
  EXPECT_TRUE(rig.wait([&] { return !receiver.heard.told.empty(); }));
  rig.note(
      [&] { EXPECT_THAT(receiver.heard.told, ElementsAre(HasSubstr("without the run's token; it was refused"))); });
}

TEST_P(Links, ToAReceiverThatIsNotThereAreRefused) {
  BusRig rig(options());
  rig.receiver(1);
  auto peers = rig.peers();
  const size_t number = peers[0].address.find("/receiver/1") + 10;
  peers[0].address.replace(number, 1, "9");
  Service& sender = rig.sender(7, peers);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  EXPECT_THAT(rig.heard(sender).lost.front().text, HasSubstr("as it is not there"));
}

INSTANTIATE_TEST_SUITE_P(Buses, Links,
                         testing::Values(Way{"http", "http"}, Way{"http_tls", "http", {{"tls", "true"}}},
                                         Way{"http_fresh", "http", {{"connection", "fresh"}}},
                                         Way{"http_fresh_tls", "http", {{"connection", "fresh"}, {"tls", "true"}}},
                                         Way{"websocket", "websocket"},
                                         Way{"websocket_tls", "websocket", {{"tls", "true"}}}),
                         [](const auto& one) { return one.param.name; });

// The receivers' own port stands for it, which passes on whatever comes.
class Balanced : public Links {};

TEST_P(Balanced, LinksLeaveItToALoadBalancerWhoGetsAMessage) {
  const n2nq::test::ReservedPort port;
  BusOptions options = this->options();
  options.settings["receiver_port"] = std::to_string(port.number());
  options.settings["address"] = "127.0.0.1:" + options.settings["receiver_port"];
  BusRig rig(options);
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, {{.receiver = 1, .address = "nobody looks at it"}});
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b", "c", "d"}), 4u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 4; }));
  const size_t of_first = rig.heard(first).frames.size();
  EXPECT_TRUE(web_socket() ? of_first == 4 || of_first == 0 : of_first == 2) << of_first;
  std::vector<ForeignOutlet::Share> shares;
  rig.call([&] { shares = rig.outlet(7).shares(); });
  EXPECT_THAT(shares, IsEmpty()) << "it does not know";
  const auto health = [&] {
    RawClient check(rig.address(1));
    check.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n");
    return check.read().substr(0, 12);
  };
  EXPECT_EQ(health(), "HTTP/1.1 200");
  // What one takes no more the other gets; whoever had a connection to it has another.
  const auto send = [&](const std::string& payload) {
    const n2nq::test::Deadline deadline(10s);
    while (rig.send(7, {payload}) == 0 && !deadline.passed()) std::this_thread::sleep_for(1ms);
  };
  const uint32_t gone = of_first == 0 ? 2 : 1;
  rig.call([&] { rig.inlet(gone).finish(); });
  ASSERT_TRUE(rig.wait([&] { return (gone == 1 ? first : second).heard.closed; }));
  EXPECT_EQ(health(), "HTTP/1.1 200");
  EXPECT_TRUE(rig.wait([&] { return !web_socket() || sender.heard.writable > 0; })) << "it is told that it may go on";
  send("e");
  send("f");
  EXPECT_TRUE(rig.wait([&] { return first.heard.frames.size() + second.heard.frames.size() == 6; }));
  rig.call([&] { rig.inlet(3 - gone).finish(); });
  EXPECT_EQ(health(), "HTTP/1.1 503");
  if (!web_socket()) {
    send("g");
    std::vector<wire::Tally::Stretch> unanswered;
    ASSERT_TRUE(rig.wait([&] { return !sender.heard.told.empty(); }));
    rig.call([&] { unanswered = rig.outlet(7).unanswered(); });
    ASSERT_THAT(unanswered, SizeIs(1));
    EXPECT_EQ(unanswered[0].fate, wire::Tally::Fate::unanswered);
    EXPECT_EQ(unanswered[0].receiver, 0u);
  }
  rig.note([&] { EXPECT_THAT(first.heard.told, IsEmpty()); });
  rig.note([&] { EXPECT_THAT(sender.heard.lost, IsEmpty()) << "there may be others again"; });
}

INSTANTIATE_TEST_SUITE_P(Buses, Balanced,
                         testing::Values(Way{"http", "http"}, Way{"http_fresh", "http", {{"connection", "fresh"}}},
                                         Way{"websocket", "websocket"}),
                         [](const auto& one) { return one.param.name; });

TEST(SourcePorts, AreThoseThatConnectionsLeaveFrom) {
  for (const char* kind : {"http", "websocket"}) {
    n2nq::test::ReservedPort listener;
    listener.listen();
    const PortRange range{.first = 21'000, .last = 21'999};
    net::SocketWishes sockets;
    sockets.ports = std::make_shared<net::SourcePorts>(range);
    BusRig rig({.kind = kind, .sockets = sockets});
    const std::string address = std::string(kind == std::string("http") ? "http" : "ws") +
                                "://127.0.0.1:" + std::to_string(listener.number()) + "/receiver/1";
    rig.sender(7, {{.receiver = 1, .address = address}});
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const int connection = ::accept(listener.fd(), reinterpret_cast<sockaddr*>(&from), &size);
    ASSERT_GE(connection, 0);
    ::close(connection);
    EXPECT_GE(ntohs(from.sin_port), range.first) << kind;
    EXPECT_LE(ntohs(from.sin_port), range.last) << kind;
  }
}

// On this computer a connection is open when the call for it returns: most of what a message takes here.
TEST(HttpLinks, CountTheOpeningOfAConnectionAsPartOfItsMessage) {
  BusRig rig({.kind = "http", .settings = {{"connection", "fresh"}}});
  rig.receiver(1);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  int mostly_behind = 0;  // as whoever waits for a processor may do so at any time
  for (uint64_t index = 1; index <= 50; index++) {
    rig.call([&] {
      Batch batch(1024);
      batch.add(7, index, 5, bytes_of("x"), wire::crc32c(bytes_of("x")));
      const int64_t begun_ns = now_ns();
      ASSERT_EQ(rig.outlet(7).hand_over(batch), 1u);
      const int64_t sent_ns = batch.header(0).sent_ns;
      mostly_behind += 2 * (sent_ns - begun_ns) < now_ns() - sent_ns;
    });
    ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == index; }));
  }
  EXPECT_GT(mostly_behind, 25);
}

TEST(WebSocketLinks, BringEachMessageToAllReceivers) {
  BusRig rig({.kind = "websocket", .to_all = true});
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"a", "b", std::string(70'000, 'c')}), 3u);
  EXPECT_TRUE(rig.wait([&] { return first.heard.frames.size() == 3 && second.heard.frames.size() == 3; }));
  rig.note([&] { EXPECT_EQ(first.heard.frames, second.heard.frames); });
  std::vector<ForeignOutlet::Share> shares;
  rig.call([&] { shares = rig.outlet(7).shares(); });
  EXPECT_THAT(shares, IsEmpty());
}

// What receivers that have their turn get together goes out by one write each, and yet no message is sent before the
// one that comes before it.
TEST(WebSocketLinks, SendTheMessagesOfABatchAtOneTime) {
  BusRig rig({.kind = "websocket"});
  Service& first = rig.receiver(1);
  Service& second = rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, std::vector<std::string>(6, "x")), 6u);
  ASSERT_TRUE(rig.wait([&] { return first.heard.frames.size() == 3 && second.heard.frames.size() == 3; }));
  std::set<int64_t> times;
  rig.note([&] {
    for (const Service* one : {&first, &second})
      for (const auto& frame : one->heard.frames) times.insert(wire::read_data_header(frame.data()).sent_ns);
  });
  EXPECT_THAT(times, SizeIs(1));
  EXPECT_THAT(times, Not(Contains(6)));  // as of when the batch was made
}

// The connection stays until the receiver has read the answer to its Close, which it is kept from here.
TEST(WebSocketLinks, HandNothingToAReceiverThatHasSaidClose) {
  BusRig rig({.kind = "websocket"});
  Service& leaving = rig.receiver(1);
  Service& staying = rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  const uint64_t before = rig.counters(rig.outlet(7)).received_bytes;
  rig.call([&] {
    leaving.wants = false;
    rig.inlet(1).finish();
  });
  const Deadline deadline = 10s;
  while (rig.counters(rig.outlet(7)).received_bytes == before) ASSERT_FALSE(deadline.passed());
  rig.note([&] { EXPECT_THAT(sender.heard.told, IsEmpty()) << "its connection is there yet"; });
  ASSERT_EQ(rig.send(7, {"a", "b", "c", "d"}), 4u);
  EXPECT_TRUE(rig.wait([&] { return staying.heard.frames.size() == 4; }));
  rig.call([&] {
    leaving.wants = true;
    rig.inlet(1).read_on();
  });
  EXPECT_TRUE(rig.wait([&] { return leaving.heard.closed && !sender.heard.told.empty(); }));
  rig.note([&] { EXPECT_THAT(leaving.heard.frames, IsEmpty()); });
}

TEST(WebSocketLinks, TakeNoRepliesForARequesterThatReadsNone) {
  BusRig rig({.kind = "websocket", .replies = true});
  Service& receiver = rig.receiver(1);
  RawClient requester(rig.address(1));
  requester.send(handshake(1, 7));
  ASSERT_THAT(requester.read(12), HasSubstr("101"));
  const auto large = reply_frame(7, 1, 1, std::string(1'000'000, 'r'));
  bool taken = true;
  for (int i = 0; taken && i < 1000; i++) rig.call([&] { taken = rig.inlet(1).reply(large); });
  EXPECT_FALSE(taken);
  rig.note([&] { EXPECT_EQ(receiver.heard.writable, 0); });
  std::thread reader([&] { requester.reads_end(); });
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.writable > 0; }));
  rig.call([&] { rig.inlet(1).cut_off(); });
  reader.join();
}

// Full of replies it takes no requests, and so does not read that the requester is gone.
TEST(WebSocketLinks, TakeRepliesForOthersOnceARequesterIsGoneThatReadNone) {
  BusRig rig({.kind = "websocket", .replies = true});
  Service& receiver = rig.receiver(1);
  auto requester = std::make_unique<RawClient>(rig.address(1));
  requester->send(handshake(1, 7));
  ASSERT_THAT(requester->read(12), HasSubstr("101"));
  const auto large = reply_frame(7, 1, 1, std::string(1'000'000, 'r'));
  bool taken = true;
  for (int i = 0; taken && i < 1000; i++) rig.call([&] { taken = rig.inlet(1).reply(large); });
  ASSERT_FALSE(taken);
  rig.call([&] { receiver.wants = false; });
  requester.reset();  // what it has not read makes that a reset
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.writable > 0; }));
}

TEST(HttpLinks, HaveNoMoreConnectionsThanTheyMay) {
  BusRig rig({.kind = "http", .settings = {{"connections", "2"}}});
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  EXPECT_EQ(rig.send(7, {"a", "b", "c"}), 2u);
  EXPECT_TRUE(rig.wait([&] { return sender.heard.writable == 1; }));
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 2; }));
  EXPECT_LE(rig.counters(rig.outlet(7)).connections, 2u);
}

TEST(HttpLinks, TellWhichMessageWasAnswered) {
  BusRig rig({.kind = "http"});
  Service& holding = rig.receiver(1);
  Service& taking = rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { holding.wants = false; });
  ASSERT_EQ(rig.send(7, {"a", "b", "c", "d"}), 4u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 2; }));
  const auto indices_of = [&](const Service& receiver) {
    std::vector<uint64_t> all;
    for (const auto& frame : rig.heard(receiver).frames) all.push_back(wire::read_data_header(frame.data()).index);
    return all;
  };
  EXPECT_THAT(rig.heard(sender).answered, UnorderedElementsAreArray(indices_of(taking)));
  rig.call([&] {
    holding.wants = true;
    rig.inlet(1).read_on();
  });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 4; }));
  EXPECT_THAT(rig.heard(sender).answered, UnorderedElementsAre(1, 2, 3, 4));
}

// What waits for its reply is refused when it comes again, with 409.
TEST(HttpLinks, CountNoMessageAsAcceptedThatGotAnotherStatus) {
  BusRig rig({.kind = "http", .replies = true});
  Service& receiver = rig.receiver(1);
  RawClient first(rig.address(1)), second(rig.address(1));
  for (uint64_t index : {1, 2}) {
    const auto frame = message_frame(7, index, "x");
    (index == 1 ? first : second).send(post_head(1, frame.size()) + std::string(frame.begin(), frame.end()));
  }
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 2; }));
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  ASSERT_EQ(rig.send(7, {"x", "x", "x"}), 3u);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 3 && !sender.heard.told.empty(); }));
  rig.call([&] { rig.inlet(1).reply(reply_frame(7, 3, 1, "yes")); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted > 0; }));
  rig.call([&] { rig.outlet(7).finish(); });
  ASSERT_TRUE(rig.wait([&] { return sender.heard.closed; }));
  rig.note([&] {
    EXPECT_EQ(sender.heard.accepted, 1u);
    EXPECT_THAT(sender.heard.frames, SizeIs(1));
    EXPECT_THAT(sender.heard.lost, IsEmpty());
    EXPECT_THAT(
        sender.heard.told,
        ElementsAre(AllOf(HasSubstr("a message to receiver 1 at 127.0.0.1"),
                          HasSubstr("got no answer: it answered with status 409"), HasSubstr("it is not sent again")),
                    AllOf(HasSubstr("2 of 3 messages to receiver 1"), HasSubstr("got no answer"))));
  });
  std::vector<ForeignOutlet::Share> shares;
  std::vector<wire::Tally::Stretch> unanswered;
  rig.call([&] {
    shares = rig.outlet(7).shares();
    unanswered = rig.outlet(7).unanswered();
  });
  ASSERT_THAT(shares, SizeIs(1));
  EXPECT_EQ(shares[0].messages, 3u) << "they went there, and are missing there";
  EXPECT_THAT(unanswered, ElementsAre(wire::Tally::Stretch{
                              .first = 1, .last = 2, .receiver = 1, .fate = wire::Tally::Fate::unanswered}));
}

TEST(HttpLinks, PassOverAReceiverThatIsNotThereAnyMore) {
  BusRig rig({.kind = "http", .settings = {{"connection", "fresh"}}});
  Service& staying = rig.receiver(1);
  rig.receiver(2);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { rig.inlet(2).cut_off(); });
  ASSERT_EQ(rig.send(7, {"x", "x"}), 2u);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.accepted == 1 && !sender.heard.told.empty(); }));
  ASSERT_EQ(rig.send(7, {"x", "x", "x", "x"}), 4u);
  EXPECT_TRUE(rig.wait([&] { return staying.heard.frames.size() == 5 && sender.heard.accepted == 5; }));
  rig.note([&] {
    EXPECT_THAT(sender.heard.told, ElementsAre(AllOf(HasSubstr("a message to receiver 2"),
                                                     HasSubstr("it answered with status 404, as it is not there"),
                                                     HasSubstr("it is not sent again"))));
  });
}

// What it was to get makes room for the next message, and whoever waits for room is told.
TEST(HttpLinks, GoOnWhenAllConnectionsAreInUseAndAReceiverHasLeft) {
  BusRig rig({.kind = "http", .settings = {{"connections", "2"}}, .replies = true});
  rig.receiver(1);
  Service& staying = rig.receiver(2);
  Service& sender = rig.sender(8, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rig.call([&] { rig.inlet(1).cut_off(); });
  ASSERT_EQ(rig.send(8, {"x", "x", "x"}), 2u);  // one to each, and the one that stays does not answer yet
  EXPECT_TRUE(rig.wait([&] { return sender.heard.writable == 1; }));
  EXPECT_EQ(rig.send(8, {"x", "x"}), 1u);
  EXPECT_TRUE(rig.wait([&] { return staying.heard.frames.size() == 2; }));
}

TEST(HttpLinks, KeepMessagesBackWhileTheSystemAllowsNoConnection) {
  BusRig rig({.kind = "http", .settings = {{"connection", "fresh"}}});
  Service& receiver = rig.receiver(1);
  Service& sender = rig.sender(7, rig.peers());
  ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
  rlimit open_files{};
  ::getrlimit(RLIMIT_NOFILE, &open_files);
  const rlimit none{.rlim_cur = 0, .rlim_max = open_files.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &none);
  EXPECT_EQ(rig.send(7, {"a"}), 0u);
  EXPECT_EQ(rig.send(7, {"a"}), 0u);
  ::setrlimit(RLIMIT_NOFILE, &open_files);
  ASSERT_TRUE(rig.wait([&] { return sender.heard.writable > 0; }));
  EXPECT_EQ(rig.send(7, {"a"}), 1u);
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1 && sender.heard.accepted == 1; }));
  rig.note([&] { EXPECT_THAT(sender.heard.told, ElementsAre(HasSubstr("no connection can be opened"))); });
}

TEST(MakeBus, RefusesToBeWithoutAToken) {
  net::EventLoop events;
  const auto made = make_bus({.kind = "http", .listen = "127.0.0.1"}, {.events = events, .clock = {}});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text, HasSubstr("token"));
}

TEST(Entrance, IsAtAnAddressThatSendersCanReach) {
  BusRig rig({.kind = "http", .listen = "0.0.0.0"});
  Service& receiver = rig.receiver(1);
  const std::vector<Loss> lost = rig.heard(receiver).lost;
  ASSERT_THAT(lost, SizeIs(1));
  EXPECT_THAT(lost.front().text, HasSubstr("give --bus-listen one that senders can reach"));
}

}  // namespace
}  // namespace n2nq::bus::test
