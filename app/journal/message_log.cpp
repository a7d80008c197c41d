#include "app/journal/message_log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <span>
#include <system_error>

namespace n2nq::journal {
namespace {

namespace fs = std::filesystem;

// All fields before the content fit many times.
constexpr size_t kKeep = 1024;
constexpr size_t kSenderFields = 6;  // before the content
constexpr size_t kReceiverFields = 8;

std::optional<uint32_t> service_of(std::string_view name, std::string_view prefix) {
  constexpr std::string_view kSuffix = ".log";
  if (!name.starts_with(prefix) || !name.ends_with(kSuffix) || name.size() < prefix.size() + kSuffix.size()) return {};
  name = name.substr(prefix.size(), name.size() - prefix.size() - kSuffix.size());
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number == 0) return {};
  return number;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 20 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_stamp(std::string_view text) {
  if (text == "-") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return is_number(text);
}

bool is_flags(std::string_view text) {
  return text == "-" ||
         (!text.empty() && std::ranges::all_of(text, [](char c) { return c == ',' || (c >= 'a' && c <= 'z'); }));
}

std::optional<int> number_at(std::string_view text, size_t at, size_t size) {
  int value = 0;
  if (at + size > text.size()) return {};
  const char* from = text.data() + at;
  const auto [end, error] = std::from_chars(from, from + size, value);
  if (error != std::errc() || end != from + size) return {};
  return value;
}

// "2026-03-01T09:30:00.123456789Z"
std::optional<int64_t> parse_utc(std::string_view text) {
  using namespace std::chrono;
  if (text.size() != 30 || text[4] != '-' || text[10] != 'T' || text[19] != '.' || text[29] != 'Z') return {};
  const auto y = number_at(text, 0, 4), mo = number_at(text, 5, 2), d = number_at(text, 8, 2);
  const auto h = number_at(text, 11, 2), mi = number_at(text, 14, 2), s = number_at(text, 17, 2);
  const auto ns = number_at(text, 20, 9);
  if (!y || !mo || !d || !h || !mi || !s || !ns) return {};
  const year_month_day day{year(*y), month(static_cast<unsigned>(*mo)), std::chrono::day(static_cast<unsigned>(*d))};
  // What 64 bits of nanoseconds can say.
  if (!day.ok() || *y < 1970 || *y > 2200) return {};
  const auto time = sys_days(day) + hours(*h) + minutes(*mi) + seconds(*s) + nanoseconds(*ns);
  return duration_cast<nanoseconds>(time.time_since_epoch()).count();
}

std::optional<int64_t> origin_of(std::string_view comment) {
  constexpr std::string_view kName = " origin_utc=";
  const size_t at = comment.find(kName);
  if (at == std::string_view::npos) return {};
  return parse_utc(comment.substr(at + kName.size()));
}

std::optional<int64_t> monotonic_origin_of(std::string_view comment) {
  constexpr std::string_view kBegin = "# origin_monotonic_ns=";
  if (!comment.starts_with(kBegin)) return {};
  const std::string_view digits = comment.substr(kBegin.size());
  int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<LogEnd> end_of(const LineReader::Line& line) {
  constexpr std::string_view kBegin = "# end ";
  if (!line.ended || !line.text.starts_with(kBegin)) return {};
  LogEnd end;
  std::string_view rest = line.text.substr(kBegin.size());
  while (!rest.empty()) {
    const size_t space = std::min(rest.find(' '), rest.size());
    const std::string_view pair = rest.substr(0, space);
    rest.remove_prefix(std::min(space + 1, rest.size()));
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    uint64_t value = 0;
    const std::string_view digits = pair.substr(equals + 1);
    const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc() && last == digits.data() + digits.size())
      end.figures.emplace_back(pair.substr(0, equals), value);
  }
  return end;
}

}  // namespace

std::optional<uint64_t> LogEnd::figure(std::string_view name) const {
  const auto found = std::ranges::find(figures, name, &std::pair<std::string, uint64_t>::first);
  if (found == figures.end()) return {};
  return found->second;
}

Result<std::vector<MessageLogFile>> message_logs(const std::string& folder) {
  std::error_code error;
  std::vector<MessageLogFile> logs;
  fs::directory_iterator at(folder, error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    if (!fs::is_regular_file(at->symlink_status(unknown))) continue;
    const std::string name = at->path().filename().string();
    if (const auto sender = service_of(name, "sender-"))
      logs.push_back({.role = Role::sender, .service = *sender, .path = at->path().string()});
    else if (const auto receiver = service_of(name, "receiver-"))
      logs.push_back({.role = Role::receiver, .service = *receiver, .path = at->path().string()});
  }
  if (error) return fail(folder + " cannot be read: " + error.message(), error.value());
  std::ranges::sort(logs, {}, [](const MessageLogFile& log) { return std::pair(log.role, log.service); });
  return logs;
}

bool MessageLine::flagged(std::string_view word) const {
  std::string_view rest = flags;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (rest.substr(0, comma) == word) return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

Result<MessageLog> MessageLog::open(const MessageLogFile& file, std::stop_token stop) {
  auto reader = LineReader::open(file.path, kKeep, std::move(stop));
  if (!reader) return std::unexpected(reader.error());
  return MessageLog(std::move(*reader), file.role);
}

Result<bool> MessageLog::next(MessageLine& line) {
  LineReader::Line raw;
  for (;;) {
    const auto more = reader_.next(raw);
    if (!more || !*more) return more;
    end_.reset();
    if (raw.text.starts_with('#')) {
      end_ = end_of(raw);
      if (!origin_utc_ns_) origin_utc_ns_ = origin_of(raw.text);
      if (!origin_ns_) origin_ns_ = monotonic_origin_of(raw.text);
      continue;
    }
    if (!title_seen_ && raw.text.starts_with("index\t")) {
      title_seen_ = true;
      continue;
    }
    if (split(raw, line)) return true;
    broken_lines_++;
  }
}

// A line without an end was being written when its worker died: its last field may be cut.
bool MessageLog::split(const LineReader::Line& raw, MessageLine& line) const {
  if (!raw.ended) return false;
  const bool receiver = role_ == Role::receiver;
  std::array<std::string_view, kReceiverFields> fields;
  const std::span wanted(fields.data(), receiver ? kReceiverFields : kSenderFields);
  std::string_view rest = raw.text;
  for (std::string_view& field : wanted) {
    const size_t tab = rest.find('\t');
    if (tab == std::string_view::npos) return false;
    field = rest.substr(0, tab);
    rest.remove_prefix(tab + 1);
  }
  line = {
      .index = fields[0], .sender = fields[1], .size_bytes = fields[2], .intended_ns = fields[3], .sent_ns = fields[4]};
  if (receiver) {
    line.received_ns = fields[5];
    line.latency_ns = fields[6];
  }
  line.flags = wanted.back();
  return is_number(line.index) && is_number(line.sender) && is_number(line.size_bytes) && is_stamp(line.intended_ns) &&
         is_stamp(line.sent_ns) && (!receiver || (is_stamp(line.received_ns) && is_stamp(line.latency_ns))) &&
         is_flags(line.flags);
}

}  // namespace n2nq::journal
