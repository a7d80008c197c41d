#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "app/figures/csv.h"
#include "app/figures/figure.h"
#include "app/text/quantity.h"

namespace n2nq::figures {
namespace {

// A place on the x axis; where a series has several points there, each has a row.
using RowKey = std::pair<double, size_t>;

// What a value is in a table: exact in base units, or as people read it in the unit of its axis.
using ValueText = std::function<std::string(Quantity quantity, double value)>;
using UnitText = std::function<std::string(Quantity quantity)>;

std::string exact(Quantity, double value) {
  return csv_number(value);
}

// Without the noise of binary fractions: 99.95, not 99.950000001.
std::string percentile(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 10);
  return {digits.data(), end.ptr};
}

std::string readable_number(double value) {
  if (std::fabs(value) < 0x1p53 && value == std::trunc(value)) return text::count(static_cast<int64_t>(value));
  if (std::fabs(value) >= 1e4 && std::fabs(value) < 0x1p53) return text::count(std::llround(value));
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 5);
  return {digits.data(), end.ptr};
}

std::string x_text(const Axis& axis, double x, const ValueText& text_of) {
  const bool named = axis.quantity == Quantity::category && x >= 0 && x < static_cast<double>(axis.categories.size());
  return named ? axis.categories[static_cast<size_t>(x)] : text_of(axis.quantity, x);
}

// What stands in the columns of a series: its values, and intervals or boxes where there are any.
std::vector<std::string> columns_of(const Series& series) {
  if (!series.boxes.empty()) return {"", " low whisker", " lower quartile", " upper quartile", " high whisker"};
  if (series.has_intervals()) return {"", " low", " high"};
  return {""};
}

std::vector<double> values_at(const Series& series, size_t point) {
  std::vector<double> values{series.points[point].y};
  if (!series.boxes.empty()) {
    if (point >= series.boxes.size()) return values;
    const BoxMarks& box = series.boxes[point];
    values.insert(values.end(), {box.low_whisker, box.lower_quartile, box.upper_quartile, box.high_whisker});
  } else if (const Interval* interval = series.interval_at(point)) {
    values.insert(values.end(), {interval->low, interval->high});
  }
  return values;
}

// One unit for all values along y, which are read beside each other, and one for those along x; times in seconds, so
// that rows a slot apart do not read the same.
class Readable {
 public:
  explicit Readable(const Figure& figure) {
    for (const Series& series : figure.series) {
      for (size_t i = 0; i < series.points.size(); i++) {
        add(figure.x.quantity, series.points[i].x);
        for (const double value : values_at(series, i)) add(figure.y.quantity, value);
      }
    }
  }
  std::string value(Quantity quantity, double value) const {
    if (quantity == Quantity::percentile) return percentile(value);
    if (quantity == Quantity::time_ns) return text::decimals(value / 1e9, 3);
    const auto column = columns_.find(quantity);
    return column == columns_.end() ? readable_number(value) : column->second.text(value);
  }
  std::string unit(Quantity quantity) const {
    if (quantity == Quantity::percentile) return " [%]";
    if (quantity == Quantity::time_ns) return " [s]";
    const auto column = columns_.find(quantity);
    return column == columns_.end() ? "" : column->second.head("");
  }

 private:
  void add(Quantity quantity, double value) {
    const auto unit = form_of(quantity).unit;
    if (unit) columns_.try_emplace(quantity, *unit).first->second.add(value);
  }

  std::map<Quantity, text::Column> columns_;
};

std::map<RowKey, std::vector<std::string>> rows_of(const Figure& figure, const ValueText& text_of) {
  std::map<RowKey, std::vector<std::string>> rows;
  size_t columns = 0;
  for (const Series& series : figure.series) columns += columns_of(series).size();
  size_t column = 0;
  for (const Series& series : figure.series) {
    std::map<double, size_t> times;
    for (size_t i = 0; i < series.points.size(); i++) {
      const Point& point = series.points[i];
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      auto& row = rows[{point.x, times[point.x]++}];
      row.resize(columns);
      const std::vector<double> values = values_at(series, i);
      for (size_t k = 0; k < values.size(); k++)
        if (std::isfinite(values[k])) row[column + k] = text_of(figure.y.quantity, values[k]);
    }
    column += columns_of(series).size();
  }
  for (const double x : figure.unmeasured)
    if (rows.lower_bound({x, 0}) == rows.lower_bound({x, 1})) rows[{x, 0}].resize(columns);
  return rows;
}

FigureTable table_of(const Figure& figure, const ValueText& text_of, const UnitText& unit_of) {
  FigureTable table;
  table.header.push_back(figure.x.label + unit_of(figure.x.quantity));
  for (const Series& series : figure.series) {
    const std::string name = figure.y.label + (series.name.empty() ? "" : " " + series.name);
    for (const std::string& column : columns_of(series))
      table.header.push_back(name + column + unit_of(figure.y.quantity));
  }
  for (auto& [key, values] : rows_of(figure, text_of)) {
    table.rows.push_back({x_text(figure.x, key.first, text_of)});
    std::ranges::move(values, std::back_inserter(table.rows.back()));
  }
  return table;
}

}  // namespace

FigureTable figure_table(const Figure& figure) {
  return table_of(figure, exact, in_base_unit);
}

FigureTable shown_table(const Figure& figure) {
  const Readable readable(figure);
  return table_of(
      figure, [&readable](Quantity quantity, double value) { return readable.value(quantity, value); },
      [&readable](Quantity quantity) { return readable.unit(quantity); });
}

std::string in_base_unit(Quantity quantity) {
  const std::string base = form_of(quantity).base;
  return base.empty() ? "" : " [" + base + "]";
}

std::string figure_csv(const Figure& figure) {
  const FigureTable table = figure_table(figure);
  std::string csv = csv_line(table.header);
  for (const auto& row : table.rows) csv += csv_line(row);
  return csv;
}

}  // namespace n2nq::figures
