#include "tests/unit/wire/golden.h"

#include <fstream>

namespace n2nq::wire {
namespace {

template <class T>
std::string reason(const Result<T>& result) {
  return result ? std::string() : result.error().text;
}

}  // namespace

Bytes golden(const std::string& type) {
  std::ifstream file(N2NQ_TEST_DATA "/frames/" + type + ".hex");
  std::string digits;
  for (std::string line; std::getline(file, line);)
    for (const char c : line.substr(0, line.find('#')))
      if (c != ' ') digits += c;
  Bytes bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return bytes;
}

const std::vector<std::string>& control_types() {
  static const std::vector<std::string> types{
      "hello", "welcome", "error", "ready",   "begin", "accepted", "done",          "again",
      "skip",  "clock",   "probe", "echo",    "end",   "request",  "response",      "bye",
      "leave", "fill",    "reply", "address", "share", "tally",    "hello_replies", "welcome_replies"};
  return types;
}

std::string refusal(Frame frame) {
  if (frame.size() < kHeaderBytes) return "no header";
  switch (read_header(frame.data()).type) {
    case Type::hello:
      return reason(decode_hello(frame));
    case Type::welcome:
      return reason(decode_welcome(frame));
    case Type::error:
      return reason(decode_error(frame));
    case Type::ready:
      return reason(decode_ready(frame));
    case Type::begin:
      return reason(decode_begin(frame));
    case Type::accepted:
      return reason(decode_accepted(frame));
    case Type::done:
      return reason(decode_done(frame));
    case Type::again:
      return reason(decode_again(frame));
    case Type::skip:
      return reason(decode_skip(frame));
    case Type::request:
      return reason(decode_request(frame));
    case Type::response: {
      std::vector<ResponseItem> items;
      return reason(decode_response(frame, items));
    }
    case Type::clock:
      return reason(decode_clock(frame));
    case Type::probe:
      return reason(decode_probe(frame));
    case Type::echo:
      return reason(decode_echo(frame));
    case Type::end:
      return reason(decode_end(frame));
    case Type::bye:
      return reason(decode_bye(frame));
    case Type::leave:
      return reason(decode_leave(frame));
    case Type::fill:
      return reason(decode_fill(frame));
    case Type::address:
      return reason(decode_address(frame));
    case Type::share:
      return reason(decode_share(frame));
    case Type::tally:
      return reason(decode_tally(frame));
    case Type::reply:
      return reason(decode_reply(frame));
    case Type::data:
      break;
  }
  return "no control frame";
}

}  // namespace n2nq::wire
