// The text of a message log: header, title, one line a message, end line. UTF-8, tab-separated, independent of the
// locale. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "workers/log/log_record.h"

namespace n2nq::log {

enum class LogRole { sender, receiver };

// What is known once the run has begun.
struct LogRun {
  std::string run_id{};
  int64_t origin_monotonic_ns = kAbsent;  // BEGIN, on this worker's monotonic clock
  int64_t origin_utc_ns = kAbsent;        // the same moment since 1970-01-01 UTC
  bool replies = false;                   // a run of requests and replies
  std::string clock_note{};  // how this worker's clock stands to the others': "same clock", an offset and its bound
};

struct LogHeader {
  std::string_view program{};
  std::string_view version{};
  std::string_view service{};
  LogRole role = LogRole::receiver;
};

// `run` null: the run never began.
void append_header(std::string& out, const LogHeader& header, const LogRun* run);
void append_title(std::string& out, LogRole role);
// Everything up to the content, its tab included; the content and the newline follow.
void append_fields(std::string& out, LogRole role, const LogRecord& record);
// Letters as they are; a backslash and every byte outside printable ASCII as \xNN, so that a line stays a line.
void append_content(std::string& out, std::span<const uint8_t> payload);
// Behind the head of a long content: "\...5000 B crc32c=9ae0daaf". No content has a backslash but in \xNN.
void append_rest(std::string& out, const LogRecord& record);
void append_end(std::string& out, std::string_view figures, uint64_t lines, uint64_t lines_not_written);

}  // namespace n2nq::log
