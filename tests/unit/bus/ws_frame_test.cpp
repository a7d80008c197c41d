// Frames of WebSocket against the examples of RFC 6455, and what is refused.
#include "workers/bus/websocket/ws_frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace n2nq::bus {
namespace {

using Kind = WsDecoder::Step::Kind;
using testing::HasSubstr;

std::vector<uint8_t> wire_bytes(std::initializer_list<int> bytes) {
  std::vector<uint8_t> out;
  for (const int byte : bytes) out.push_back(static_cast<uint8_t>(byte));
  return out;
}
std::string text_of(std::span<const uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

TEST(WsFrame, AnswersTheKeyOfTheStandard) {
  EXPECT_EQ(ws_accept_of("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_TRUE(is_ws_key("dGhlIHNhbXBsZSBub25jZQ=="));
  EXPECT_TRUE(is_ws_key(new_ws_key()));
  EXPECT_NE(new_ws_key(), new_ws_key());
  for (const char* wrong : {"", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25j!Q==", "dGhlIHNhbXBsZSBub25jZQAA"})
    EXPECT_FALSE(is_ws_key(wrong)) << wrong;
}

TEST(WsFrame, DecodesTheExamplesOfTheStandard) {
  auto masked = wire_bytes({0x82, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58});
  const auto hello = WsDecoder(true, 100).step(masked);
  EXPECT_EQ(hello.kind, Kind::message);
  EXPECT_EQ(hello.used, masked.size());
  EXPECT_EQ(text_of(hello.payload), "Hello");
  auto plain = wire_bytes({0x82, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f});
  EXPECT_EQ(text_of(WsDecoder(false, 100).step(plain).payload), "Hello");
  auto ping = wire_bytes({0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f});
  EXPECT_EQ(WsDecoder(false, 100).step(ping).kind, Kind::ping);
}

TEST(WsFrame, JoinsPiecesAroundAPing) {
  auto bytes = wire_bytes({0x02, 0x03, 'H', 'e', 'l', 0x89, 0x01, '!', 0x80, 0x02, 'l', 'o', 0x82, 0x01, 'x'});
  WsDecoder decoder(false, 100);
  std::span<uint8_t> rest(bytes);
  const auto next = [&] {
    const auto step = decoder.step(rest);
    rest = rest.subspan(step.used);
    return step;
  };
  EXPECT_EQ(next().kind, Kind::piece);
  EXPECT_EQ(next().kind, Kind::ping);
  const auto whole = next();
  EXPECT_EQ(whole.kind, Kind::message);
  EXPECT_EQ(text_of(whole.payload), "Hello");
  EXPECT_EQ(text_of(next().payload), "x");
  EXPECT_EQ(next().kind, Kind::partial);
}

TEST(WsFrame, TellsHowMuchAFrameNeedsAsSoonAsItsHeadIsThere) {
  for (const size_t size : {0, 1, 125, 126, 65'535, 65'536}) {
    for (const bool masked : {false, true}) {
      const WsKey key{1, 2, 3, 4};
      std::vector<uint8_t> frame(kLongestWsHead + size);
      const size_t head = write_ws_head(frame.data(), WsOp::binary, size, masked ? &key : nullptr);
      frame.resize(head + size);
      if (masked) mask_ws(std::span(frame).subspan(head), key);
      for (size_t cut = 0; cut < std::min(frame.size(), head + 1); cut++) {
        const auto step = WsDecoder(masked, 1 << 20).step(std::span(frame).first(cut));
        EXPECT_EQ(step.kind, Kind::partial) << size << " cut at " << cut;
        EXPECT_TRUE(step.whole == 0 || step.whole == frame.size());
      }
      const auto step = WsDecoder(masked, 1 << 20).step(frame);
      ASSERT_EQ(step.kind, Kind::message) << size;
      EXPECT_EQ(step.payload.size(), size);
      EXPECT_TRUE(std::ranges::all_of(step.payload, [](uint8_t byte) { return byte == 0; }));
    }
  }
}

struct Wrong {
  std::vector<uint8_t> bytes;
  WsEnd end;
  const char* why;
};

TEST(WsFrame, RefusesWhatTheStandardForbids) {
  const Wrong kWrong[] = {
      {wire_bytes({0xc2, 0x00}), WsEnd::protocol, "extension"},
      {wire_bytes({0x82, 0x80, 1, 2, 3, 4}), WsEnd::protocol, "a server's frame is masked"},
      {wire_bytes({0x81, 0x01, 'x'}), WsEnd::wrong_kind, "binary"},
      {wire_bytes({0x83, 0x00}), WsEnd::protocol, "unknown opcode"},
      {wire_bytes({0x8b, 0x00}), WsEnd::protocol, "unknown opcode"},
      {wire_bytes({0x80, 0x00}), WsEnd::protocol, "do not follow"},
      {wire_bytes({0x09, 0x00}), WsEnd::protocol, "control frame"},
      {wire_bytes({0x89, 0x7e, 0, 126}), WsEnd::protocol, "control frame"},
      {wire_bytes({0x82, 0x7e, 0, 125}), WsEnd::protocol, "longer than it must"},
      {wire_bytes({0x82, 0x7f, 0, 0, 0, 0, 0, 0, 0xff, 0xff}), WsEnd::protocol, "longer than it must"},
      {wire_bytes({0x82, 0x7f, 0xff, 0, 0, 0, 0, 0, 0, 0}), WsEnd::too_long, "longer than any"},
      {wire_bytes({0x82, 0x65}), WsEnd::too_long, "longer than any"},
      {wire_bytes({0x88, 0x01, 'x'}), WsEnd::protocol, "half a code"},
  };
  for (const Wrong& wrong : kWrong) {
    std::vector<uint8_t> bytes = wrong.bytes;
    const auto step = WsDecoder(false, 100).step(bytes);
    EXPECT_EQ(step.kind, Kind::violation) << wrong.why;
    EXPECT_EQ(step.end, wrong.end) << wrong.why;
    EXPECT_THAT(std::string(step.why), HasSubstr(wrong.why));
  }
  auto unmasked = wire_bytes({0x82, 0x01, 'x'});
  EXPECT_THAT(std::string(WsDecoder(true, 100).step(unmasked).why), HasSubstr("not masked"));
}

TEST(WsFrame, RefusesPiecesThatTogetherAreTooLong) {
  std::vector<uint8_t> first(2 + 60, 'x'), second(2 + 60, 'x');
  first[0] = 0x02, second[0] = 0x80, first[1] = second[1] = 60;
  WsDecoder decoder(false, 100);
  EXPECT_EQ(decoder.step(first).kind, Kind::piece);
  EXPECT_EQ(decoder.step(second).end, WsEnd::too_long);
  WsDecoder other(false, 100);
  other.step(first);
  auto third = wire_bytes({0x82, 0x00});
  EXPECT_EQ(other.step(third).kind, Kind::violation);
}

}  // namespace
}  // namespace n2nq::bus
