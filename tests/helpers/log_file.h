// The log file of one service, read back: the independent count of what was sent and received.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace n2nq::test {

struct LogRow {
  uint64_t index = 0;
  uint32_t sender = 0;
  uint64_t size_bytes = 0;
  std::optional<int64_t> intended_ns, sent_ns, received_ns, latency_ns;  // not given: the column is "-" or not there
  std::vector<std::string> flags;
  std::string content;

  bool flagged(const std::string& flag) const;
};

struct LogFile {
  std::filesystem::path path;
  std::vector<std::string> header;  // the lines that begin with "# "
  std::vector<std::string> columns;
  std::vector<LogRow> rows;           // of messages
  std::vector<LogRow> replies;        // in request-reply, the lines with that flag
  std::vector<std::string> problems;  // lines that are none of the above
};

LogFile read_log(const std::filesystem::path& path);

// All `<role>-<number>.log` of a folder, by number.
std::map<uint32_t, LogFile> read_logs(const std::filesystem::path& folder, const std::string& role);

}  // namespace n2nq::test
