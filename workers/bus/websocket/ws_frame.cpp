#include "workers/bus/websocket/ws_frame.h"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <cstring>
#include <string>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::bus {
namespace {

constexpr uint8_t kFinal = 0x80;
constexpr uint8_t kReserved = 0x70;
constexpr uint8_t kMasked = 0x80;
constexpr uint8_t kTwoBytes = 126;
constexpr uint8_t kEightBytes = 127;
constexpr size_t kKeyBytes = 16;

std::string base64(std::span<const uint8_t> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(), static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(length));
  return text;
}

uint64_t length_in(std::span<const uint8_t> bytes) {
  uint64_t value = 0;
  for (const uint8_t byte : bytes) value = value << 8 | byte;
  return value;
}

struct Head {
  bool final = false;
  WsOp op{};
  WsKey key{};
  bool masked = false;
  size_t bytes = 0;
  uint64_t payload = 0;
};

}  // namespace

size_t write_ws_head(uint8_t* to, WsOp op, uint64_t payload_bytes, const WsKey* key) {
  const uint8_t mask = key == nullptr ? 0 : kMasked;
  to[0] = static_cast<uint8_t>(kFinal | static_cast<uint8_t>(op));
  size_t at = 2;
  const auto put = [&](int bytes) {
    for (int i = bytes - 1; i >= 0; i--) to[at++] = static_cast<uint8_t>(payload_bytes >> (8 * i));
  };
  if (payload_bytes < kTwoBytes) {
    to[1] = static_cast<uint8_t>(mask | payload_bytes);
  } else if (payload_bytes <= UINT16_MAX) {
    to[1] = mask | kTwoBytes;
    put(2);
  } else {
    to[1] = mask | kEightBytes;
    put(8);
  }
  if (key == nullptr) return at;
  std::memcpy(to + at, key->data(), key->size());
  return at + key->size();
}

void mask_ws(uint8_t* to, std::span<const uint8_t> from, const WsKey& key) {
  uint32_t four = 0;
  std::memcpy(&four, key.data(), sizeof four);
  const uint64_t eight = uint64_t{four} << 32 | four;
  size_t i = 0;
  for (; i + 8 <= from.size(); i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, from.data() + i, sizeof word);
    word ^= eight;
    std::memcpy(to + i, &word, sizeof word);
  }
  for (; i < from.size(); i++) to[i] = from[i] ^ key[i % 4];
}

void mask_ws(std::span<uint8_t> bytes, const WsKey& key) {
  mask_ws(bytes.data(), bytes, key);
}

std::string ws_accept_of(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  const int hashed = EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha1(), nullptr);
  N2NQ_ASSERT(hashed == 1);
  return base64(std::span(digest).first(length));
}

std::string new_ws_key() {
  std::array<uint8_t, kKeyBytes> bytes{};
  const int drawn = RAND_bytes(bytes.data(), bytes.size());
  N2NQ_ASSERT(drawn == 1);
  return base64(bytes);
}

bool is_ws_key(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return text.size() == 24 && text.ends_with("==") && text.find_first_not_of(kDigits) == 22;
}

WsDecoder::Step WsDecoder::step(std::span<uint8_t> bytes) {
  using Kind = Step::Kind;
  const auto violation = [](WsEnd end, std::string_view why) {
    return Step{.kind = Kind::violation, .end = end, .why = why};
  };
  if (bytes.size() < 2) return {};
  Head head{.final = (bytes[0] & kFinal) != 0, .op = static_cast<WsOp>(bytes[0] & 0x0f)};
  if ((bytes[0] & kReserved) != 0)
    return violation(WsEnd::protocol, "a frame uses an extension that was not agreed on");
  head.masked = (bytes[1] & kMasked) != 0;
  if (head.masked != masked_)
    return violation(WsEnd::protocol, masked_ ? "a client's frame is not masked" : "a server's frame is masked");
  const bool control = static_cast<uint8_t>(head.op) >= 8;
  const uint8_t first = bytes[1] & 0x7f;
  const size_t length_bytes = first == kTwoBytes ? 2 : first == kEightBytes ? 8 : 0;
  if (control && (length_bytes > 0 || !head.final))
    return violation(WsEnd::protocol, "a control frame is too long or cut");
  head.bytes = 2 + length_bytes + (head.masked ? head.key.size() : 0);
  if (bytes.size() < 2 + length_bytes) return {};
  head.payload = length_bytes == 0 ? first : length_in(bytes.subspan(2, length_bytes));
  if (length_bytes > 0 && head.payload <= (length_bytes == 2 ? 125U : uint64_t{UINT16_MAX}))
    return violation(WsEnd::protocol, "a frame writes its length longer than it must");
  if (head.op == WsOp::text) return violation(WsEnd::wrong_kind, "a text came, where messages are binary");
  if (!control && head.op != WsOp::binary && head.op != WsOp::continuation)
    return violation(WsEnd::protocol, "a frame has an unknown opcode");
  if (control && head.op != WsOp::close && head.op != WsOp::ping && head.op != WsOp::pong)
    return violation(WsEnd::protocol, "a frame has an unknown opcode");
  if (!control && (head.op == WsOp::continuation) != in_pieces_)
    return violation(WsEnd::protocol, "the pieces of a message do not follow each other");
  if (head.payload > longest_ || (in_pieces_ && head.payload > longest_ - pieces_.size()))
    return violation(WsEnd::too_long, "a message is longer than any of the run can be");
  const size_t whole = head.bytes + static_cast<size_t>(head.payload);
  if (bytes.size() < whole) return {.whole = whole};
  const std::span<uint8_t> payload = bytes.subspan(head.bytes, static_cast<size_t>(head.payload));
  if (head.masked) {
    std::memcpy(head.key.data(), bytes.data() + head.bytes - head.key.size(), head.key.size());
    mask_ws(payload, head.key);
  }
  return take(head.op, head.final, payload, whole);
}

WsDecoder::Step WsDecoder::take(WsOp op, bool final, std::span<const uint8_t> payload, size_t used) {
  using Kind = Step::Kind;
  if (std::exchange(joined_, false)) pieces_ = {};
  switch (op) {
    case WsOp::ping:
      return {.kind = Kind::ping, .used = used, .payload = payload};
    case WsOp::pong:
      return {.kind = Kind::pong, .used = used, .payload = payload};
    case WsOp::close:
      if (payload.size() == 1)
        return {.kind = Kind::violation, .end = WsEnd::protocol, .why = "a Close has half a code"};
      return {.kind = Kind::close,
              .used = used,
              .end = payload.empty() ? WsEnd::normal : static_cast<WsEnd>(length_in(payload.first(2)))};
    default:
      break;
  }
  if (!in_pieces_ && final) return {.kind = Kind::message, .used = used, .payload = payload};
  pieces_.insert(pieces_.end(), payload.begin(), payload.end());
  in_pieces_ = !final;
  joined_ = final;
  if (!final) return {.kind = Kind::piece, .used = used};
  return {.kind = Kind::message, .used = used, .payload = pieces_};
}

}  // namespace n2nq::bus
