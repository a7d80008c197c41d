// Which lines a person wants to see: conditions on columns and texts, all of which must hold. "sender = 5, latency >
// 1ms, flags = corrupt, timeout". The filter is a value; a LineTest applies it, one a thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/logs/line_scan.h"
#include "app/logs/log_layout.h"
#include "app/logs/text_search.h"
#include "broker/base/result.h"

namespace n2nq::logs {

enum class Comparison { equal, unequal, less, less_equal, greater, greater_equal };

// What a condition looks at: a column, or how far behind its schedule a message was sent.
inline constexpr size_t kLateness = SIZE_MAX;

struct Condition {
  size_t column = 0;
  Comparison comparison = Comparison::equal;
  std::optional<int64_t> number{};  // not given: the cell is to say "-", or `word` is meant
  std::string word{};               // of the flags column: one of them; "-" for none
  bool operator==(const Condition&) const = default;
};

struct LineFilter {
  std::vector<Condition> conditions{};
  std::vector<TextQuery> texts{};
  bool operator==(const LineFilter&) const = default;
  bool everything() const { return conditions.empty() && texts.empty(); }
};

// Parts are separated by commas; a column may be named without its unit or by its beginning; numbers take units; what
// is not a condition, or stands in quotes, is a text to look for. The error says what to write instead.
Result<LineFilter> parse_filter(std::string_view text, const LogLayout& layout);

// How late a message was sent by its row, in ns; nothing where it had no schedule.
std::optional<int64_t> lateness_ns(std::string_view row, const LogLayout& layout);

class LineTest {
 public:
  // The filter was parsed for this layout, so its texts are good.
  LineTest(const LineFilter& filter, const LogLayout& layout);

  // To be fed all pieces of a line; the answer to the last one counts.
  bool feed(const LinePiece& piece);

 private:
  bool conditions_hold(std::string_view line) const;
  bool holds(const Condition& condition, const Cells& cells) const;

  LineFilter filter_;
  LogLayout layout_;
  std::optional<size_t> intended_, sent_;
  std::vector<TextSearch> searches_;
  std::vector<bool> found_;
  bool conditions_hold_ = true;
};

}  // namespace n2nq::logs
