#include "tests/helpers/log_file.h"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace n2nq::test {
namespace {

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  size_t from = 0;
  for (size_t at = 0; (at = text.find(by, from)) != std::string::npos; from = at + 1) {
    parts.push_back(text.substr(from, at - from));
  }
  parts.push_back(text.substr(from));
  return parts;
}

template <typename T>
bool parse_number(const std::string& text, T& value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_time(const std::string& text, std::optional<int64_t>& value) {
  if (text == "-") return true;
  int64_t number = 0;
  if (!parse_number(text, number)) return false;
  value = number;
  return true;
}

bool set_cell(LogRow& row, const std::string& column, const std::string& text) {
  if (column == "index") return parse_number(text, row.index);
  if (column == "sender") return parse_number(text, row.sender);
  if (column == "size_bytes") return parse_number(text, row.size_bytes);
  if (column == "intended_ns") return parse_time(text, row.intended_ns);
  if (column == "sent_ns") return parse_time(text, row.sent_ns);
  if (column == "received_ns") return parse_time(text, row.received_ns);
  if (column == "latency_ns") return parse_time(text, row.latency_ns);
  if (column == "flags") {
    if (text != "-") row.flags = split(text, ',');
    return !text.empty();
  }
  if (column == "content") row.content = text;
  return true;
}

}  // namespace

bool LogRow::flagged(const std::string& flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

LogFile read_log(const std::filesystem::path& path) {
  LogFile log;
  log.path = path;
  std::ifstream file(path, std::ios::binary);
  if (!file) log.problems.push_back("cannot read " + path.string());
  std::string line;
  while (std::getline(file, line)) {
    if (file.eof()) log.problems.push_back(path.string() + ": the last line has no end: " + line);
    if (line.starts_with("#")) {
      log.header.push_back(line);
      continue;
    }
    auto cells = split(line, '\t');
    if (log.columns.empty()) {
      log.columns = cells;
      continue;
    }
    LogRow row;
    bool good = cells.size() == log.columns.size();
    for (size_t i = 0; good && i < cells.size(); ++i) good = set_cell(row, log.columns[i], cells[i]);
    if (good)
      (row.flagged("reply") ? log.replies : log.rows).push_back(std::move(row));
    else
      log.problems.push_back(path.string() + ": not a row: " + line.substr(0, 200));
  }
  return log;
}

std::map<uint32_t, LogFile> read_logs(const std::filesystem::path& folder, const std::string& role) {
  std::map<uint32_t, LogFile> logs;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::string name = entry.path().filename();
    uint32_t number = 0;
    if (!entry.is_regular_file()) continue;  // a link to a device in a file's place
    if (!name.starts_with(role + "-") || !name.ends_with(".log")) continue;
    if (!parse_number(name.substr(role.size() + 1, name.size() - role.size() - 5), number)) continue;
    logs.emplace(number, read_log(entry.path()));
  }
  return logs;
}

}  // namespace n2nq::test
