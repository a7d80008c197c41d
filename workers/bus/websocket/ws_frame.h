// Frames of WebSocket (RFC 6455): heads written and read, masks, and messages put together from what comes in. It
// knows no connection. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::bus {

enum class WsOp : uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };
using WsKey = std::array<uint8_t, 4>;

// Why a connection ends, as Close says it.
enum class WsEnd : uint16_t {
  normal = 1000,
  going_away = 1001,
  protocol = 1002,
  wrong_kind = 1003,
  policy = 1008,
  too_long = 1009
};

inline constexpr size_t kLongestWsHead = 14;
inline constexpr size_t kLongestWsControl = 125;

// Writes the head of a frame that is a whole message; returns its length. `key`: of a client; null: of a server.
size_t write_ws_head(uint8_t* to, WsOp op, uint64_t payload_bytes, const WsKey* key);
// Masks and unmasks.
void mask_ws(std::span<uint8_t> bytes, const WsKey& key);
void mask_ws(uint8_t* to, std::span<const uint8_t> from, const WsKey& key);

// The value that answers Sec-WebSocket-Key.
std::string ws_accept_of(std::string_view key);
// A key of 16 random bytes, as text.
std::string new_ws_key();
// Whether it is the text of 16 bytes.
bool is_ws_key(std::string_view text);

class WsDecoder {
 public:
  // `masked`: whether frames must be, as clients' are. `longest`: of a message.
  WsDecoder(bool masked, size_t longest) : masked_(masked), longest_(longest) {}

  struct Step {
    enum class Kind { partial, piece, message, ping, pong, close, violation };
    Kind kind = Kind::partial;
    size_t used = 0;   // bytes that are done with
    size_t whole = 0;  // partial: of the frame that begins here; 0: not known yet
    // Of a message, Ping or Pong; valid until the next step, or until the bytes go.
    std::span<const uint8_t> payload{};
    WsEnd end = WsEnd::normal;  // why: of a violation; of Close what it says
    std::string_view why{};     // of a violation, for people
  };
  // Looks at the frame that `bytes` begins with, and unmasks it where it lies once it is whole. After a violation or
  // Close nothing more is to be asked.
  Step step(std::span<uint8_t> bytes);

 private:
  Step take(WsOp op, bool final, std::span<const uint8_t> payload, size_t used);

  bool masked_;
  size_t longest_;
  bool in_pieces_ = false;
  bool joined_ = false;  // pieces_ is a message that was handed over
  std::vector<uint8_t> pieces_;
};

}  // namespace n2nq::bus
