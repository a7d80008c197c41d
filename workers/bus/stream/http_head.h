// The head of an HTTP/1.1 request or response: its first line and its fields. Bodies are not looked at. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace n2nq::bus {

inline constexpr size_t kMaxHead = 8192;

enum class HeadOutcome { whole, partial, bad, too_long };

struct RequestHead {
  size_t bytes = 0;  // of the head
  std::string_view method;
  std::string_view path;
  std::optional<uint64_t> body_bytes;  // as announced
  bool chunked = false;                // or another transfer encoding
  bool keep_alive = true;
  bool expects_continue = false;
  bool asks_web_socket = false;  // Connection and Upgrade both say so
  std::string_view authorization;
  std::string_view web_socket_key;
  std::string_view web_socket_version;
};
struct ResponseHead {
  size_t bytes = 0;
  unsigned status = 0;
  std::optional<uint64_t> body_bytes;
  bool chunked = false;
  bool keep_alive = true;
  bool grants_web_socket = false;
  std::string_view web_socket_accept;
};

// What they tell points into `bytes`.
HeadOutcome parse_head(std::span<const uint8_t> bytes, RequestHead& head);
HeadOutcome parse_head(std::span<const uint8_t> bytes, ResponseHead& head);

}  // namespace n2nq::bus
