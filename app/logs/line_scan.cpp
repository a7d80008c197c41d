#include "app/logs/line_scan.h"

#include <algorithm>
#include <cstring>

namespace n2nq::logs {

LineScan::LineScan(const OpenFile& file, int64_t from, int64_t to)
    : file_(file), to_(to), buffer_(std::make_unique_for_overwrite<char[]>(kBuffer)) {
  if (!skip_to_first_line(from)) to_ = offset_;
}

// A line begins at `from` if the byte before ends one.
bool LineScan::skip_to_first_line(int64_t from) {
  offset_ = std::max<int64_t>(from - 1, 0);
  if (from <= 0) return true;
  while (offset_ < to_) {
    if (unread().empty() && !fill()) return false;
    const std::string_view bytes = unread();
    const size_t newline = bytes.find('\n');
    consume(newline == std::string_view::npos ? bytes.size() : newline + 1);
    if (newline != std::string_view::npos) return true;
  }
  return false;
}

bool LineScan::next(LinePiece& piece) {
  if (!inside_) {
    if (offset_ >= to_) return false;
    line_start_ = offset_;
  }
  while (true) {
    const std::string_view bytes = unread();
    const size_t newline = bytes.find('\n', searched_);
    searched_ = bytes.size();
    const bool ended = newline != std::string_view::npos;
    if (!ended && end_ - begin_ < kBuffer && fill()) continue;
    if (bytes.empty() && !inside_) return false;
    const bool last = ended || file_ended_;
    const size_t length = ended ? newline : bytes.size();
    piece = {.start = line_start_,
             .offset = offset_,
             .text = bytes.substr(0, length),
             .first = !inside_,
             .last = last,
             .ended = ended};
    consume(length + (ended ? 1 : 0));
    inside_ = !last;
    return true;
  }
}

void LineScan::consume(size_t bytes) {
  begin_ += bytes;
  offset_ += static_cast<int64_t>(bytes);
  searched_ = 0;
}

bool LineScan::fill() {
  if (file_ended_) return false;
  if (begin_ == end_) {
    begin_ = end_ = 0;
  } else if (end_ + kRead > kBuffer && begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const size_t room = std::min(kRead, kBuffer - end_);
  const size_t got = file_.read_at(offset_ + static_cast<int64_t>(end_ - begin_), {buffer_.get() + end_, room});
  end_ += got;
  if (got < room) file_ended_ = true;
  return got > 0;
}

}  // namespace n2nq::logs
