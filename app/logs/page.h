// A screenful of a log: what is asked for, and what is shown. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/logs/line_index.h"
#include "app/logs/log_layout.h"

namespace n2nq::logs {

struct PageRequest {
  enum class Origin {
    offset,    // the line that holds the byte `at`, or the nearest that is shown
    ordinal,   // of the lines a filter lets through, number `at` from 0 on
    end,       // the last lines
    live_end,  // the same, but the first ones of a log that says it is complete
  };
  Origin origin = Origin::offset;
  int64_t at = 0;
  int64_t skip = 0;               // lines further down (up, where negative) the page begins
  int rows = 1;                   // that the page is to have, if there are as many
  int further = 0;                // lines below them, if there are any: what is seen of in part
  int64_t allowance = INT64_MAX;  // of the file's bytes, all that may have been read once it is answered

  bool operator==(const PageRequest&) const = default;
};

struct PageRow {
  static constexpr int64_t kShown = 4096;
  int64_t start = 0;
  int64_t length = -1;  // without the line's end; -1: longer than what is shown, but how long is not known
  std::string text{};   // at most kShown bytes
  LineCount number{};   // from 1 on
  bool operator==(const PageRow&) const = default;
};

struct Page {
  std::vector<PageRow> rows{};
  bool complete = true;             // false: there was more to read than was allowed, or it is still being read
  int64_t size = 0;                 // of the file
  LineCount lines{};                // of the file
  bool filtered = false;            // these are not all lines
  int64_t ordinal = 0;              // of the first row, among the lines a filter lets through
  bool reaches_end = false;         // its last row is the last line there is
  bool finished = false;            // the log says that it ends here
  std::optional<int64_t> p99_ns{};  // of the latencies, of those that were looked at
  LogLayout layout{};
};

}  // namespace n2nq::logs
