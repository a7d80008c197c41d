// The protocol of NATS: what a server says is cut into its operations where it lies, and messages are published.
// docs/buses.md has what is used of it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::bus {

struct NatsOp {
  enum class Kind { info, message, ping, pong, ok, error };
  Kind kind = Kind::ok;
  std::string_view text{};             // of info and error, without the quotes around it
  std::span<const uint8_t> payload{};  // of a message
};

struct NatsStep {
  enum class Kind { op, partial, violation };
  Kind kind = Kind::partial;
  NatsOp op{};
  size_t used = 0;   // bytes of the operation
  size_t whole = 0;  // partial: bytes of the one that has begun; 0: not known yet
};

// The first operation. `longest`: payload of a message; what is longer is a violation, and so are headers.
NatsStep next_nats(std::span<const uint8_t> bytes, size_t longest);

// Publishes `frame`; the head is that of the subject.
std::string publish_head(std::string_view subject);
void append_publish(std::vector<uint8_t>& out, std::string_view head, std::span<const uint8_t> frame);

}  // namespace n2nq::bus
