// The long looks at a log: for a text, for the slowest message, for a line or an index; and the text of many lines.
// They read the file from front to back (or back to front), go on while the watch lets them, and count lines on the
// way. Blocking; any thread, one a call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/logs/line_filter.h"
#include "app/logs/line_index.h"
#include "app/logs/line_scan.h"
#include "app/logs/open_file.h"

namespace n2nq::logs {

// Which lines are looked at.
struct SearchScope {
  std::shared_ptr<const OpenFile> file;
  std::shared_ptr<LineIndex> lines;
  LogLayout layout{};
  LineFilter filter{};
};

struct SearchWatch {
  Stop stop;
  std::function<void(int64_t done, int64_t of)> progress;
};

struct FoundLine {
  int64_t start = 0;     // of the line
  int64_t offset = 0;    // of what was found in it
  bool wrapped = false;  // it lies on the other side of the file's end
  bool operator==(const FoundLine&) const = default;
};
// The first line behind (before, if backwards) the one that begins at `from`; round the end of the file, and at last
// that one itself. From -1: from the file's very beginning, or end.
std::optional<FoundLine> find_text(const SearchScope& scope, const TextQuery& query, int64_t from, bool backwards,
                                   const SearchWatch& watch);
// The first row with that number in the index column, in the same order.
std::optional<FoundLine> find_index(const SearchScope& scope, int64_t index, int64_t from, const SearchWatch& watch);

// A stretch of the run, in ns since it began: by the receipt of messages, in a sender's log by their sending.
struct RunStretch {
  int64_t from_ns = 0;
  int64_t to_ns = 0;  // not part of it
  bool operator==(const RunStretch&) const = default;
};

struct ValueRange {
  int64_t low_ns = 0;
  int64_t high_ns = 0;  // part of it
  bool operator==(const ValueRange&) const = default;
};
// The slowest message of which part of a run. A chart's point stands for messages of about its own time: the one that
// it shows may have come a little before or after that, as long as it is in the stretch.
struct SlowestAim {
  std::optional<RunStretch> stretch{};  // nothing: the whole run
  std::optional<RunStretch> own{};      // of a point
  std::optional<ValueRange> shown{};    // what a point shows as its highest, as exactly as that is known
  bool operator==(const SlowestAim&) const = default;
};

struct SlowestLine {
  int64_t start = 0;
  int64_t value_ns = 0;
  bool lateness = false;  // a sender's log: how late it was sent; otherwise its latency
  int fit = 0;            // the more the better: has the value that is shown, then came in the point's own time
};
// The slowest of those that fit best. Of a stretch, only that part of the file is read; a log that does not say when
// its run began has nothing in it.
std::optional<SlowestLine> find_slowest(const SearchScope& scope, const SlowestAim& aim, const SearchWatch& watch);
bool is_better(const SlowestLine& one, const SlowestLine& other);

struct NumberedLine {
  int64_t start = 0;
  int64_t number = 0;  // less than asked for where the file has no more
};
// The filter does not matter here: lines are numbered as in the file.
std::optional<NumberedLine> find_line(const SearchScope& scope, int64_t number, const SearchWatch& watch);

inline constexpr size_t kMostCopied = 32 * 1024 * 1024;
// The whole text of the lines that begin in [first, last]. Refuses more than kMostCopied bytes.
Result<std::string> copy_lines(const SearchScope& scope, int64_t first, int64_t last, const SearchWatch& watch);

}  // namespace n2nq::logs
