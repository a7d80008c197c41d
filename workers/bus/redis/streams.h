// A stream of a Redis server: the commands that read it, and what the server answers to them. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workers/bus/redis/resp.h"

namespace n2nq::bus {

inline constexpr std::string_view kMessageField = "m";  // of an entry

// How one receiver reads a stream: all of it, or as one of a group that shares it.
struct StreamsReading {
  std::string key;
  std::string readers{};   // key of how many have arrived, less those that have left
  std::string consumer{};  // in the group; empty: all of it
  uint64_t at_a_time = 1;
  int64_t take_over_ns = 0;  // in a group: entries that another has not acknowledged for so long
  bool late = false;         // in a group: acknowledged once worked on, before more is read

  bool in_group() const { return !consumer.empty(); }
  // There is a stream once the first has arrived, and it goes with the last; or, whoever is killed, when it has not
  // been kept for some minutes.
  std::string arrive() const;
  std::string make_group() const;
  static constexpr int64_t kKeepEveryNs = 60'000'000'000;
  std::vector<std::string> keep() const;
  std::string leave() const;
  // What is new; `last` is the entry that it had last. The answer comes within kBlockNs.
  std::string read(std::string_view last) const;
  std::string take_over() const;
  std::string acknowledge(const std::vector<std::string>& ids) const;
};
inline constexpr int64_t kBlockNs = 250'000'000;

// Takes the tokens of the answer to read() or take_over(), and hands out its entries.
class StreamsReply {
 public:
  enum class To { read, take_over };
  enum class Step { more, entry, end, wrong };
  // Of no more entries than were asked for.
  void begin(To to, uint64_t most) {
    to_ = to;
    at_ = At::start;
    most_ = most;
  }
  Step take(const RespToken& token);
  // Of an entry: while the token that completed it is there.
  const std::string& id() const { return id_; }
  std::span<const uint8_t> message() const { return message_; }  // empty: it has none, or is removed
  // The entry was the last token.
  bool over() const { return at_ == At::over; }

 private:
  enum class At { start, stream, key, next, entries, entry, id, fields, name, value, removed_count, removed, over };
  Step after_entries();
  Step entry_over();

  To to_ = To::read;
  At at_ = At::over;
  uint64_t most_ = 0;
  int64_t entries_ = 0;
  int64_t fields_ = 0;
  int64_t removed_ = 0;
  bool tells_removed_ = false;
  bool ours_ = false;
  std::string id_;
  std::span<const uint8_t> message_;
};

}  // namespace n2nq::bus
