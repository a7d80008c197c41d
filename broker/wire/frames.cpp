#include "broker/wire/frames.h"

#include <algorithm>
#include <array>

#include "broker/base/assert.h"

namespace n2nq::wire {
namespace {

constexpr std::array<uint8_t, 4> kMagic{'N', '2', 'N', 'Q'};

constexpr uint8_t kHold = 1;
constexpr uint8_t kResponses = 2;
constexpr uint8_t kRequests = 4;
constexpr uint8_t kReplies = 8;
constexpr uint8_t kElsewhere = 16;
constexpr uint8_t kSameClock = 1;
constexpr uint8_t kBegun = 2;
constexpr uint8_t kTravelsElsewhere = 4;  // of WELCOME
constexpr uint8_t kHasFilter = 1;
constexpr size_t kStretchBytes = 24;

// Grows `out` by one zeroed frame with its header written; returns where it starts.
uint8_t* add_frame(Bytes& out, Type type, size_t length, uint8_t flags = 0) {
  const size_t at = out.size();
  out.resize(at + length, 0);
  uint8_t* frame = out.data() + at;
  put<uint32_t>(frame, static_cast<uint32_t>(length));
  frame[4] = static_cast<uint8_t>(type);
  frame[5] = flags;
  return frame;
}

std::unexpected<Error> malformed(Type type, const char* what) {
  return fail("malformed " + std::string(name(type)) + ": " + what);
}

// The checks that every frame shares. `fixed` is its length, or its least length if `variable`.
Result<void> check(Frame frame, Type type, size_t fixed, bool variable = false, uint8_t flags = 0) {
  if (frame.size() < fixed || (!variable && frame.size() != fixed)) return malformed(type, "wrong length");
  const Header header = read_header(frame.data());
  if (header.length != frame.size()) return malformed(type, "its length field is wrong");
  if (header.type != type) return malformed(type, "another type");
  if (header.reserved != 0 || (header.flags & ~flags) != 0) return malformed(type, "reserved bytes or flags set");
  return {};
}

bool all_zero(const uint8_t* at, size_t n) {
  return std::all_of(at, at + n, [](uint8_t byte) { return byte == 0; });
}

// The length of the valid UTF-8 character that `text` starts with, 0 if it starts with none.
size_t character_length(std::string_view text) {
  const auto byte = [&text](size_t i) { return i < text.size() ? static_cast<uint8_t>(text[i]) : uint8_t{0}; };
  const auto follows = [&byte](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool beyond = first == 0xF4 && byte(1) > 0x8F;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

// The text of an ERROR goes to terminals, log lines and JSON: one line of valid UTF-8 without control characters.
std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t n = character_length(text);
    const std::string_view character = text.substr(0, std::max<size_t>(n, 1));
    const auto first = static_cast<uint8_t>(character[0]);
    const bool control =
        first < 0x20 || first == 0x7F || (n == 2 && first == 0xC2 && static_cast<uint8_t>(character[1]) < 0xA0);
    const std::string_view shown = n == 0 ? "?" : control ? " " : character;
    if (out.size() + shown.size() > kMaxErrorText) break;
    out += shown;
    text.remove_prefix(character.size());
  }
  return out;
}

// Frames that are one number after the header.
void append_number(Bytes& out, Type type, uint64_t number) {
  put<uint64_t>(add_frame(out, type, 16) + 8, number);
}

template <class T>
Result<T> decode_number(Frame frame, Type type) {
  if (auto ok = check(frame, type, 16); !ok) return std::unexpected(ok.error());
  return T{get<uint64_t>(&frame[8])};
}

struct EndNames {
  const char* word;
  const char* text;
};

EndNames names_of(EndReason reason) {
  static constexpr std::array<EndNames, 5> kEnds{{{"complete", "complete"},
                                                  {"drain_timeout", "drain timeout"},
                                                  {"stopped", "stopped"},
                                                  {"no_receiver", "no receiver left"},
                                                  {"left", "left"}}};
  const auto i = static_cast<size_t>(reason);
  return i < kEnds.size() ? kEnds[i] : EndNames("?", "?");
}

}  // namespace

const char* name(Type type) {
  static constexpr std::array<const char*, 24> kNames{"?",        "HELLO",    "WELCOME", "ERROR",   "READY", "BEGIN",
                                                      "DATA",     "ACCEPTED", "DONE",    "AGAIN",   "SKIP",  "REQUEST",
                                                      "RESPONSE", "CLOCK",    "PROBE",   "ECHO",    "END",   "BYE",
                                                      "LEAVE",    "FILL",     "REPLY",   "ADDRESS", "SHARE", "TALLY"};
  const auto i = static_cast<size_t>(type);
  return i < kNames.size() ? kNames[i] : kNames[0];
}

const char* name(ReplyFrom from) {
  return from == ReplyFrom::one ? "one" : from == ReplyFrom::first ? "first" : "all";
}

const char* name(EndReason reason) {
  return names_of(reason).text;
}

const char* word(EndReason reason) {
  return names_of(reason).word;
}

void append(Bytes& out, const Hello& hello) {
  N2NQ_ASSERT(hello.token.size() <= kMaxToken);
  const size_t filter = encoded_size(hello.filter);
  uint8_t* at = add_frame(out, Type::hello, 48 + hello.token.size() + filter);
  std::copy(kMagic.begin(), kMagic.end(), at + 8);
  put<uint16_t>(at + 12, kVersion);
  at[14] = static_cast<uint8_t>(hello.role);
  at[15] = static_cast<uint8_t>((hello.hold ? kHold : 0) | (hello.responses ? kResponses : 0) |
                                (hello.requests ? kRequests : 0) | (hello.replies ? kReplies : 0) |
                                (hello.elsewhere ? kElsewhere : 0));
  put<uint32_t>(at + 16, hello.number);
  put<uint32_t>(at + 20, hello.fleet_size);
  put<uint64_t>(at + 24, hello.fleet);
  put<uint64_t>(at + 32, hello.clock_id);
  put<uint16_t>(at + 40, static_cast<uint16_t>(hello.token.size()));
  put<uint16_t>(at + 42, static_cast<uint16_t>(filter));
  std::copy(hello.token.begin(), hello.token.end(), at + 48);
  encode(hello.filter, at + 48 + hello.token.size());
}

void append(Bytes& out, const Welcome& welcome) {
  uint8_t* at = add_frame(out, Type::welcome, 48);
  put<uint16_t>(at + 8, kVersion);
  at[10] = static_cast<uint8_t>(welcome.mode);
  at[11] = static_cast<uint8_t>((welcome.same_clock ? kSameClock : 0) | (welcome.begun ? kBegun : 0) |
                                (welcome.elsewhere ? kTravelsElsewhere : 0));
  put<uint32_t>(at + 12, welcome.max_payload);
  put<uint64_t>(at + 16, welcome.run_id);
  put<uint64_t>(at + 24, welcome.clock_id);
  put<int64_t>(at + 32, welcome.broker_ns);
  put<uint32_t>(at + 40, welcome.response_window);
  if (welcome.mode == Mode::request_reply) at[44] = static_cast<uint8_t>(welcome.reply_from);
}

void append(Bytes& out, const ErrorFrame& error) {
  const std::string text = one_line(error.text);
  const size_t n = text.size();
  uint8_t* at = add_frame(out, Type::error, 12 + n);
  put<uint16_t>(at + 8, static_cast<uint16_t>(error.code));
  put<uint16_t>(at + 10, static_cast<uint16_t>(n));
  std::copy(text.begin(), text.end(), at + 12);
}

void append(Bytes& out, const Ready& ready) {
  append_number(out, Type::ready, ready.fleet);
}
void append(Bytes& out, const Accepted& accepted) {
  append_number(out, Type::accepted, accepted.count);
}
void append(Bytes& out, const Done& done) {
  append_number(out, Type::done, done.count);
}
void append(Bytes& out, const Bye& bye) {
  append_number(out, Type::bye, bye.count);
}
void append(Bytes& out, const Address& address) {
  N2NQ_ASSERT(address.text.size() <= kMaxAddress);
  uint8_t* at = add_frame(out, Type::address, 20 + address.text.size());
  put<uint32_t>(at + 8, address.receiver);
  put<uint32_t>(at + 12, address.of);
  put<uint16_t>(at + 16, static_cast<uint16_t>(address.text.size()));
  std::copy(address.text.begin(), address.text.end(), at + 20);
}

void append(Bytes& out, const Share& share) {
  uint8_t* at = add_frame(out, Type::share, 24);
  put<uint32_t>(at + 8, share.receiver);
  put<uint32_t>(at + 12, share.again);
  put<uint64_t>(at + 16, share.count);
}

void append(std::vector<Tally::Stretch>& stretches, const Tally::Stretch& next) {
  const bool goes_on = !stretches.empty() && stretches.back().receiver == next.receiver &&
                       stretches.back().fate == next.fate && stretches.back().last + 1 == next.first;
  if (goes_on)
    stretches.back().last = next.last;
  else
    stretches.push_back(next);
}

void append(Bytes& out, const Tally& tally) {
  size_t done = 0;
  do {
    const size_t count = std::min(tally.stretches.size() - done, kMaxStretches);
    uint8_t* at = add_frame(out, Type::tally, 24 + count * kStretchBytes);
    put<uint32_t>(at + 8, tally.sender);
    put<uint32_t>(at + 12, static_cast<uint32_t>(count));
    put<uint64_t>(at + 16, tally.sent);
    for (uint8_t* to = at + 24; to < at + 24 + count * kStretchBytes; to += kStretchBytes) {
      const Tally::Stretch& stretch = tally.stretches[done++];
      put<uint64_t>(to, stretch.first);
      put<uint64_t>(to + 8, stretch.last);
      put<uint32_t>(to + 16, stretch.receiver);
      to[20] = static_cast<uint8_t>(stretch.fate);
    }
  } while (done < tally.stretches.size());
}

void append_fill(Bytes& out, size_t length) {
  N2NQ_ASSERT(length >= kHeaderBytes && length <= kMaxControlFrame);
  add_frame(out, Type::fill, length);
}

void append_leave(Bytes& out) {
  add_frame(out, Type::leave, kHeaderBytes);
}

void append(Bytes& out, const Begin& begin) {
  uint8_t* at = add_frame(out, Type::begin, 32);
  put<int64_t>(at + 8, begin.broker_ns);
  put<int64_t>(at + 16, begin.wall_ns);
  put<uint32_t>(at + 24, begin.senders);
  put<uint32_t>(at + 28, begin.receivers);
}

void write_again(uint8_t* to, const Again& again) {
  put<uint32_t>(to, 24);
  put<uint32_t>(to + 4, static_cast<uint32_t>(Type::again));
  put<uint32_t>(to + 8, again.sender);
  put<uint32_t>(to + 12, again.attempt);
  put<uint64_t>(to + 16, again.index);
}

void append(Bytes& out, const Again& again) {
  write_again(add_frame(out, Type::again, 24), again);
}

void append(Bytes& out, const Skip& skip) {
  uint8_t* at = add_frame(out, Type::skip, 40);
  put<uint32_t>(at + 8, skip.sender);
  at[12] = static_cast<uint8_t>(skip.reason);
  put<uint64_t>(at + 16, skip.count);
  put<uint64_t>(at + 24, skip.lowest);
  put<uint64_t>(at + 32, skip.highest);
}

void append(Bytes& out, const Request& request) {
  const size_t filter = request.has_filter ? encoded_size(request.filter) : 0;
  uint8_t* at = add_frame(out, Type::request, 24 + filter, request.has_filter ? kHasFilter : 0);
  put<uint64_t>(at + 8, request.count);
  at[16] = request.replace ? 1 : 0;
  put<uint16_t>(at + 18, static_cast<uint16_t>(filter));
  if (request.has_filter) encode(request.filter, at + 24);
}

void append(Bytes& out, std::span<const ResponseItem> items) {
  N2NQ_ASSERT(!items.empty() && items.size() <= kMaxResponses);
  uint8_t* at = add_frame(out, Type::response, 16 + 16 * items.size());
  put<uint32_t>(at + 8, static_cast<uint32_t>(items.size()));
  at += 16;
  for (const ResponseItem& item : items) {
    put<uint64_t>(at, item.index);
    put<uint32_t>(at + 8, item.sender);
    at[12] = static_cast<uint8_t>(item.verdict);
    at += 16;
  }
}

void append(Bytes& out, const Clock& clock) {
  uint8_t* at = add_frame(out, Type::clock, 40);
  put<uint32_t>(at + 8, clock.first);
  put<uint32_t>(at + 12, clock.last);
  put<int64_t>(at + 16, clock.offset_ns);
  put<uint64_t>(at + 24, clock.bound_ns);
  put<int64_t>(at + 32, clock.from_ns);
}

void append(Bytes& out, const Probe& probe) {
  put<int64_t>(add_frame(out, Type::probe, 16) + 8, probe.t1);
}

void append(Bytes& out, const Echo& echo) {
  uint8_t* at = add_frame(out, Type::echo, 32);
  put<int64_t>(at + 8, echo.t1);
  put<int64_t>(at + 16, echo.t2);
  put<int64_t>(at + 24, echo.t3);
}

void append(Bytes& out, const End& end) {
  uint8_t* at = add_frame(out, Type::end, 56);
  put<uint64_t>(at + 8, end.expected);
  put<uint64_t>(at + 16, end.delivered);
  put<uint64_t>(at + 24, end.expired);
  put<uint64_t>(at + 32, end.undeliverable);
  put<uint64_t>(at + 40, end.redelivered);
  at[48] = static_cast<uint8_t>(end.reason);
}

Result<Hello> decode_hello(Frame frame) {
  if (auto ok = check(frame, Type::hello, 48, true); !ok) return std::unexpected(ok.error());
  if (!std::equal(kMagic.begin(), kMagic.end(), frame.begin() + 8)) return malformed(Type::hello, "wrong magic");
  if (hello_version(frame) != kVersion) return malformed(Type::hello, "a version this program does not support");
  const size_t token = get<uint16_t>(&frame[40]);
  const size_t filter = get<uint16_t>(&frame[42]);
  if (token > kMaxToken) return malformed(Type::hello, "the token is longer than 64 bytes");
  if (frame.size() != 48 + token + filter) return malformed(Type::hello, "its lengths do not add up");
  if (get<uint32_t>(&frame[44]) != 0) return malformed(Type::hello, "reserved bytes set");
  const uint8_t role = frame[14];
  const uint8_t wishes = frame[15];
  if (role < 1 || role > 3) return malformed(Type::hello, "an unknown role");
  if ((wishes & ~(kHold | kResponses | kRequests | kReplies | kElsewhere)) != 0)
    return malformed(Type::hello, "unknown wishes");
  Hello hello{.role = Role{role},
              .hold = (wishes & kHold) != 0,
              .responses = (wishes & kResponses) != 0,
              .requests = (wishes & kRequests) != 0,
              .replies = (wishes & kReplies) != 0,
              .elsewhere = (wishes & kElsewhere) != 0,
              .number = get<uint32_t>(&frame[16]),
              .fleet_size = get<uint32_t>(&frame[20]),
              .fleet = get<uint64_t>(&frame[24]),
              .clock_id = get<uint64_t>(&frame[32]),
              .token = std::string(frame.begin() + 48, frame.begin() + 48 + static_cast<ptrdiff_t>(token)),
              .filter = {}};
  if (hello.role != Role::receiver && (hello.responses || hello.requests))
    return malformed(Type::hello, "responses or requests from a client that is not a receiver");
  if (hello.role == Role::clock && hello.replies) return malformed(Type::hello, "replies on a clock connection");
  if ((hello.number == 0) != (hello.role == Role::clock)) return malformed(Type::hello, "a bad service number");
  if (hello.fleet == 0 || hello.fleet_size == 0) return malformed(Type::hello, "fleet id or size is 0");
  if (filter != 0 && !hello.requests) return malformed(Type::hello, "a filter without requests");
  auto decoded = decode_filter(frame.subspan(48 + token));
  if (!decoded) return malformed(Type::hello, decoded.error().text.c_str());
  hello.filter = std::move(*decoded);
  return hello;
}

Result<Welcome> decode_welcome(Frame frame) {
  if (auto ok = check(frame, Type::welcome, 48); !ok) return std::unexpected(ok.error());
  if (get<uint16_t>(&frame[8]) != kVersion) return malformed(Type::welcome, "another version");
  const uint8_t mode = frame[10];
  if (mode < 1 || mode > 3) return malformed(Type::welcome, "an unknown mode");
  const bool replies = Mode{mode} == Mode::request_reply;
  const uint8_t from = frame[44];
  if (replies ? from < 1 || from > 3 : from != 0) return malformed(Type::welcome, "an unknown way to reply");
  if ((frame[11] & ~(kSameClock | kBegun | kTravelsElsewhere)) != 0 || !all_zero(&frame[45], 3))
    return malformed(Type::welcome, "reserved bytes or flags set");
  return Welcome{.mode = Mode{mode},
                 .same_clock = (frame[11] & kSameClock) != 0,
                 .begun = (frame[11] & kBegun) != 0,
                 .elsewhere = (frame[11] & kTravelsElsewhere) != 0,
                 .max_payload = get<uint32_t>(&frame[12]),
                 .run_id = get<uint64_t>(&frame[16]),
                 .clock_id = get<uint64_t>(&frame[24]),
                 .broker_ns = get<int64_t>(&frame[32]),
                 .response_window = get<uint32_t>(&frame[40]),
                 .reply_from = replies ? ReplyFrom{from} : ReplyFrom::one};
}

Result<ErrorFrame> decode_error(Frame frame) {
  if (auto ok = check(frame, Type::error, 12, true); !ok) return std::unexpected(ok.error());
  const size_t n = get<uint16_t>(&frame[10]);
  if (frame.size() != 12 + n) return malformed(Type::error, "its lengths do not add up");
  const std::string text(frame.begin() + 12, frame.end());
  return ErrorFrame{.code = ErrorCode{get<uint16_t>(&frame[8])}, .text = one_line(text)};
}

Result<Ready> decode_ready(Frame frame) {
  return decode_number<Ready>(frame, Type::ready);
}
Result<Accepted> decode_accepted(Frame frame) {
  return decode_number<Accepted>(frame, Type::accepted);
}
Result<Done> decode_done(Frame frame) {
  return decode_number<Done>(frame, Type::done);
}
Result<Bye> decode_bye(Frame frame) {
  return decode_number<Bye>(frame, Type::bye);
}
Result<ReplyHeader> decode_reply(Frame frame) {
  if (auto ok = check(frame, Type::reply, kReplyHeaderBytes, true); !ok) return std::unexpected(ok.error());
  if (get<uint32_t>(&frame[44]) != 0) return malformed(Type::reply, "reserved bytes set");
  const ReplyHeader header = read_reply_header(frame.data());
  if (header.requester == 0 || header.replier == 0 || header.index == 0)
    return malformed(Type::reply, "requester, replier or index is 0");
  return header;
}

Result<Address> decode_address(Frame frame) {
  if (auto ok = check(frame, Type::address, 20, true); !ok) return std::unexpected(ok.error());
  const size_t length = get<uint16_t>(&frame[16]);
  if (length > kMaxAddress) return malformed(Type::address, "longer than 512 bytes");
  if (frame.size() != 20 + length || get<uint16_t>(&frame[18]) != 0)
    return malformed(Type::address, "its lengths do not add up");
  const std::string_view text(reinterpret_cast<const char*>(frame.data()) + 20, length);
  if (!std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; }))
    return malformed(Type::address, "characters that no address has");
  Address address{.receiver = get<uint32_t>(&frame[8]), .of = get<uint32_t>(&frame[12]), .text = std::string(text)};
  if (address.receiver == 0) return malformed(Type::address, "a bad service number");
  return address;
}
Result<Share> decode_share(Frame frame) {
  if (auto ok = check(frame, Type::share, 24); !ok) return std::unexpected(ok.error());
  const Share share{
      .receiver = get<uint32_t>(&frame[8]), .count = get<uint64_t>(&frame[16]), .again = get<uint32_t>(&frame[12])};
  if (share.receiver == 0) return malformed(Type::share, "a bad service number");
  if (share.again > share.count) return malformed(Type::share, "more that came again than there is");
  return share;
}
Result<Tally> decode_tally(Frame frame) {
  if (auto ok = check(frame, Type::tally, 24, true); !ok) return std::unexpected(ok.error());
  const size_t count = get<uint32_t>(&frame[12]);
  if (count > kMaxStretches || frame.size() != 24 + count * kStretchBytes)
    return malformed(Type::tally, "its lengths do not add up");
  Tally tally{.sender = get<uint32_t>(&frame[8]), .sent = get<uint64_t>(&frame[16])};
  if (tally.sender == 0) return malformed(Type::tally, "a bad service number");
  for (const uint8_t* at = frame.data() + 24; at < frame.data() + frame.size(); at += kStretchBytes) {
    if (at[20] < 1 || at[20] > 2 || !all_zero(at + 21, 3)) return malformed(Type::tally, "an unknown fate");
    const Tally::Stretch stretch{.first = get<uint64_t>(at),
                                 .last = get<uint64_t>(at + 8),
                                 .receiver = get<uint32_t>(at + 16),
                                 .fate = Tally::Fate{at[20]}};
    if (stretch.first == 0 || stretch.last < stretch.first || stretch.last > tally.sent)
      return malformed(Type::tally, "messages that were not sent");
    tally.stretches.push_back(stretch);
  }
  return tally;
}
Result<void> decode_fill(Frame frame) {
  return check(frame, Type::fill, kHeaderBytes, true);
}

