#include "app/figures/host_tables.h"

#include <array>
#include <charconv>
#include <cmath>

#include "app/figures/csv.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

using control::HostColumn;
using live::HostHistory;
using live::HostSeries;

std::string who(const HostSeries& series) {
  if (series.of == live::RecordedOf::process) return series.subject;
  if (series.of == live::RecordedOf::connections)
    return "connections, " + series.subject + (series.subject.ends_with('s') ? "'" : "'s") + " side";
  return "host";
}

std::string amount_text(std::string_view unit, double value) {
  if (unit == "ns") return text::duration(value);
  if (unit == "bytes") return text::with_own_unit(text::Unit::bytes, value);
  if (unit == "bytes/s") return text::with_own_unit(text::Unit::bytes_per_s, value);
  const bool whole = std::abs(value - std::round(value)) < 0.005 || std::abs(value) >= 1000;
  return (whole ? text::count(std::llround(value)) : text::decimals(value, 2)) +
         (unit == "count" ? "" : " " + std::string(unit));
}

// The mean over the slots of what a counter shows; of the rest what the whole run comes to.
std::string mean_text(const HostHistory& host, const HostSeries& series, const HostColumn& column) {
  if (!column.counter && series.value) {
    const std::string amount = amount_text(column.unit, *series.value);
    return column.merge == control::Merge::mean ? amount : std::string(control::to_text(column.merge)) + " " + amount;
  }
  double sum = 0, width = 0;
  for (size_t slot = 0; slot < series.values.size() && slot < host.width_ns.size(); slot++) {
    if (std::isnan(series.values[slot])) continue;
    sum += series.values[slot] * static_cast<double>(host.width_ns[slot]);
    width += static_cast<double>(host.width_ns[slot]);
  }
  return width > 0 ? amount_text(column.unit, sum / width) : "-";
}

std::string exact(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

}  // namespace

std::vector<TableColumn> host_columns() {
  return {{.header = "Host"},
          {.header = "Of"},
          {.header = "What", .stretch = true},
          {.header = "Mean", .number = true, .help = "Over the time of the run, unless it says otherwise"},
          {.header = "In the run", .number = true, .help = "The sum since the run began, of what adds up"}};
}

std::vector<TableRow> host_rows(const record::RunRecord& record) {
  std::vector<TableRow> rows;
  for (const HostHistory& host : record.hosts) {
    for (const HostSeries& series : host.series) {
      const HostColumn* column = live::column_of(series);
      if (column == nullptr) continue;
      if (!series.value) {
        rows.push_back({.cells = {host.place, who(series), std::string(column->help) + ": " + series.why,
                                  mean_text(host, series, *column), "-"},
                        .severity = {}});
        continue;
      }
      rows.push_back({.cells = {host.place, who(series), std::string(column->help), mean_text(host, series, *column),
                                column->counter ? amount_text(column->total, *series.value) : ""},
                      .severity = {}});
    }
  }
  return rows;
}

std::string host_csv(const record::RunRecord& record) {
  std::string text = csv_line({"host", "of", "subject", "series", "unit", "start_ns", "width_ns", "value"});
  for (const HostHistory& host : record.hosts) {
    for (const HostSeries& series : host.series) {
      const HostColumn* column = live::column_of(series);
      for (size_t slot = 0; column != nullptr && slot < series.values.size() && slot < host.start_ns.size(); slot++) {
        if (std::isnan(series.values[slot])) continue;
        text += csv_line({host.place, std::string(control::to_text(series.of)), series.subject, series.name,
                          std::string(column->unit), std::to_string(host.start_ns[slot]),
                          std::to_string(host.width_ns[slot]), exact(series.values[slot])});
      }
    }
  }
  return text;
}

}  // namespace n2nq::figures
