// RESP2, which a Redis server speaks: what it says is cut into tokens where it lies, and commands are written.
// docs/buses/redis.md has the commands that are used. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::bus {

struct RespToken {
  enum class Kind { simple, error, integer, bulk, nil, array };
  Kind kind = Kind::nil;
  std::span<const uint8_t> bytes{};  // of simple, error and bulk; in what was given
  int64_t number = 0;                // the integer, or how many tokens follow as members of the array
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

struct RespStep {
  enum class Kind { token, partial, violation };
  Kind kind = Kind::partial;
  RespToken token{};
  size_t used = 0;   // bytes of the token
  size_t whole = 0;  // partial: bytes of the token that has begun; 0: not known yet
};

// The first token. `longest`: of a bulk string; what is longer is a violation.
RespStep next_resp(std::span<const uint8_t> bytes, size_t longest);

// A command of these words and `more` that follow by append_bulk().
std::string begin_command(std::initializer_list<std::string_view> words, size_t more = 0);
// One of those, as text.
std::string bulk(std::string_view word);
void append_bulk(std::vector<uint8_t>& out, std::span<const uint8_t> bytes);

}  // namespace n2nq::bus
