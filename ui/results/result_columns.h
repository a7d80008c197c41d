// The columns of the list of results: what each says of a run, by what it sorts, in which unit. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/results/store.h"
#include "app/text/quantity.h"

namespace n2nq::results {

enum class Column {
  star,
  started,
  verdict,
  name,
  campaign,
  tags,
  mode,
  asked,
  services,
  sent,
  received,
  lost,
  p50,
  p99,
  trimmed_mean,
  size
};

struct ColumnSpec {
  Column column;
  const char* header;  // without its unit
  const char* help;    // one sentence
  bool number;         // to the right, in tabular figures
  const char* widest;  // text that the column has room for, at least
  bool where_used;     // shown only where a result has something in it
};
std::span<const ColumnSpec> result_columns();  // in the order of the table

// One unit down each column, by what is usual in it rather than by the largest.
struct ColumnScales {
  text::Scale latency{};
  text::Scale size{};
};
bool operator==(const ColumnScales& one, const ColumnScales& other);

ColumnScales scales_of(const std::vector<ResultRow>& rows);

std::string header_text(const ColumnSpec& spec, const ColumnScales& scales);  // "p50 [us]"
std::string cell_text(Column column, const ResultRow& row, const ColumnScales& scales);
// What a column sorts by; nothing: by its text, or not known.
std::optional<double> cell_number(Column column, const ResultRow& row);
// Whether one stands before the other where the column ascends; what is not known stands below everything.
bool before(Column column, const ResultRow& one, const ResultRow& other);
bool has_something(Column column, const ResultRow& row);

std::string local_time(int64_t utc_ns);  // "2026-03-01 10:30:00" where the user is
std::string utc_time(int64_t utc_ns);    // "2026-03-01 09:30:00 UTC"

}  // namespace n2nq::results
