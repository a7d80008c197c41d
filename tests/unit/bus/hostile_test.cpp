// Whoever comes with the wrong bytes is sent away in words, and the run goes on.
#include "tests/unit/bus/bus_rig.h"
#include "workers/bus/http/http_inlet.h"
#include "workers/bus/stream/entrance.h"
#include "workers/bus/websocket/ws_frame.h"

namespace n2nq::bus::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::string text_of(const std::vector<uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

struct Bad {
  std::string bytes;
  std::string answer;  // what its answer begins with
  std::string told;
};

// A masked binary frame, or whatever its first byte says.
std::string ws_frame(std::string_view payload, int first = 0x82) {
  const WsKey key{9, 8, 7, 6};
  std::vector<uint8_t> frame(kLongestWsHead + payload.size());
  const size_t head = write_ws_head(frame.data(), WsOp::binary, payload.size(), &key);
  mask_ws(frame.data() + head, bytes_of(payload), key);
  frame[0] = static_cast<uint8_t>(first);
  frame.resize(head + payload.size());
  return text_of(frame);
}

class Hostile : public testing::Test {
 protected:
  // Sends each on a connection of its own, then checks that an honest sender still gets its message through.
  static void try_all(const std::string& kind, const std::vector<Bad>& all) {
    for (const Bad& bad : all) {
      SCOPED_TRACE(bad.told);
      BusRig rig({.kind = kind});
      Service& receiver = rig.receiver(1);
      RawClient client(rig.address(1));
      client.send(bad.bytes);
      EXPECT_THAT(client.read(bad.answer.size()), bad.answer);
      EXPECT_TRUE(client.reads_end());
      EXPECT_TRUE(rig.wait([&] { return !receiver.heard.told.empty(); }));
      rig.note([&] { EXPECT_THAT(receiver.heard.told, ElementsAre(HasSubstr(bad.told))); });
      rig.note([&] { EXPECT_THAT(receiver.heard.frames, IsEmpty()); });
      Service& sender = rig.sender(7, rig.peers());
      ASSERT_TRUE(rig.wait([&] { return sender.heard.ready; }));
      rig.send(7, {"x"});
      EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
    }
  }
};

TEST_F(Hostile, HttpRequestsAreAnsweredWithAStatus) {
  const std::string frame = text_of(message_frame(3, 1, "hello"));
  const std::string long_field = "GET /receiver/1 HTTP/1.1\r\nX: " + std::string(9000, 'x');
  const std::string chunked = "POST /receiver/1 HTTP/1.1\r\nAuthorization: Bearer " + kToken +
                              "\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  const std::string put =
      "PUT /receiver/1 HTTP/1.1\r\nAuthorization: Bearer " + kToken + "\r\nContent-Length: 0\r\n\r\n";
  try_all("http",
          {
              {"hello\r\n\r\n", "HTTP/1.1 400", "no HTTP request"},
              {std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), "HTTP/1.1 400", "no HTTP request"},
              {long_field, "HTTP/1.1 431", "longer than 8 KiB"},
              {post_head(1, frame.size(), "wrong") + frame, "HTTP/1.1 401", "without the run's token"},
              {"GET /receiver/1 HTTP/1.1\r\n\r\n", "HTTP/1.1 401", "without the run's token"},
              {post_head(2, frame.size()) + frame, "HTTP/1.1 404", "not here: /receiver/2"},
              {post_head(1, frame.size() - 1) + frame, "HTTP/1.1 400", "not one whole message"},
              {post_head(1, 0), "HTTP/1.1 400", "not one whole message"},
              {post_head(1, 100'000'000), "HTTP/1.1 413", "more than 64 MiB"},
              {chunked, "HTTP/1.1 411", "without Content-Length"},
              {put, "HTTP/1.1 405", "no POST"},
          });
}

