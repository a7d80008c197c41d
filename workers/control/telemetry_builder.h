// Makes telemetry lines out of what the worker hands it, within the byte budget: services in columns and changed ones
// only, histograms as sparse deltas. What does not fit, or what the output cannot take, waits and merges; nothing is
// lost. Thread: the control loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workers/control/line_writer.h"
#include "workers/control/telemetry.h"

namespace n2nq::control {

// How many bytes of telemetry may go out now, so that in any second a worker sends at most 256 KiB. The caller brings
// the time.
class LineBudget {
 public:
  static constexpr size_t kBytesPerSecond = 256 * 1024;  // in any second, the largest line included
  static constexpr size_t kLargestLine = 56 * 1024;

  explicit LineBudget(size_t bytes_per_s = kBytesPerSecond, size_t largest_line = kLargestLine)
      : refill_per_s_(bytes_per_s - largest_line), largest_line_(largest_line), available_(largest_line) {}

  size_t available(int64_t now_ns);
  void spend(size_t bytes) { available_ -= bytes < available_ ? bytes : available_; }
  size_t largest_line() const { return largest_line_; }

 private:
  size_t refill_per_s_;
  size_t largest_line_;
  size_t available_;
  int64_t refilled_ns_ = 0;
  bool started_ = false;
};

class TelemetryBuilder {
 public:
  TelemetryBuilder(Role role, size_t services, LineBudget budget = LineBudget());

  // From here on the lines have the columns of request-reply too.
  void tell_replies() { request_reply_ = true; }
  void set_totals(const ServiceRow& totals) { totals_ = totals; }
  void set_process(const ProcessFigures& process) { process_ = process; }
  // The row goes out if it differs from what the controller knows.
  void set_service(size_t slot, const ServiceRow& row) { rows_[slot] = row; }
  // `moments` since BEGIN, `buckets` since the last call.
  void add_histogram(std::string_view name, const HistogramMoments& moments, std::span<const BucketCount> buckets);

  // Of messages, and of replies, since the last call.
  void add_slots(const measure::SlotCounts& counts) { slots_.merge(counts); }
  void add_reply_slots(const measure::SlotCounts& counts) { reply_slots_.merge(counts); }

  // The next line, or nothing: `output_idle` is false, or the budget is used up. Then everything is kept for a later
  // line.
  std::optional<std::string> next_line(int64_t now_ns, bool output_idle);
  // At the end: all that still waits, without a budget, so that a controller's histograms are whole.
  std::vector<std::string> remaining_lines(int64_t now_ns);
  // A new controller knows nothing: every service goes out again. Histogram deltas count from here on.
  void forget_controller();

  uint64_t merged() const { return merged_; }
  uint64_t sequence() const { return sequence_; }  // of the last line

 private:
  struct Histogram {
    bool has_news() const { return !waiting.empty() || told != moments; }
    HistogramMoments moments;
    std::optional<HistogramMoments> told;  // to this controller; nothing: it was not told of it yet
    std::map<int32_t, uint64_t> waiting;
    int32_t next = std::numeric_limits<int32_t>::min();  // where the next line goes on, so that no bucket starves
  };

  std::string build(int64_t now_ns, size_t at_most);
  void append_figures(LineWriter& line, int64_t now_ns) const;
  void append_slots(std::string& out);
  void append_histograms(std::string& out, size_t at_most);
  void append_buckets(std::string& out, Histogram& histogram, size_t at_most);
  void append_services(std::string& out, size_t at_most);
  std::vector<size_t> choose_services(size_t at_most);
  size_t changed_services() const;
  bool anything_waits() const;
  std::span<const ServiceColumn> columns() const { return columns_of(role_, request_reply_); }

  Role role_;
  bool request_reply_ = false;
  LineBudget budget_;
  ServiceRow totals_;
  ProcessFigures process_;
  std::vector<ServiceRow> rows_;
  std::vector<ServiceRow> known_;  // what the controller was told; service 0: nothing
  size_t next_slot_ = 0;
  std::map<std::string, Histogram, std::less<>> histograms_;
  measure::SlotCounts slots_, reply_slots_;  // since the line before
  uint64_t sequence_ = 0;
  uint64_t merged_ = 0;
  int64_t last_line_ns_ = 0;
  int64_t last_messages_ = 0;
  int64_t last_bytes_ = 0;
};

}  // namespace n2nq::control
