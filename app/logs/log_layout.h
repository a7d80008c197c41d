// What the columns of a log are, read off its head. A log without a title line (the broker's) has none: its lines are
// plain text. A value; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace n2nq::logs {

class LogLayout {
 public:
  static constexpr size_t kHead = 64 * 1024;
  // `head`: the first bytes of the file; no title comes after kHead of them.
  static LogLayout read(std::string_view head);

  bool has_columns() const { return !columns_.empty(); }
  const std::vector<std::string>& columns() const { return columns_; }  // as the title names them, unit and all
  std::optional<size_t> column(std::string_view name) const;
  bool complete() const { return complete_; }  // a longer head would say nothing new
  // When the run began, by the clock of the log's times; nothing where the log does not say.
  std::optional<int64_t> origin_ns() const { return origin_ns_; }

  bool operator==(const LogLayout&) const = default;

 private:
  std::vector<std::string> columns_;
  bool complete_ = false;
  std::optional<int64_t> origin_ns_;
};

enum class LineKind { comment, title, row, text };
LineKind kind_of(std::string_view line, const LogLayout& layout);

// The cells of a row; the last column takes what is left, tabs and all. At most `limit` cells are looked for.
class Cells {
 public:
  static constexpr size_t kMost = 16;
  Cells(std::string_view line, size_t limit);
  size_t size() const { return size_; }
  std::string_view operator[](size_t column) const { return cells_[column]; }

 private:
  std::string_view cells_[kMost];
  size_t size_ = 0;
};

std::optional<int64_t> whole_number(std::string_view cell);  // nothing for "-"

}  // namespace n2nq::logs
