// The message logs of a run's folder, read for their figures: which there are, and their lines without the contents.
// Slow on large logs, in constant memory. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/journal/line_reader.h"
#include "app/plan/role.h"
#include "broker/base/result.h"

namespace n2nq::journal {

struct MessageLogFile {
  Role role = Role::sender;
  uint32_t service = 0;
  std::string path{};
};
// {sender,receiver}-N.log of the folder; senders first, then by number. Links and what is not a file are left out.
Result<std::vector<MessageLogFile>> message_logs(const std::string& folder);

// One message line. The texts are as in the log ("-" where there is nothing) and live until the next line is read.
struct MessageLine {
  std::string_view index{}, sender{}, size_bytes{}, intended_ns{}, sent_ns{};
  std::string_view received_ns{}, latency_ns{};  // receivers only
  std::string_view flags{};

  bool flagged(std::string_view word) const;
};

// The last line of a log ("# end sent=10 ... lines=10 lines_not_written=0"), which its worker writes when it ends.
struct LogEnd {
  std::vector<std::pair<std::string, uint64_t>> figures{};

  std::optional<uint64_t> figure(std::string_view name) const;
  bool has_all_lines() const { return figure("lines_not_written") == 0; }
};

class MessageLog {
 public:
  static Result<MessageLog> open(const MessageLogFile& file, std::stop_token stop = {});

  // False at the end.
  Result<bool> next(MessageLine& line);

  uint64_t broken_lines() const { return broken_lines_; }
  // Nothing before all lines were read, and where there is none: what its worker still had in its buffers is missing.
  const std::optional<LogEnd>& end() const { return end_; }
  // BEGIN since 1970-01-01 UTC as the header has it; read once the first message was.
  std::optional<int64_t> origin_utc_ns() const { return origin_utc_ns_; }
  // The same on the clock of its lines.
  std::optional<int64_t> origin_ns() const { return origin_ns_; }

 private:
  MessageLog(LineReader reader, Role role) : reader_(std::move(reader)), role_(role) {}
  bool split(const LineReader::Line& raw, MessageLine& line) const;

  LineReader reader_;
  Role role_;
  bool title_seen_ = false;
  uint64_t broken_lines_ = 0;
  std::optional<LogEnd> end_{};
  std::optional<int64_t> origin_utc_ns_{};
  std::optional<int64_t> origin_ns_{};
};

}  // namespace n2nq::journal