TEST_F(Hostile, WebSocketConnectionsAreClosedWithACode) {
  const std::string open = handshake(1, 3);
  const std::string granted =
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
  const auto closed = [&](int code) {
    return granted + "\x88\x02" + static_cast<char>(code >> 8) + static_cast<char>(code & 0xff);
  };
  const std::string frame = text_of(message_frame(3, 1, "hello"));
  const std::string huge = std::string("\x82\xff") + std::string(2, '\0') + std::string(6, '\x7f') + "keyk";
  try_all("websocket", {
                           {"\x01\x02\x03", "HTTP/1.1 400", "no HTTP request"},
                           {post_head(1, 0), "HTTP/1.1 400", "no plain GET"},
                           {"GET /receiver/1?sender=3 HTTP/1.1\r\nAuthorization: Bearer " + kToken + "\r\n\r\n",
                            "HTTP/1.1 426", "does not ask for WebSocket"},
                           {handshake(1, 3, "wrong"), "HTTP/1.1 401", "without the run's token"},
                           {handshake(2, 3), "HTTP/1.1 404", "not here"},
                           {handshake(1, 0), "HTTP/1.1 400", "which sender it is"},
                           {open + "\x82\x01x", closed(1002), "not masked"},
                           {open + ws_frame(frame, 0xc2), closed(1002), "extension"},
                           {open + ws_frame(frame, 0x81), closed(1003), "a text came"},
                           {open + huge, closed(1009), "longer than any"},
                           {open + ws_frame("junk"), closed(1008), "not one whole message of its sender"},
                           {open + ws_frame(text_of(message_frame(4, 1, "hello"))), closed(1008), "of its sender"},
                       });
}

TEST_F(Hostile, ASecondConnectionOfASenderIsRefused) {
  BusRig rig({.kind = "websocket"});
  rig.receiver(1);
  RawClient first(rig.address(1));
  first.send(handshake(1, 3));
  ASSERT_THAT(first.read(12), "HTTP/1.1 101");
  RawClient second(rig.address(1));
  second.send(handshake(1, 3));
  EXPECT_THAT(second.read(12), "HTTP/1.1 409");
}

TEST_F(Hostile, ARequestThatWaitsForItsReplyIsNotTakenTwice) {
  BusRig rig({.kind = "http", .replies = true});
  Service& receiver = rig.receiver(1);
  const std::string frame = text_of(message_frame(3, 1, "hello"));
  RawClient first(rig.address(1));
  first.send(post_head(1, frame.size()) + frame);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  RawClient second(rig.address(1));
  second.send(post_head(1, frame.size()) + frame);
  EXPECT_THAT(second.read(12), "HTTP/1.1 409");
  rig.call([&] { rig.inlet(1).reply(reply_frame(3, 1, 1, "yes")); });
  EXPECT_THAT(first.read(15), "HTTP/1.1 200 OK");
  rig.note([&] { EXPECT_THAT(receiver.heard.frames, SizeIs(1)); });
}

TEST_F(Hostile, APingIsAnsweredAndAMessageInPiecesAccepted) {
  BusRig rig({.kind = "websocket"});
  Service& receiver = rig.receiver(1);
  RawClient client(rig.address(1));
  const std::string frame = text_of(message_frame(3, 1, "hello"));
  client.send(handshake(1, 3));
  EXPECT_THAT(client.read(129), StartsWith("HTTP/1.1 101"));
  client.send(ws_frame(frame.substr(0, 20), 0x02) + ws_frame("!", 0x89) + ws_frame(frame.substr(20), 0x80));
  EXPECT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  rig.note([&] { EXPECT_EQ(text_of(receiver.heard.frames.front()), frame); });
  EXPECT_EQ(client.read(3), std::string("\x8a\x01!"));
}

// An inlet whose limits are short.
struct Short {
  StreamLoop loop;
  Entrance entrance;
  HttpInlet inlet;
  Short(const LoopParts& parts, Service& events, const EntranceLimits& limits, bool replies)
      : loop(parts),
        entrance(loop, {.kind = "http", .listen = "127.0.0.1", .token = kToken}, {}, "http", make_http_guest, limits),
        inlet(entrance, events, 1, replies) {}
};

