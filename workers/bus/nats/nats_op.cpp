#include "workers/bus/nats/nats_op.h"

#include <algorithm>
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
constexpr Name kOpNames[] = {{"MSG ", NatsOp::Kind::message}, {"PING", NatsOp::Kind::ping},
                             {"PONG", NatsOp::Kind::pong},    {"+OK", NatsOp::Kind::ok},
                             {"-ERR ", NatsOp::Kind::error},  {"INFO ", NatsOp::Kind::info}};

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

// Behind subject, number of the subscription, and perhaps a subject for replies.
std::optional<size_t> payload_size(std::string_view line) {
  std::string_view word;
  size_t words = 0;
  for (line = trimmed(line, " "); !line.empty(); line = trimmed(line, " "), words++) {
    word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
  }
  size_t size = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size);
  if ((words != 3 && words != 4) || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return size;
}

NatsStep message(std::span<const uint8_t> bytes, std::string_view line, size_t head, size_t longest) {
  const auto size = payload_size(line);
  if (!size || *size > longest) return kNatsViolation;
  const size_t end = head + *size;
  const size_t whole = end + kCrLf.size();
  if (bytes.size() < whole) return {.whole = whole};
  if (bytes[end] != '\r' || bytes[end + 1] != '\n') return kNatsViolation;
  return {.kind = NatsStep::Kind::op,
          .op = {.kind = NatsOp::Kind::message, .payload = bytes.subspan(head, *size)},
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
  if (name->kind == NatsOp::Kind::message) return message(bytes, behind, end + kCrLf.size(), longest);
  const bool tells = name->text.ends_with(' ');
  if (!tells && !trimmed(behind, " ").empty()) return kNatsViolation;
  return {.kind = NatsStep::Kind::op,
          .op = {.kind = name->kind, .text = trimmed(behind, name->kind == NatsOp::Kind::error ? " '" : " ")},
          .used = end + kCrLf.size()};
}

std::string publish_head(std::string_view subject) {
  return "PUB " + std::string(subject) + " ";
}

void append_publish(std::vector<uint8_t>& out, std::string_view head, std::span<const uint8_t> frame) {
  out.insert(out.end(), head.begin(), head.end());
  char size[24];
  const auto end = std::to_chars(size, std::end(size), frame.size()).ptr;
  out.insert(out.end(), size, end);
  out.insert(out.end(), kCrLf.begin(), kCrLf.end());
  out.insert(out.end(), frame.begin(), frame.end());
  out.insert(out.end(), kCrLf.begin(), kCrLf.end());
}

}  // namespace n2nq::bus
