// One service's log file: a bounded buffer in front of one descriptor. After a write error it takes nothing more but
// counts the lines. Thread: the log writer's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::log {

class LogFile {
 public:
  static constexpr size_t kBufferBytes = 16 * 1024;  // 1,000 services: 16 MiB

  // Replaces an old file.
  static Result<LogFile> open(std::string path);

  const std::string& path() const { return path_; }
  // Where to append; call settle() after each piece of at most a few KiB, so that the buffer stays small.
  std::string& buffer() { return buffer_; }
  void settle() {
    if (buffer_.size() >= kBufferBytes) flush();
  }
  // A whole message line is in the buffer now.
  void count_line();
  void flush();
  // Tries once more after an error, from a fresh line on.
  void write_last(std::string_view text);

  bool dirty() const { return !buffer_.empty(); }
  bool failed() const { return error_number_ != 0; }
  int error_number() const { return error_number_; }
  // Every line is one or the other once the buffer is empty.
  uint64_t lines_written() const { return lines_ - lines_not_written_; }
  uint64_t lines_not_written() const { return lines_not_written_; }

  bool listed = false;    // for the writer: is among the dirty ones
  bool headed = false;    // the header is in
  bool reported = false;  // the error was told

 private:
  LogFile(std::string path, Fd file) : path_(std::move(path)), file_(std::move(file)) {}
  void fail(int error_number, size_t bytes_taken);

  std::string path_;
  Fd file_;
  std::string buffer_;
  uint64_t lines_ = 0;
  uint64_t lines_flushed_ = 0;  // lines_ when the buffer was last empty
  uint64_t lines_not_written_ = 0;
  bool mid_line_ = false;  // the file ends within a line
  int error_number_ = 0;
};

}  // namespace n2nq::log
