#include <optional>

#include "broker/base/assert.h"
#include "broker/wire/frames.h"
#include "tests/fuzz/entries.h"

namespace n2nq::fuzz {
namespace {

using namespace wire;

template <class T>
Bytes encoded(const T& value) {
  Bytes bytes;
  append(bytes, value);
  return bytes;
}

// What is taken must survive the way out and in again. `exact`: only one sequence of bytes means this value.
template <class T>
void check(Frame frame, Result<T> (*decode)(Frame), bool exact = true) {
  const auto value = decode(frame);
  if (!value) {
    N2NQ_ASSERT(!value.error().text.empty());
    return;
  }
  const Bytes bytes = encoded(*value);
  if (exact) N2NQ_ASSERT(bytes == Bytes(frame.begin(), frame.end()));
  const auto again = decode(bytes);
  N2NQ_ASSERT(again && *again == *value);
}

void check_response(Frame frame) {
  std::vector<ResponseItem> items{{.index = 1, .sender = 1}};
  if (!decode_response(frame, items)) {
    N2NQ_ASSERT(items.size() == 1);
    return;
  }
  const Bytes bytes = encoded(std::span<const ResponseItem>(items).subspan(1));
  N2NQ_ASSERT(bytes == Bytes(frame.begin(), frame.end()));
}

void check_data(Frame frame) {
  if (frame.size() < kDataHeaderBytes || !is_sound_data_header(frame.data())) return;
  const DataHeader header = read_data_header(frame.data());
  N2NQ_ASSERT(header.payload_size() == header.length - kDataHeaderBytes);
  Bytes bytes(kDataHeaderBytes);
  write_data_header(bytes.data(), header);
  N2NQ_ASSERT(bytes == Bytes(frame.begin(), frame.begin() + kDataHeaderBytes));
}

void check_reply(Frame frame) {
  const auto header = decode_reply(frame);
  if (!header) return;
  N2NQ_ASSERT(header->payload_size() == frame.size() - kReplyHeaderBytes);
  Bytes bytes(kReplyHeaderBytes);
  write_reply_header(bytes.data(), *header);
  N2NQ_ASSERT(bytes == Bytes(frame.begin(), frame.begin() + kReplyHeaderBytes));
}

void check_as(Type type, Frame frame) {
  switch (type) {
    case Type::hello:
      return check(frame, decode_hello, false);  // ranges that touch are merged
    case Type::welcome:
      return check(frame, decode_welcome);
    case Type::error:
      return check(frame, decode_error, false);  // the text is cleaned
    case Type::ready:
      return check(frame, decode_ready);
    case Type::begin:
      return check(frame, decode_begin);
    case Type::data:
      return check_data(frame);
    case Type::accepted:
      return check(frame, decode_accepted);
    case Type::done:
      return check(frame, decode_done);
    case Type::again:
      return check(frame, decode_again);
    case Type::skip:
      return check(frame, decode_skip);
    case Type::request:
      return check(frame, decode_request, false);
    case Type::response:
      return check_response(frame);
    case Type::clock:
      return check(frame, decode_clock);
    case Type::probe:
      return check(frame, decode_probe);
    case Type::echo:
      return check(frame, decode_echo);
    case Type::end:
      return check(frame, decode_end);
    case Type::bye:
      return check(frame, decode_bye);
    case Type::address:
      return check(frame, decode_address);
    case Type::share:
      return check(frame, decode_share);
    case Type::tally:
      return check(frame, decode_tally);
    case Type::leave:
      N2NQ_ASSERT(!decode_leave(frame) || frame.size() == kHeaderBytes);
      return;
    case Type::fill:
      N2NQ_ASSERT(!decode_fill(frame) || frame.size() >= kHeaderBytes);
      return;
    case Type::reply:
      return check_reply(frame);
  }
}

}  // namespace

void frames_fuzz(std::span<const uint8_t> input) {
  if (input.empty()) return;
  const Type type{static_cast<uint8_t>((input[0] & 0x7F) % 22 + 1)};
  Bytes frame(input.begin() + 1, input.end());  // a block of its own, so that reading past its end is noticed
  if ((input[0] & 0x80) != 0 && frame.size() >= kHeaderBytes) {
    put<uint32_t>(frame.data(), static_cast<uint32_t>(frame.size()));
    frame[4] = static_cast<uint8_t>(type);
    frame[6] = frame[7] = 0;
  }
  check_as(type, frame);
}

}  // namespace n2nq::fuzz
