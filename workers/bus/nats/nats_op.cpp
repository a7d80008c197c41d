#include "workers/bus/nats/nats_op.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace n2nq::bus {
namespace {

constexpr std::string_view kCrLf = "\r\n";
constexpr size_t kLongestNatsLine = 64 * 1024;  // INFO names all servers of a cluster
constexpr NatsStep kNatsViolation{.kind = NatsStep::Kind::violation};

struct Name {
  std::string_view text;
  NatsOp::Kind kind;
};
constexpr std::string_view kPendingMessages = "\r\nNats-Pending-Messages:";
constexpr std::string_view kWithHeaders = "HMSG ";
constexpr Name kOpNames[] = {{"MSG ", NatsOp::Kind::message}, {kWithHeaders, NatsOp::Kind::message},
                             {"PING", NatsOp::Kind::ping},    {"PONG", NatsOp::Kind::pong},
                             {"+OK", NatsOp::Kind::ok},       {"-ERR ", NatsOp::Kind::error},
                             {"INFO ", NatsOp::Kind::info}};

// Whether it may yet become one of them.
bool may_begin(std::string_view line) {
  return std::ranges::any_of(kOpNames,
                             [&](const Name& name) { return name.text.starts_with(line.substr(0, name.text.size())); });
}

std::string_view trimmed(std::string_view text, std::string_view away) {
  const size_t first = std::min(text.find_first_not_of(away), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(away) + 1);
}

std::optional<size_t> size_in(std::string_view word) {
  size_t size = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return size;
}

// Of headers that begin with a status: "NATS/1.0 408 Request Timeout". From its number on.
std::string_view status_in(std::string_view headers) {
  const std::string_view line = headers.substr(0, headers.find(kCrLf));
  return trimmed(line.substr(std::min(line.find(' '), line.size())), " ");
}

std::optional<uint64_t> header_in(std::string_view headers, std::string_view name) {
  const size_t at = headers.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  headers.remove_prefix(at + name.size());
  return size_in(trimmed(headers.substr(0, headers.find(kCrLf)), " "));
}

// Behind its name: subject, number of the subscription, perhaps a subject for replies, perhaps the size of its headers,
// and the size of all that follows.
NatsStep message(std::span<const uint8_t> bytes, std::string_view line, bool with_headers, size_t head,
                 size_t longest) {
  std::array<std::string_view, 5> words;
  size_t count = 0;
  for (line = trimmed(line, " "); !line.empty(); line = trimmed(line, " ")) {
    if (count == words.size()) return kNatsViolation;
    words[count] = line.substr(0, line.find(' '));
    line.remove_prefix(words[count++].size());
  }
  const size_t least = with_headers ? 4 : 3;
  if (count != least && count != least + 1) return kNatsViolation;
  const auto size = size_in(words[count - 1]);
  const auto headers = with_headers ? size_in(words[count - 2]) : std::optional<size_t>(0);
  if (!size || !headers || *size > longest || *headers > *size) return kNatsViolation;
  const size_t end = head + *size;
  const size_t whole = end + kCrLf.size();
  if (bytes.size() < whole) return {.whole = whole};
  if (bytes[end] != '\r' || bytes[end + 1] != '\n') return kNatsViolation;
  const std::string_view all_headers(reinterpret_cast<const char*>(bytes.data()) + head, *headers);
  const std::string_view status = status_in(all_headers);
  const std::string_view number = status.substr(0, 3);
  return {.kind = NatsStep::Kind::op,
          .op = {.kind = NatsOp::Kind::message,
                 .text = trimmed(status.substr(number.size()), " "),
                 .subject = words[0],
                 .reply = count > least ? words[2] : std::string_view(),
                 .status = static_cast<int>(size_in(number).value_or(0)),
                 .pending = number.empty() ? std::nullopt : header_in(all_headers, kPendingMessages),
                 .payload = bytes.subspan(head + *headers, *size - *headers)},
          .used = whole};
}

}  // namespace

NatsStep next_nats(std::span<const uint8_t> bytes, size_t longest) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kLongestNatsLine));
  const size_t end = text.find(kCrLf);
  const std::string_view line = text.substr(0, end);
  const bool half_ended = end == std::string_view::npos && line.ends_with('\r');
  if (!may_begin(half_ended ? line.substr(0, line.size() - 1) : line)) return kNatsViolation;
  if (end == std::string_view::npos) return bytes.size() < kLongestNatsLine ? NatsStep{} : kNatsViolation;
  const auto name = std::ranges::find_if(kOpNames, [&](const Name& each) { return line.starts_with(each.text); });
  if (name == std::end(kOpNames)) return kNatsViolation;
  const std::string_view behind = line.substr(name->text.size());
  if (name->kind == NatsOp::Kind::message)
    return message(bytes, behind, name->text == kWithHeaders, end + kCrLf.size(), longest);
  const bool tells = name->text.ends_with(' ');
  if (!tells && !trimmed(behind, " ").empty()) return kNatsViolation;
  return {.kind = NatsStep::Kind::op,
          .op = {.kind = name->kind, .text = trimmed(behind, name->kind == NatsOp::Kind::error ? " '" : " ")},
          .used = end + kCrLf.size()};
}

std::string publish_head(std::string_view subject, std::string_view reply) {
  return "PUB " + std::string(subject) + " " + std::string(reply) + (reply.empty() ? "" : " ");
}

std::string publish(std::string_view subject, std::string_view reply, std::string_view payload) {
  return publish_head(subject, reply) + std::to_string(payload.size()) + "\r\n" + std::string(payload) + "\r\n";
}

void append_number(std::vector<uint8_t>& out, uint64_t number) {
  char digits[24];
  out.insert(out.end(), digits, std::to_chars(digits, std::end(digits), number).ptr);
}

void append_publish(std::vector<uint8_t>& out, std::string_view head, std::span<const uint8_t> frame) {
  out.insert(out.end(), head.begin(), head.end());
  append_number(out, frame.size());
  out.insert(out.end(), kCrLf.begin(), kCrLf.end());
  out.insert(out.end(), frame.begin(), frame.end());
  out.insert(out.end(), kCrLf.begin(), kCrLf.end());
}

}  // namespace n2nq::bus
