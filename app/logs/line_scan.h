// Goes over the lines of a stretch of a file from front to back, as fast as they can be read and with a buffer of one
// MiB however long they are: a longer line comes in pieces. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "app/logs/open_file.h"

namespace n2nq::logs {

using Stop = std::function<bool()>;  // whether what takes long shall end; looked at often

struct LinePiece {
  int64_t start = 0;        // of the line
  int64_t offset = 0;       // of this piece
  std::string_view text{};  // without the line's end; valid until the next call
  bool first = false;       // of its line
  bool last = false;        // of its line
  bool ended = false;       // last, and the line has its newline: it will not change any more
};

class LineScan {
 public:
  static constexpr size_t kBuffer = 1024 * 1024;
  static constexpr size_t kRead = 256 * 1024;

  // The lines that begin in [from, to); `from` need not be such a beginning.
  LineScan(const OpenFile& file, int64_t from, int64_t to);

  bool next(LinePiece& piece);
  // Where the scan stands: the beginning of the line that comes next, or the end of the file.
  int64_t position() const { return offset_; }

 private:
  bool skip_to_first_line(int64_t from);
  bool fill();
  std::string_view unread() const { return {buffer_.get() + begin_, end_ - begin_}; }
  void consume(size_t bytes);

  const OpenFile& file_;
  int64_t to_;
  std::unique_ptr<char[]> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  size_t searched_ = 0;     // of the unread bytes, those without a newline
  int64_t offset_ = 0;      // of the first unread byte
  int64_t line_start_ = 0;  // of the line whose pieces are coming
  bool inside_ = false;     // a piece of that line has come
  bool file_ended_ = false;
};

}  // namespace n2nq::logs
