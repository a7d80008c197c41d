#include "workers/log/log_format.h"

#include <array>
#include <charconv>

#include "broker/base/clock.h"

namespace n2nq::log {
namespace {

constexpr char kHex[] = "0123456789abcdef";

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void append_stamp(std::string& out, int64_t value) {
  if (value == kAbsent)
    out.push_back('-');
  else
    append_number(out, value);
}

void append_flags(std::string& out, uint32_t flags) {
  static constexpr std::pair<uint32_t, std::string_view> kWords[] = {
      {kLogAgain, "again"}, {kLogDuplicate, "duplicate"}, {kLogCorrupt, "corrupt"}, {kLogReordered, "reordered"},
      {kLogCut, "cut"},     {kLogReply, "reply"},         {kLogLate, "late"},       {kLogFurther, "further"}};
  const size_t start = out.size();
  for (const auto& [bit, word] : kWords) {
    if ((flags & bit) == 0) continue;
    if (out.size() > start) out.push_back(',');
    out.append(word);
  }
  if (out.size() == start) out.push_back('-');
}

// Text of others in a header stays one line.
void append_text(std::string& out, std::string_view text) {
  for (const char c : text) out.push_back(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
}

void append_pair(std::string& out, std::string_view name, std::string_view value) {
  out.append("# ").append(name).append(": ");
  append_text(out, value.empty() ? std::string_view("-") : value);
  out.push_back('\n');
}

std::string_view units_of(LogRole role) {
  if (role == LogRole::sender)
    return "times in ns of this machine's CLOCK_MONOTONIC as read, size_bytes = payload, intended_ns - = no schedule";
  return "times in ns of CLOCK_MONOTONIC as read (intended_ns and sent_ns: the sender's machine, received_ns: this "
         "one), "
         "latency_ns = received_ns - sent_ns corrected by the clock offset, size_bytes = payload";
}

std::string_view replies_of(LogRole role) {
  if (role == LogRole::sender)
    return "a line with the flag reply is one that came: index = of its request, sender = the receiver that replied, "
           "sent_ns = when it came";
  return "a line with the flag reply is one that went: index and sender = of its request, sent_ns = when it went";
}

constexpr bool plain(uint8_t byte) {
  return byte >= 0x20 && byte < 0x7F && byte != '\\';
}

}  // namespace

void append_header(std::string& out, const LogHeader& header, const LogRun* run) {
  const LogRun never;
  if (run == nullptr) run = &never;
  append_pair(out, "program", std::string(header.program) + " " + std::string(header.version));
  append_pair(out, "service", header.service);
  append_pair(out, "role", header.role == LogRole::sender ? "sender" : "receiver");
  append_pair(out, "run", run->run_id);
  append_pair(out, "units", units_of(header.role));
  append_pair(out, "content",
              "the payload, of more than 256 bytes its first 64, then \\... and its length and CRC-32C; backslash and "
              "bytes outside printable ASCII as \\xNN");
  if (run->replies) append_pair(out, "replies", replies_of(header.role));
  append_pair(out, "clock", run->clock_note);
  out.append("# origin_monotonic_ns=");
  append_stamp(out, run->origin_monotonic_ns);
  out.append(" origin_utc=")
      .append(run->origin_utc_ns == kAbsent ? "-" : utc_text(run->origin_utc_ns, 9))
      .push_back('\n');
}

void append_title(std::string& out, LogRole role) {
  out.append(role == LogRole::sender
                 ? "index\tsender\tsize_bytes\tintended_ns\tsent_ns\tflags\tcontent\n"
                 : "index\tsender\tsize_bytes\tintended_ns\tsent_ns\treceived_ns\tlatency_ns\tflags\tcontent\n");
}

void append_fields(std::string& out, LogRole role, const LogRecord& record) {
  append_number(out, record.index);
  out.push_back('\t');
  append_number(out, record.sender);
  out.push_back('\t');
  append_number(out, record.payload_bytes);
  out.push_back('\t');
  append_stamp(out, record.intended_ns);
  out.push_back('\t');
  append_stamp(out, record.sent_ns);
  out.push_back('\t');
  if (role == LogRole::receiver) {
    append_stamp(out, record.received_ns);
    out.push_back('\t');
    append_stamp(out, record.latency_ns);
    out.push_back('\t');
  }
  append_flags(out, record.flags);
  out.push_back('\t');
}

void append_content(std::string& out, std::span<const uint8_t> payload) {
  const auto* at = payload.data();
  const auto* end = at + payload.size();
  while (at != end) {
    const auto* run = at;
    while (at != end && plain(*at)) at++;
    out.append(reinterpret_cast<const char*>(run), static_cast<size_t>(at - run));
    if (at == end) break;
    const char escaped[] = {'\\', 'x', kHex[*at >> 4], kHex[*at & 15]};
    out.append(escaped, sizeof escaped);
    at++;
  }
}

void append_rest(std::string& out, const LogRecord& record) {
  out.append("\\...");
  append_number(out, record.payload_bytes);
  out.append(" B crc32c=");
  for (int shift = 28; shift >= 0; shift -= 4) out.push_back(kHex[(record.checksum >> shift) & 15]);
}

void append_end(std::string& out, std::string_view figures, uint64_t lines, uint64_t lines_not_written) {
  out.append("# end");
  if (!figures.empty()) out.push_back(' ');
  append_text(out, figures);
  out.append(" lines=");
  append_number(out, lines);
  out.append(" lines_not_written=");
  append_number(out, lines_not_written);
  out.push_back('\n');
}

}  // namespace n2nq::log