// A connection that does not show the token in time makes room for others.
TEST_F(Hostile, WhoeverIsSlowToShowTheTokenIsCutOff) {
  BusRig rig({.kind = "http"});
  Service receiver(rig);
  std::unique_ptr<Short> made;
  std::string address;
  rig.call([&] {
    made = std::make_unique<Short>(rig.parts(), receiver, EntranceLimits{.head_ns = 30'000'000, .unproven = 2}, false);
    made->inlet.start();
    address = made->inlet.address();
  });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.ready; }));
  RawClient slow(address), silent(address);
  slow.send("POST /receiver/1 HT");
  // No room for this one until one of the others is cut off.
  RawClient honest(address);
  const std::string frame = text_of(message_frame(3, 1, "hello"));
  honest.send(post_head(1, frame.size()) + frame);
  EXPECT_THAT(honest.read(12), "HTTP/1.1 204");
  EXPECT_TRUE(slow.reads_end());
  EXPECT_TRUE(silent.reads_end());
  rig.note([&] { EXPECT_THAT(receiver.heard.told, ElementsAre(HasSubstr("sent no whole request in time"))); });
  rig.call([&] { made.reset(); });
}

// A requester may take its time to read, also where its connection is to end with the reply.
TEST_F(Hostile, AReplyIsNotCutForWhoeverReadsSlowly) {
  BusRig rig({.kind = "http"});
  Service receiver(rig);
  std::unique_ptr<Short> made;
  std::string address;
  rig.call([&] {
    made = std::make_unique<Short>(rig.parts(), receiver, EntranceLimits{.head_ns = 30'000'000, .close_ns = 1'000'000},
                                   true);
    made->inlet.start();
    address = made->inlet.address();
  });
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.ready; }));
  const std::string frame = text_of(message_frame(3, 1, "hello"));
  RawClient requester(address);
  std::string head = post_head(1, frame.size());
  requester.send(head.insert(head.size() - 2, "Connection: close\r\n") + frame);
  ASSERT_TRUE(rig.wait([&] { return receiver.heard.frames.size() == 1; }));
  const auto reply = reply_frame(3, 1, 1, std::string(20'000'000, 'r'));
  rig.call([&] { made->inlet.reply(reply); });
  // By the time that this one is cut off, the time to close would have been over as well.
  EXPECT_TRUE(RawClient(address).reads_end());
  const std::string answer = requester.read();
  ASSERT_GE(answer.size(), reply.size());
  EXPECT_EQ(answer.substr(answer.size() - reply.size()), text_of(reply));
  rig.call([&] { made.reset(); });
}

TEST_F(Hostile, PlainBytesAtAnEntranceWithTlsEndThere) {
  BusRig rig({.kind = "http", .settings = {{"tls", "true"}}});
  Service& receiver = rig.receiver(1);
  RawClient client(rig.address(1));
  client.send(post_head(1, 0));
  EXPECT_TRUE(client.reads_end());
  EXPECT_TRUE(rig.wait([&] { return !receiver.heard.told.empty(); }));
  rig.note([&] { EXPECT_THAT(receiver.heard.told, ElementsAre(HasSubstr("the TLS handshake failed"))); });
}

TEST_F(Hostile, AnotherCertificateThanTheRunsIsRefused) {
  BusRig rig({.kind = "http", .settings = {{"tls", "true"}}});
  rig.receiver(1);
  auto peers = rig.peers();
  char& digit = peers[0].address.back();
  digit = digit == '0' ? '1' : '0';
  Service& sender = rig.sender(7, peers);
  ASSERT_TRUE(rig.wait([&] { return !sender.heard.lost.empty(); }));
  const Loss loss = rig.heard(sender).lost.front();
  EXPECT_EQ(loss.kind, Loss::Kind::not_joined);
  EXPECT_THAT(loss.text, HasSubstr("its certificate is not the one that was made for the run"));
}

TEST_F(Hostile, RequestsThatComeAtOnceAreAllAnswered) {
  BusRig rig({.kind = "http"});
  Service& receiver = rig.receiver(1);
  RawClient client(rig.address(1));
  std::string requests, answers;
  for (int i = 0; i < 5000; i++) {
    requests += "GET /receiver/1 HTTP/1.1\r\nAuthorization: Bearer " + kToken + "\r\n\r\n";
    answers += "HTTP/1.1 204 No Content\r\n\r\n";
  }
  client.send(requests);
  EXPECT_TRUE(client.read(answers.size()) == answers);
  rig.note([&] { EXPECT_THAT(receiver.heard.told, IsEmpty()); });
}

}  // namespace
}  // namespace n2nq::bus::test
