// What the table of services can show of one service: for each column its words, its number and its text. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "app/live/service_figures.h"
#include "app/text/quantity.h"
#include "ui/services/told_figures.h"

namespace n2nq::ui {

enum class Column : uint8_t {
  log,
  name,
  trend,
  delay,
  lateness,
  latency,
  scheduled_latency,
  p50,
  p99,
  rate,
  count,
  accepted,
  held,
  bytes,
  lost,
  duplicates,
  reordered,
  corrupt,
  redelivered,
  requests,
  responses,
  outstanding,
  replies,
  timeouts,
  late_replies,
  double_replies,
  open_requests,
  turnaround,
  log_stalls,
  state,
};
inline constexpr size_t kColumns = static_cast<size_t>(Column::state) + 1;

enum class Kind : uint8_t { icon, name, trend, duration, rate, count, bytes, trouble, state };

// What rates and means are taken over.
enum class Over : uint8_t { last_look, whole_run };

struct ColumnSpec {
  Column column;
  Kind kind;
  const char* key;     // in what is remembered: "p50"
  const char* header;  // "Delay now"
  const char* spoken;  // within a sentence: "s1 delay 20.1 ms"
  const char* help;    // one sentence
  bool shown;          // unless a person chose otherwise
  // For figures that are others after the run; else null.
  const char* whole_header = nullptr;  // "Mean delay"
  const char* whole_help = nullptr;
  Needs needs = Needs::nothing;
  // What it sorts by and copies: nanoseconds, bytes, amounts; nothing where there is no value (yet).
  std::optional<double> (*value)(const live::ServiceFigures& figures) = nullptr;
};
const char* header_of(const ColumnSpec& spec, Over over);
const char* help_of(const ColumnSpec& spec, Over over);

// In the order of the table.
std::span<const ColumnSpec> columns_of(Role role);

std::string service_name(Role role, uint32_t number);   // "s1", "r12"
const char* singular(Role role, bool replies = false);  // "sender", "receiver"; "requester", "replier" with replies
const char* plural(Role role, bool replies = false);

std::optional<double> trend_value(const live::ServiceFigures& figures);
// A cell that may be marked as the slowest has room for that; see stand_out.h.
bool can_be_slowest(Role role, Column column);
// As shown; `scale` is the column's where its kind has one, whose unit the head has. "-" where there is no value.
std::string cell_text(const ColumnSpec& spec, const live::ServiceFigures& figures, const text::Scale& scale);
// Unscaled, for a spreadsheet, and the header that says the unit: "delay [ns]".
std::string plain_text(const ColumnSpec& spec, const live::ServiceFigures& figures);
std::string plain_header(const ColumnSpec& spec);

bool has_scale(Kind kind);
bool has_figure(Kind kind);
// The widest text that the column will need while its values stay below `largest` (and none is negative).
std::string widest_text(const ColumnSpec& spec, Role role, double largest, size_t rows);

// "9,999" for anything below 10,000; never narrower than `digits`.
std::string nines(double largest, int digits);

}  // namespace n2nq::ui