Result<void> decode_leave(Frame frame) {
  return check(frame, Type::leave, kHeaderBytes);
}

Result<Begin> decode_begin(Frame frame) {
  if (auto ok = check(frame, Type::begin, 32); !ok) return std::unexpected(ok.error());
  return Begin{.broker_ns = get<int64_t>(&frame[8]),
               .wall_ns = get<int64_t>(&frame[16]),
               .senders = get<uint32_t>(&frame[24]),
               .receivers = get<uint32_t>(&frame[28])};
}

Result<Again> decode_again(Frame frame) {
  if (auto ok = check(frame, Type::again, 24); !ok) return std::unexpected(ok.error());
  return Again{
      .sender = get<uint32_t>(&frame[8]), .attempt = get<uint32_t>(&frame[12]), .index = get<uint64_t>(&frame[16])};
}

Result<Skip> decode_skip(Frame frame) {
  if (auto ok = check(frame, Type::skip, 40); !ok) return std::unexpected(ok.error());
  if (frame[12] < 1 || frame[12] > 2 || !all_zero(&frame[13], 3)) return malformed(Type::skip, "an unknown reason");
  return Skip{.sender = get<uint32_t>(&frame[8]),
              .reason = SkipReason{frame[12]},
              .count = get<uint64_t>(&frame[16]),
              .lowest = get<uint64_t>(&frame[24]),
              .highest = get<uint64_t>(&frame[32])};
}

