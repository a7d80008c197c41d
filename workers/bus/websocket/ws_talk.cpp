#include "workers/bus/websocket/ws_talk.h"

#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <utility>

#include "broker/base/assert.h"
#include "workers/bus/stream/whole_frame.h"

namespace n2nq::bus {
namespace {

constexpr size_t kWriteTogether = 16 * 1024;
constexpr size_t kMostAnswers = 64 * 1024;  // of answers to Pings, for whoever does not read them

}  // namespace

WsTalk::WsTalk(Side side, Stream& stream, Inbox& inbox, WsUser& user)
    : side_(side), stream_(stream), inbox_(inbox), user_(user), decoder_(side == Side::server, kLongestFrame) {}

void WsTalk::take() {
  using Kind = WsDecoder::Step::Kind;
  while (stream_.open()) {
    const WsDecoder::Step step = decoder_.step(inbox_.bytes());
    if (step.kind == Kind::partial) return inbox_.keep(step.whole);
    if (step.kind == Kind::message) user_.on_message(step.payload);
    if (step.kind == Kind::ping && stream_.pending() < kMostAnswers) say(WsOp::pong, step.payload);
    if (step.kind == Kind::close) {
      heard_close_ = true;
      return give_up(step.end);
    }
    if (step.kind == Kind::violation) {
      give_up(step.end);
      return user_.on_violation(std::string(step.why));
    }
    inbox_.drop(step.used);
  }
}

void WsTalk::say(WsOp op, std::span<const uint8_t> payload) {
  N2NQ_ASSERT(payload.size() <= kLongestWsControl);
  std::array<uint8_t, kLongestWsHead + kLongestWsControl> frame{};
  WsKey key{};
  const bool client = side_ == Side::client;
  if (client) RAND_bytes(key.data(), static_cast<int>(key.size()));
  const size_t head = write_ws_head(frame.data(), op, payload.size(), client ? &key : nullptr);
  mask_ws(frame.data() + head, payload, key);  // a server's key is 0
  stream_.write(std::span(frame).first(head + payload.size()));
}

void WsTalk::say_close(WsEnd end) {
  if (std::exchange(said_close_, true)) return;
  const auto code = static_cast<uint16_t>(end);
  say(WsOp::close, std::array{static_cast<uint8_t>(code >> 8), static_cast<uint8_t>(code)});
}

void WsTalk::give_up(WsEnd end) {
  say_close(end);
  stream_.close_gently();
}

void WsTalk::write(std::span<const uint8_t> message) {
  N2NQ_ASSERT(side_ == Side::server);
  std::array<uint8_t, kLongestWsHead + kWriteTogether> start{};
  const size_t head = write_ws_head(start.data(), WsOp::binary, message.size(), nullptr);
  const size_t together = std::min(message.size(), kWriteTogether);
  std::copy_n(message.begin(), together, start.begin() + static_cast<ptrdiff_t>(head));
  stream_.write(std::span(start).first(head + together));
  if (together < message.size()) stream_.write(message.subspan(together));
}

}  // namespace n2nq::bus
