// Log files as the workers write them, made up for tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "app/logs/line_scan.h"
#include "tests/helpers/temp_dir.h"

namespace n2nq::logs::test {

inline const std::string kReceiverHead =
    "# program: n2nq-receiver 0.1.0\n# service: receiver-1\n# role: receiver\n"
    "index\tsender\tsize_bytes\tintended_ns\tsent_ns\treceived_ns\tlatency_ns\tflags\tcontent\n";
inline const std::string kSenderHead =
    "# program: n2nq-sender 0.1.0\n# service: sender-1\n# role: sender\n"
    "index\tsender\tsize_bytes\tintended_ns\tsent_ns\tflags\tcontent\n";
inline const std::string kEnd = "# end received=1 lines=1 lines_not_written=0\n";

struct MadeRow {
  int64_t index = 1;
  int64_t sender = 1;
  int64_t latency_ns = 1000;
  std::string flags = "-";
  std::string content = "spaywnwxwrixajtfjffckbyajxbzyqjtijawentgdvfchuaecy";
};

inline std::string receiver_row(const MadeRow& row) {
  const int64_t sent = 1'000'000'000 + row.index * 1'000'000;
  return std::to_string(row.index) + "\t" + std::to_string(row.sender) + "\t" + std::to_string(row.content.size()) +
         "\t" + std::to_string(sent - 10) + "\t" + std::to_string(sent) + "\t" + std::to_string(sent + row.latency_ns) +
         "\t" + std::to_string(row.latency_ns) + "\t" + row.flags + "\t" + row.content + "\n";
}

// `rows` messages of ten senders; the latency of message i is 50,000 + i * 7919 % 100,000 ns.
inline std::string receiver_log(int64_t rows) {
  std::string text = kReceiverHead;
  for (int64_t i = 1; i <= rows; ++i) {
    text +=
        receiver_row({.index = (i + 9) / 10, .sender = 1 + (i - 1) % 10, .latency_ns = 50'000 + i * 7919 % 100'000});
  }
  return text + kEnd;
}

inline std::string write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  return path.string();
}

inline void append_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

// The plain way to the lines of a text, to compare with.
struct NaiveLine {
  int64_t start = 0;
  std::string text;
};
inline std::vector<NaiveLine> naive_lines(const std::string& text) {
  std::vector<NaiveLine> lines;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back({.start = static_cast<int64_t>(from), .text = text.substr(from, end - from)});
    from = end + 1;
  }
  return lines;
}

inline bool never() {
  return false;
}

// Bytes that this process has asked the system to read so far, from files, pipes and all.
inline int64_t bytes_read_so_far() {
  std::ifstream io("/proc/self/io");
  std::string name;
  int64_t value = 0;
  while (io >> name >> value) {
    if (name == "rchar:") return value;
  }
  return 0;
}

}  // namespace n2nq::logs::test