Result<Request> decode_request(Frame frame) {
  if (auto ok = check(frame, Type::request, 24, true, kHasFilter); !ok) return std::unexpected(ok.error());
  const size_t filter = get<uint16_t>(&frame[18]);
  if (frame.size() != 24 + filter) return malformed(Type::request, "its lengths do not add up");
  if (frame[16] > 1 || frame[17] != 0 || get<uint32_t>(&frame[20]) != 0)
    return malformed(Type::request, "reserved bytes set");
  Request request{.count = get<uint64_t>(&frame[8]),
                  .replace = frame[16] == 1,
                  .has_filter = (frame[5] & kHasFilter) != 0,
                  .filter = {}};
  if (!request.has_filter && filter != 0) return malformed(Type::request, "a filter without its flag");
  auto decoded = decode_filter(frame.subspan(24));
  if (!decoded) return malformed(Type::request, decoded.error().text.c_str());
  request.filter = std::move(*decoded);
  return request;
}

Result<void> decode_response(Frame frame, std::vector<ResponseItem>& items) {
  if (auto ok = check(frame, Type::response, 16, true); !ok) return ok;
  const size_t n = get<uint32_t>(&frame[8]);
  if (n < 1 || n > kMaxResponses || frame.size() != 16 + 16 * n)
    return malformed(Type::response, "its lengths do not add up");
  if (get<uint32_t>(&frame[12]) != 0) return malformed(Type::response, "reserved bytes set");
  const size_t before = items.size();
  for (size_t i = 0; i < n; i++) {
    const uint8_t* at = &frame[16 + 16 * i];
    if (at[12] > 1 || !all_zero(at + 13, 3)) {
      items.resize(before);
      return malformed(Type::response, "an unknown verdict");
    }
    items.push_back({.index = get<uint64_t>(at), .sender = get<uint32_t>(at + 8), .verdict = Verdict{at[12]}});
  }
  return {};
}

