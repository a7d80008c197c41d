#include "workers/bus/redis/resp.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace n2nq::bus {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr size_t kLongestLine = 4096;
constexpr int64_t kMostMembers = 1 << 20;

std::optional<int64_t> integer_in(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

constexpr RespStep kViolation{.kind = RespStep::Kind::violation};

RespStep token(RespToken::Kind kind, std::span<const uint8_t> bytes, int64_t number, size_t used) {
  return {.kind = RespStep::Kind::token, .token = {.kind = kind, .bytes = bytes, .number = number}, .used = used};
}

RespStep bulk(std::span<const uint8_t> bytes, size_t head, int64_t size, size_t longest) {
  if (size == -1) return token(RespToken::Kind::nil, {}, 0, head);
  if (size < 0 || static_cast<uint64_t>(size) > longest) return kViolation;
  const size_t body_end = head + static_cast<size_t>(size);
  const size_t whole = body_end + kLineEnd.size();
  if (bytes.size() < whole) return {.whole = whole};
  if (bytes[body_end] != '\r' || bytes[body_end + 1] != '\n') return kViolation;
  return token(RespToken::Kind::bulk, bytes.subspan(head, static_cast<size_t>(size)), size, whole);
}

}  // namespace

RespStep next_resp(std::span<const uint8_t> bytes, size_t longest) {
  if (bytes.empty()) return {};
  constexpr std::string_view kTypes = "+-:$*";
  if (kTypes.find(static_cast<char>(bytes[0])) == std::string_view::npos) return kViolation;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kLongestLine));
  const size_t end = text.find(kLineEnd);
  if (end == std::string_view::npos) return bytes.size() < kLongestLine ? RespStep{} : kViolation;
  const size_t head = end + kLineEnd.size();
  const auto line = bytes.subspan(1, end - 1);
  if (bytes[0] == '+') return token(RespToken::Kind::simple, line, 0, head);
  if (bytes[0] == '-') return token(RespToken::Kind::error, line, 0, head);
  const auto number = integer_in(text.substr(1, end - 1));
  if (!number) return kViolation;
  if (bytes[0] == ':') return token(RespToken::Kind::integer, {}, *number, head);
  if (bytes[0] == '$') return bulk(bytes, head, *number, longest);
  if (*number == -1) return token(RespToken::Kind::nil, {}, 0, head);
  if (*number < 0 || *number > kMostMembers) return kViolation;
  return token(RespToken::Kind::array, {}, *number, head);
}

std::string begin_command(std::initializer_list<std::string_view> words, size_t more) {
  std::string command = "*" + std::to_string(words.size() + more) + "\r\n";
  for (const std::string_view word : words) command += bulk(word);
  return command;
}

std::string bulk(std::string_view word) {
  return "$" + std::to_string(word.size()) + "\r\n" + std::string(word) + "\r\n";
}

void append_bulk(std::vector<uint8_t>& out, std::span<const uint8_t> bytes) {
  char head[24] = {'$'};
  const auto end = std::to_chars(head + 1, std::end(head), bytes.size()).ptr;
  out.insert(out.end(), head, end);
  out.insert(out.end(), kLineEnd.begin(), kLineEnd.end());
  out.insert(out.end(), bytes.begin(), bytes.end());
  out.insert(out.end(), kLineEnd.begin(), kLineEnd.end());
}

}  // namespace n2nq::bus
