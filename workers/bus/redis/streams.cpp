#include "workers/bus/redis/streams.h"

namespace n2nq::bus {
namespace {

constexpr size_t kLongestId = 41;  // two numbers of 64 bits, and what is between

constexpr std::string_view kGroup = "receivers";
// At once: who arrives in between finds a stream, or makes one.
constexpr std::string_view kLeave =
    "if redis.call('DECR', KEYS[2]) <= 0 then return redis.call('DEL', KEYS[1], KEYS[2]) end return 0";
constexpr int64_t kRemovedAfterMs = 300'000;
constexpr int64_t kNsPerMs = 1'000'000;

}  // namespace

std::string StreamsReading::arrive() const {
  return begin_command({"INCR", readers});
}

std::string StreamsReading::make_group() const {
  return begin_command({"XGROUP", "CREATE", key, kGroup, "0", "MKSTREAM"});
}

std::vector<std::string> StreamsReading::keep() const {
  const std::string after = std::to_string(kRemovedAfterMs);
  return {begin_command({"PEXPIRE", readers, after}), begin_command({"PEXPIRE", key, after})};
}

std::string StreamsReading::leave() const {
  return begin_command({"EVAL", kLeave, "2", key, readers});
}

std::string StreamsReading::read(std::string_view last) const {
  const std::string count = std::to_string(at_a_time);
  const std::string block = std::to_string(kBlockNs / kNsPerMs);
  if (!in_group()) return begin_command({"XREAD", "COUNT", count, "BLOCK", block, "STREAMS", key, last});
  return begin_command({"XREADGROUP", "GROUP", kGroup, consumer, "COUNT", count, "BLOCK", block, "STREAMS", key, ">"});
}

std::string StreamsReading::take_over() const {
  return begin_command({"XAUTOCLAIM", key, kGroup, consumer, std::to_string(take_over_ns / kNsPerMs), "0-0", "COUNT",
                        std::to_string(at_a_time)});
}

std::string StreamsReading::acknowledge(const std::vector<std::string>& ids) const {
  std::string command = begin_command({"XACK", key, kGroup}, ids.size());
  for (const std::string& id : ids) command += bulk(id);
  return command;
}

StreamsReply::Step StreamsReply::after_entries() {
  at_ = to_ == To::take_over && tells_removed_ ? At::removed_count : At::over;
  return at_ == At::over ? Step::end : Step::more;
}

StreamsReply::Step StreamsReply::entry_over() {
  at_ = At::entry;
  if (--entries_ == 0) after_entries();
  return Step::entry;
}

StreamsReply::Step StreamsReply::take(const RespToken& token) {
  using Kind = RespToken::Kind;
  const auto array_of = [&](int64_t members) { return token.kind == Kind::array && token.number == members; };
  message_ = {};
  switch (at_) {
    case At::start:
      if (to_ == To::read && token.kind == Kind::nil) {
        at_ = At::over;
        return Step::end;
      }
      tells_removed_ = array_of(3);
      if (to_ == To::read ? !array_of(1) : !array_of(2) && !tells_removed_) break;
      at_ = to_ == To::read ? At::stream : At::next;
      return Step::more;
    case At::stream:
      if (!array_of(2)) break;
      at_ = At::key;
      return Step::more;
    case At::key:
    case At::next:
      if (token.kind != Kind::bulk) break;
      at_ = At::entries;
      return Step::more;
    case At::entries:
      if (token.kind != Kind::array || static_cast<uint64_t>(token.number) > most_) break;
      entries_ = token.number;
      if (entries_ == 0) return after_entries();
      at_ = At::entry;
      return Step::more;
    case At::entry:
      id_.clear();
      if (token.kind == Kind::nil) return entry_over();  // before Redis 7: one that is removed
      if (!array_of(2)) break;
      at_ = At::id;
      return Step::more;
    case At::id:
      if (token.kind != Kind::bulk || token.text().size() > kLongestId) break;
      id_ = token.text();
      at_ = At::fields;
      return Step::more;
    case At::fields:
      if (token.kind == Kind::nil || array_of(0)) return entry_over();
      if (token.kind != Kind::array || token.number % 2 != 0) break;
      fields_ = token.number;
      at_ = At::name;
      return Step::more;
    case At::name:
      if (token.kind != Kind::bulk) break;
      ours_ = fields_ == 2 && token.text() == kMessageField;
      fields_--;
      at_ = At::value;
      return Step::more;
    case At::value:
      if (token.kind != Kind::bulk) break;
      at_ = At::name;
      if (--fields_ > 0) return Step::more;
      if (ours_) message_ = token.bytes;
      return entry_over();
    case At::removed_count:
      if (token.kind != Kind::array) break;
      removed_ = token.number;
      at_ = removed_ > 0 ? At::removed : At::over;
      return removed_ > 0 ? Step::more : Step::end;
    case At::removed:
      if (token.kind != Kind::bulk) break;
      if (--removed_ > 0) return Step::more;
      at_ = At::over;
      return Step::end;
    case At::over:
      break;
  }
  return Step::wrong;
}

}  // namespace n2nq::bus
