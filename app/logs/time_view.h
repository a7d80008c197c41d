// How the times of a log are read: as they stand in the file, or in µs with groups of digits, from the clock's zero,
// the run's start or another line on. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/logs/log_layout.h"

namespace n2nq::logs {

// In settings by number. file: ns, as the file has them; clock: since the zero of the computer's clock.
enum class TimeBase { file, clock, run, line };

std::string micros(int64_t ns);  // "1,234.567"
// What was typed as it is shown, "1,234.567", as the number of ns that the file has; nothing for other texts.
std::optional<std::string> ns_of_shown(std::string_view text);

class TimeView {
 public:
  TimeView() = default;
  TimeView(LogLayout layout, TimeBase base) : layout_(std::move(layout)), base_(base) {}

  // Where the base is a line: the one of that text. Without one, or without its time, it is the run's start; where the
  // log does not say that, the clock's zero.
  void set_line(std::string_view row) { line_ns_ = time_of(row); }
  TimeBase base() const;  // that holds
  TimeBase wanted() const { return base_; }
  bool operator==(const TimeView&) const = default;

  // The cells of a row as they are shown: stamps of the sender's clock are brought to this log's clock where they can
  // be, and are "-" where they cannot but would have to be.
  std::vector<std::string> cells(std::string_view row) const;
  std::string title(size_t column) const;  // "latency [µs]"
  // When the row was written, by the log's own clock: the receipt, in a sender's log the send.
  std::optional<int64_t> time_of(std::string_view row) const;

 private:
  int64_t zero_ns() const;
  std::string shown(size_t column, const Cells& cells) const;

  LogLayout layout_;
  TimeBase base_ = TimeBase::file;
  std::optional<int64_t> line_ns_;
};

}  // namespace n2nq::logs