Result<Clock> decode_clock(Frame frame) {
  if (auto ok = check(frame, Type::clock, 40); !ok) return std::unexpected(ok.error());
  const Clock clock{.first = get<uint32_t>(&frame[8]),
                    .last = get<uint32_t>(&frame[12]),
                    .offset_ns = get<int64_t>(&frame[16]),
                    .bound_ns = get<uint64_t>(&frame[24]),
                    .from_ns = get<int64_t>(&frame[32])};
  if (clock.first == 0 || clock.first > clock.last) return malformed(Type::clock, "a bad range of senders");
  return clock;
}

Result<Probe> decode_probe(Frame frame) {
  if (auto ok = check(frame, Type::probe, 16); !ok) return std::unexpected(ok.error());
  return Probe{.t1 = get<int64_t>(&frame[8])};
}

Result<Echo> decode_echo(Frame frame) {
  if (auto ok = check(frame, Type::echo, 32); !ok) return std::unexpected(ok.error());
  return Echo{.t1 = get<int64_t>(&frame[8]), .t2 = get<int64_t>(&frame[16]), .t3 = get<int64_t>(&frame[24])};
}

Result<End> decode_end(Frame frame) {
  if (auto ok = check(frame, Type::end, 56); !ok) return std::unexpected(ok.error());
  if (frame[48] > 4 || !all_zero(&frame[49], 7)) return malformed(Type::end, "an unknown reason");
  return End{.expected = get<uint64_t>(&frame[8]),
             .delivered = get<uint64_t>(&frame[16]),
             .expired = get<uint64_t>(&frame[24]),
             .undeliverable = get<uint64_t>(&frame[32]),
             .redelivered = get<uint64_t>(&frame[40]),
             .reason = EndReason{frame[48]}};
}

HelloStart judge_hello_start(std::span<const uint8_t> bytes) {
  if (bytes.size() >= 5) {
    const uint32_t length = get<uint32_t>(bytes.data());
    if (length < 48 || length > kMaxControlFrame || bytes[4] != static_cast<uint8_t>(Type::hello))
      return HelloStart::not_ours;
  }
  const size_t magic = bytes.size() > 8 ? std::min<size_t>(bytes.size() - 8, kMagic.size()) : 0;
  if (magic > 0 && !std::equal(kMagic.begin(), kMagic.begin() + static_cast<ptrdiff_t>(magic), bytes.begin() + 8))
    return HelloStart::not_ours;
  return bytes.size() >= 14 ? HelloStart::plausible : HelloStart::partial;
}

uint16_t hello_version(Frame frame) {
  return get<uint16_t>(&frame[12]);
}

}  // namespace n2nq::wire
