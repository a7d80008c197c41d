// What the bare relay and its clients say to each other (docs/buses/relay.md): a line each, and from then on pieces: a
// number of four bytes, and behind it so many bytes of one message. Two numbers stand alone. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "broker/wire/bytes.h"
#include "broker/wire/frames.h"

namespace n2nq::wire {

// What makes a relay of n2nq-broker, as its first argument.
inline constexpr const char* kRelayWord = "relay";

inline constexpr size_t kRelayLengthBytes = 4;
inline constexpr size_t kLongestRelayMessage = kReplyHeaderBytes + (size_t{64} << 20);
inline constexpr size_t kLongestRelayLine = 256;  // with its newline
// From a sender: has all come? To it: all has. From a receiver: give me no more. To it: there is no more.
inline constexpr uint32_t kRelayMark = 0;
// To a sender: what it writes is left unread for now, as receivers are behind.
inline constexpr uint32_t kRelayHeldUp = 0xFFFF'FFFF;

// The line of a client.
struct RelayHello {
  enum class Part {
    sender,
    receiver,  // gets each message of its channel
    sharer,    // gets its share of them: one after the other in turn
    asker,     // only asks who is there
  };
  Part part = Part::asker;
  std::string channel{};  // what is sent to one goes to its receivers alone
  std::string token{};    // empty: none
  bool operator==(const RelayHello&) const = default;
};
std::string relay_hello(const RelayHello& hello);
// Of a line without its newline; nothing: it is none.
std::optional<RelayHello> read_relay_hello(std::string_view line);

// The line that lets it in.
struct RelayWelcome {
  std::string version{};
  std::string pid{};
  bool operator==(const RelayWelcome&) const = default;
};
std::string relay_welcome(const RelayWelcome& welcome);
std::optional<RelayWelcome> read_relay_welcome(std::string_view line);
// The line that does not.
inline constexpr std::string_view kRelayRefuses = "refused: ";

struct RelayPiece {
  enum class Kind { partial, message, mark, held_up, too_long };
  Kind kind = Kind::partial;
  size_t whole = 0;  // with its length; of one that is partial: 0 if it is not known yet
};
// What so many bytes begin with.
inline RelayPiece next_relay_piece(const uint8_t* bytes, size_t count) {
  if (count < kRelayLengthBytes) return {};
  const auto length = get<uint32_t>(bytes);
  if (length == kRelayMark) return {.kind = RelayPiece::Kind::mark, .whole = kRelayLengthBytes};
  if (length == kRelayHeldUp) return {.kind = RelayPiece::Kind::held_up, .whole = kRelayLengthBytes};
  if (length > kLongestRelayMessage) return {.kind = RelayPiece::Kind::too_long};
  const size_t whole = kRelayLengthBytes + length;
  return {.kind = count < whole ? RelayPiece::Kind::partial : RelayPiece::Kind::message, .whole = whole};
}

}  // namespace n2nq::wire
