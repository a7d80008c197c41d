// The protocol of NATS: what a server says is cut into its operations where it lies, and messages are published.
// docs/buses/nats.md has what is used of it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::bus {

inline constexpr std::string_view kNatsPing = "PING\r\n";
inline constexpr int kNatsNobodyThere = 503;  // status: nobody is subscribed
inline constexpr int kNatsNotFound = 404;     // of what was asked for

struct NatsOp {
  enum class Kind { info, message, ping, pong, ok, error };
  Kind kind = Kind::ok;
  std::string_view text{};  // of info and error, without the quotes around it; of a message with a status, its words
  // Of a message:
  std::string_view subject{};
  std::string_view reply{};           // where an answer to it goes; empty: nowhere
  int status = 0;                     // the server's, in place of a message: 503, nobody is there; 0: it is one
  std::optional<uint64_t> pending{};  // with a status: messages that were asked for and have not come
  std::span<const uint8_t> payload{};
  std::string_view payload_text() const { return {reinterpret_cast<const char*>(payload.data()), payload.size()}; }
};

struct NatsStep {
  enum class Kind { op, partial, violation };
  Kind kind = Kind::partial;
  NatsOp op{};
  size_t used = 0;   // bytes of the operation
  size_t whole = 0;  // partial: bytes of the one that has begun; 0: not known yet
};

// The first operation. `longest`: a message with its headers; what is longer is a violation.
NatsStep next_nats(std::span<const uint8_t> bytes, size_t longest);

// Publishes `frame`; the head is that of the subject.
std::string publish_head(std::string_view subject, std::string_view reply = {});
std::string publish(std::string_view subject, std::string_view reply, std::string_view payload);
void append_publish(std::vector<uint8_t>& out, std::string_view head, std::span<const uint8_t> frame);
// A number in digits.
void append_number(std::vector<uint8_t>& out, uint64_t number);

}  // namespace n2nq::bus
