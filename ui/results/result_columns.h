// The columns of the list of results: what each says of a run, by what it sorts, in which unit. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/record/date_text.h"
#include "app/store/store.h"
#include "app/text/quantity.h"

namespace n2nq::ui {

enum class ResultColumn {
  star,
  number,
  started,
  verdict,
  trust,
  name,
  campaign,
  tags,
  mode,
  bus,
  asked,
  services,
  sent,
  received,
  lost,
  p50,
  p99,
  latency_from,
  trimmed_mean,
  size
};

struct ResultColumnSpec {
  ResultColumn column;
  const char* header;  // without its unit
  const char* help;    // one sentence
  bool number;         // to the right, in tabular figures
  const char* widest;  // text that the column has room for, at least
  bool where_used;     // shown only where a result has something in it
};
std::span<const ResultColumnSpec> result_columns();  // in the order of the table

// One unit down each column; of sizes by what is usual in it rather than by the largest.
struct ColumnScales {
  text::Scale p50{}, p99{}, trimmed_mean{}, size{};
  bool operator==(const ColumnScales&) const = default;
};

ColumnScales scales_of(const std::vector<store::ResultRow>& rows);

const text::Scale* scale_of(ResultColumn column, const ColumnScales& scales);       // null: it has none
std::string header_text(const ResultColumnSpec& spec, const ColumnScales& scales);  // "Size [MiB]"
std::string cell_text(ResultColumn column, const store::ResultRow& row, const ColumnScales& scales);
// What a column sorts by; nothing: by its text, or not known.
std::optional<double> cell_number(ResultColumn column, const store::ResultRow& row);
// Whether one stands before the other where the column ascends; what is not known stands below everything.
bool before(ResultColumn column, const store::ResultRow& one, const store::ResultRow& other);
bool has_something(ResultColumn column, const store::ResultRow& row);

}  // namespace n2nq::ui
