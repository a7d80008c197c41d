// The frames of docs/protocol.md as plain values, and their codec: the only place that knows bytes.
// Decoders take one whole frame (header included) and never read past it; nonsense is an Error that names the frame.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"
#include "broker/wire/bytes.h"
#include "broker/wire/filter.h"

namespace n2nq::wire {

inline constexpr uint16_t kVersion = 1;
inline constexpr size_t kHeaderBytes = 8;
inline constexpr size_t kDataHeaderBytes = 40;
inline constexpr size_t kReplyHeaderBytes = 48;
inline constexpr size_t kMaxControlFrame = 65536;
inline constexpr size_t kMaxToken = 64;
inline constexpr size_t kMaxResponses = 4095;
inline constexpr size_t kMaxErrorText = 1024;
inline constexpr size_t kMaxAddress = 512;
inline constexpr size_t kMaxStretches = 2048;  // of one TALLY
inline constexpr uint64_t kUntilFurtherNotice = std::numeric_limits<uint64_t>::max();
inline constexpr int64_t kNoSchedule = std::numeric_limits<int64_t>::min();

enum class Type : uint8_t {
  hello = 1,
  welcome,
  error,
  ready,
  begin,
  data,
  accepted,
  done,
  again,
  skip,
  request,
  response,
  clock,
  probe,
  echo,
  end,
  bye,
  leave,
  fill,
  reply,
  address,
  share,
  tally
};
const char* name(Type type);

enum class Role : uint8_t { sender = 1, receiver, clock };
enum class Mode : uint8_t { broadcaster = 1, load_balancer, request_reply };
// Request-reply: how many repliers get a request, and which replies count.
enum class ReplyFrom : uint8_t { one = 1, first, all };
const char* name(ReplyFrom from);
enum class Verdict : uint8_t { good = 0, refused = 1 };
enum class SkipReason : uint8_t { expired = 1, undeliverable = 2 };
enum class EndReason : uint8_t { complete = 0, drain_timeout, stopped, no_receiver, left };
const char* name(EndReason reason);
const char* word(EndReason reason);  // for machines: "no_receiver"

enum class ErrorCode : uint16_t {
  bad_magic = 1,
  bad_version,
  bad_token,
  number_taken,
  malformed,
  out_of_state,
  too_large,
  wrong_sender,
  wrong_index,
  run_ended,
  too_many,
  too_slow,
  wrong_response,
  stalled,
  not_assembled,
  stopped,
  filter_refused,  // the only one after which the connection goes on
  wrong_mode,
  link_lost  // a client's own: it has lost the other bus
};

struct Header {
  uint32_t length = 0;
  Type type{};
  uint8_t flags = 0;
  uint16_t reserved = 0;
};
inline Header read_header(const uint8_t* at) {
  return {.length = get<uint32_t>(at), .type = Type{at[4]}, .flags = at[5], .reserved = get<uint16_t>(at + 6)};
}

struct Hello {
  Role role = Role::sender;
  bool hold = false;
  bool responses = false;
  bool requests = false;
  bool replies = false;    // it knows request-reply
  bool elsewhere = false;  // its messages travel over another bus
  uint32_t number = 0;
  uint32_t fleet_size = 1;
  uint64_t fleet = 0;
  uint64_t clock_id = 0;
  std::string token;
  Filter filter;
  bool operator==(const Hello&) const = default;
};
struct Welcome {
  Mode mode = Mode::broadcaster;
  bool same_clock = false;
  bool begun = false;
  bool elsewhere = false;  // the messages of this run travel over another bus
  uint32_t max_payload = 0;
  uint64_t run_id = 0;
  uint64_t clock_id = 0;
  int64_t broker_ns = 0;
  uint32_t response_window = 0;
  ReplyFrom reply_from = ReplyFrom::one;  // of request-reply alone
  // Every message goes to all receivers; else to one of them.
  bool to_all() const {
    return mode == Mode::broadcaster || (mode == Mode::request_reply && reply_from != ReplyFrom::one);
  }
  bool operator==(const Welcome&) const = default;
};
struct ErrorFrame {
  ErrorCode code{};
  std::string text;  // one line of valid UTF-8, whatever came over the wire
  bool operator==(const ErrorFrame&) const = default;
};
struct Ready {
  uint64_t fleet = 0;
  bool operator==(const Ready&) const = default;
};
struct Begin {
  int64_t broker_ns = 0;
  int64_t wall_ns = 0;
  uint32_t senders = 0;
  uint32_t receivers = 0;
  bool operator==(const Begin&) const = default;
};
// The fixed part of a DATA frame; the payload follows it.
struct DataHeader {
  uint32_t length = 0;  // of the whole frame
  uint32_t sender = 0;
  uint32_t checksum = 0;
  uint64_t index = 0;
  int64_t intended_ns = kNoSchedule;
  int64_t sent_ns = 0;
  uint32_t payload_size() const { return length - static_cast<uint32_t>(kDataHeaderBytes); }
  bool operator==(const DataHeader&) const = default;
};
// The fixed part of a REPLY frame; the payload follows it. What it shares with DATA stands in the same places.
struct ReplyHeader {
  uint32_t length = 0;     // of the whole frame
  uint32_t requester = 0;  // whose request it answers
  uint32_t checksum = 0;
  uint64_t index = 0;   // of the request
  int64_t read_ns = 0;  // both on the replier's clock
  int64_t sent_ns = 0;
  uint32_t replier = 0;
  uint32_t payload_size() const { return length - static_cast<uint32_t>(kReplyHeaderBytes); }
  bool operator==(const ReplyHeader&) const = default;
};
struct Accepted {
  uint64_t count = 0;
  bool operator==(const Accepted&) const = default;
};
struct Done {
  uint64_t count = 0;
  bool operator==(const Done&) const = default;
};
struct Again {
  uint32_t sender = 0;
  uint32_t attempt = 0;
  uint64_t index = 0;
  bool operator==(const Again&) const = default;
};
struct Skip {
  uint32_t sender = 0;
  SkipReason reason = SkipReason::expired;
  uint64_t count = 0;
  uint64_t lowest = 0;
  uint64_t highest = 0;
  bool operator==(const Skip&) const = default;
};
struct Request {
  uint64_t count = 0;
  bool replace = false;  // the count replaces what is still asked for
  bool has_filter = false;
  Filter filter;
  bool operator==(const Request&) const = default;
};
// How much is asked for once a REQUEST of `count` has been added to it: until further notice stays so.
inline uint64_t asked_with(uint64_t asked, uint64_t count) {
  if (asked == kUntilFurtherNotice || count == kUntilFurtherNotice) return kUntilFurtherNotice;
  return count < kUntilFurtherNotice - asked ? asked + count : kUntilFurtherNotice - 1;
}
struct ResponseItem {
  uint64_t index = 0;
  uint32_t sender = 0;
  Verdict verdict = Verdict::good;
  bool operator==(const ResponseItem&) const = default;
};
struct Clock {
  uint32_t first = 0;
  uint32_t last = 0;
  int64_t offset_ns = 0;
  uint64_t bound_ns = 0;
  int64_t from_ns = 0;
  bool operator==(const Clock&) const = default;
};
struct Probe {
  int64_t t1 = 0;
  bool operator==(const Probe&) const = default;
};
struct Echo {
  int64_t t1 = 0;
  int64_t t2 = 0;
  int64_t t3 = 0;
  bool operator==(const Echo&) const = default;
};
struct End {
  uint64_t expected = 0;
  uint64_t delivered = 0;
  uint64_t expired = 0;
  uint64_t undeliverable = 0;
  uint64_t redelivered = 0;
  EndReason reason = EndReason::complete;
  bool operator==(const End&) const = default;
};
struct Bye {
  uint64_t count = 0;
  bool operator==(const Bye&) const = default;
};
// Where a receiver is reached, in the words of the bus that the messages travel over.
struct Address {
  uint32_t receiver = 0;
  uint32_t of = 0;  // to senders: how many receivers there are; from receivers: 0
  std::string text;
  bool operator==(const Address&) const = default;
};
// How many messages a sender has sent to a receiver that it chose itself.
struct Share {
  uint32_t receiver = 0;
  uint64_t count = 0;
  uint32_t again = 0;  // from a receiver: of these, what came marked as sent again, so that another may have had it too
  bool operator==(const Share&) const = default;
};
// How many messages a sender has sent over another bus, and which of them that refused or gave no answer for.
struct Tally {
  enum class Fate : uint8_t { refused = 1, unanswered };
  struct Stretch {
    uint64_t first = 0;
    uint64_t last = 0;
    uint32_t receiver = 0;  // that it chose for them; 0: it did not
    Fate fate = Fate::unanswered;
    uint64_t size() const { return last - first + 1; }
    bool operator==(const Stretch&) const = default;
  };
  uint32_t sender = 0;
  uint64_t sent = 0;
  std::vector<Stretch> stretches{};
  bool operator==(const Tally&) const = default;
};
// To the end: what goes on where the last one ends, and is alike, makes that longer.
void append(std::vector<Tally::Stretch>& stretches, const Tally::Stretch& next);
// In END: nobody knows how many.
inline constexpr uint64_t kUnknownCount = std::numeric_limits<uint64_t>::max();

// Encoders append one frame to `out`.
using Bytes = std::vector<uint8_t>;
void append(Bytes& out, const Hello&);
void append(Bytes& out, const Welcome&);
void append(Bytes& out, const ErrorFrame&);
void append(Bytes& out, const Ready&);
void append(Bytes& out, const Begin&);
void append(Bytes& out, const Accepted&);
void append(Bytes& out, const Done&);
void append(Bytes& out, const Again&);
void write_again(uint8_t* to, const Again& again);  // the same 24 bytes, into a place of the caller's
void append(Bytes& out, const Skip&);
void append(Bytes& out, const Request&);
void append(Bytes& out, std::span<const ResponseItem> items);
void append(Bytes& out, const Clock&);
void append(Bytes& out, const Probe&);
void append(Bytes& out, const Echo&);
void append(Bytes& out, const End&);
void append(Bytes& out, const Bye&);
void append(Bytes& out, const Address&);
void append(Bytes& out, const Share&);
void append(Bytes& out, const Tally&);  // as many frames as its stretches need, at least one
void append_leave(Bytes& out);
void append_fill(Bytes& out, size_t length);  // of the whole frame, 8 to kMaxControlFrame

// DATA is hot and has its own pair: 40 bytes at `to`, the payload is written by the caller right behind.
inline void write_data_header(uint8_t* to, const DataHeader& header) {
  put<uint32_t>(to, header.length);
  put<uint32_t>(to + 4, static_cast<uint32_t>(Type::data));
  put<uint32_t>(to + 8, header.sender);
  put<uint32_t>(to + 12, header.checksum);
  put<uint64_t>(to + 16, header.index);
  put<int64_t>(to + 24, header.intended_ns);
  put<int64_t>(to + 32, header.sent_ns);
}
// `at` must hold at least kDataHeaderBytes.
inline DataHeader read_data_header(const uint8_t* at) {
  return {.length = get<uint32_t>(at),
          .sender = get<uint32_t>(at + 8),
          .checksum = get<uint32_t>(at + 12),
          .index = get<uint64_t>(at + 16),
          .intended_ns = get<int64_t>(at + 24),
          .sent_ns = get<int64_t>(at + 32)};
}
// Whether type, flags, reserved bytes, length, sender and index of a DATA frame are what the protocol allows; its
// payload limit is the caller's. Once this holds, payload_size() does not wrap.
inline bool is_sound_data_header(const uint8_t* at) {
  const DataHeader header = read_data_header(at);
  return get<uint32_t>(at + 4) == static_cast<uint32_t>(Type::data) && header.length >= kDataHeaderBytes &&
         header.sender != 0 && header.index != 0;
}
// `at` must hold at least kReplyHeaderBytes.
inline ReplyHeader read_reply_header(const uint8_t* at) {
  return {.length = get<uint32_t>(at),
          .requester = get<uint32_t>(at + 8),
          .checksum = get<uint32_t>(at + 12),
          .index = get<uint64_t>(at + 16),
          .read_ns = get<int64_t>(at + 24),
          .sent_ns = get<int64_t>(at + 32),
          .replier = get<uint32_t>(at + 40)};
}
inline void write_reply_header(uint8_t* to, const ReplyHeader& header) {
  put<uint32_t>(to, header.length);
  put<uint32_t>(to + 4, static_cast<uint32_t>(Type::reply));
  put<uint32_t>(to + 8, header.requester);
  put<uint32_t>(to + 12, header.checksum);
  put<uint64_t>(to + 16, header.index);
  put<int64_t>(to + 24, header.read_ns);
  put<int64_t>(to + 32, header.sent_ns);
  put<uint32_t>(to + 40, header.replier);
  put<uint32_t>(to + 44, 0);
}
// Of DATA and REPLY alike.
inline void set_sent_ns(uint8_t* frame, int64_t sent_ns) {
  put<int64_t>(frame + 32, sent_ns);
}

// Decoders: `frame` is exactly one frame whose type the caller has read from its header.
using Frame = std::span<const uint8_t>;
Result<Hello> decode_hello(Frame frame);
Result<Welcome> decode_welcome(Frame frame);
Result<ErrorFrame> decode_error(Frame frame);
Result<Ready> decode_ready(Frame frame);
Result<Begin> decode_begin(Frame frame);
Result<Accepted> decode_accepted(Frame frame);
Result<Done> decode_done(Frame frame);
Result<Again> decode_again(Frame frame);
Result<Skip> decode_skip(Frame frame);
Result<Request> decode_request(Frame frame);
// Appends the items to `items`, so that a caller can keep one vector for all frames; on an error it is left as it was.
Result<void> decode_response(Frame frame, std::vector<ResponseItem>& items);
Result<Clock> decode_clock(Frame frame);
Result<Probe> decode_probe(Frame frame);
Result<Echo> decode_echo(Frame frame);
Result<End> decode_end(Frame frame);
Result<Bye> decode_bye(Frame frame);
Result<ReplyHeader> decode_reply(Frame frame);  // the payload is behind it
Result<Address> decode_address(Frame frame);
Result<Share> decode_share(Frame frame);
Result<Tally> decode_tally(Frame frame);
Result<void> decode_leave(Frame frame);
Result<void> decode_fill(Frame frame);  // what it is filled with means nothing

// Whether the first bytes of a connection can be a HELLO; `bytes` may be cut anywhere.
enum class HelloStart { partial, plausible, not_ours };
HelloStart judge_hello_start(std::span<const uint8_t> bytes);
// The version in a HELLO whose magic is right (at least 14 bytes).
uint16_t hello_version(Frame frame);

}  // namespace n2nq::wire
