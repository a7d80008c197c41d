#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "app/results/csv.h"
#include "app/results/figure.h"

namespace n2nq::results {
namespace {

// A place on the x axis; where a series has several points there, each has a row.
using RowKey = std::pair<double, size_t>;

std::string unit_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::rate_per_s:
      return " [1/s]";
    case Quantity::duration_ns:
    case Quantity::time_ns:
      return " [ns]";
    case Quantity::bytes:
      return " [B]";
    case Quantity::percentile:
      return " [%]";
    case Quantity::number:
    case Quantity::messages:
    case Quantity::category:
      return "";
  }
  return "";
}

// The shortest text that reads back as the same number, whatever the locale; large whole numbers without an exponent.
std::string number(double value) {
  std::array<char, 32> digits;
  const bool whole = std::fabs(value) < 0x1p53 && value == std::trunc(value);
  const auto end = whole ? std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<int64_t>(value))
                         : std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

std::string x_text(const Axis& axis, double x) {
  const bool named = axis.quantity == Quantity::category && x >= 0 && x < static_cast<double>(axis.categories.size());
  return named ? axis.categories[static_cast<size_t>(x)] : number(x);
}

// A column for the values, and two for intervals where there are any.
size_t columns_of(const Series& series) {
  return series.has_intervals() ? 3 : 1;
}

std::map<RowKey, std::vector<std::string>> rows_of(const Figure& figure) {
  std::map<RowKey, std::vector<std::string>> rows;
  size_t columns = 0;
  for (const Series& series : figure.series) columns += columns_of(series);
  size_t column = 0;
  for (const Series& series : figure.series) {
    std::map<double, size_t> times;
    for (size_t i = 0; i < series.points.size(); i++) {
      const Point& point = series.points[i];
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      auto& row = rows[{point.x, times[point.x]++}];
      row.resize(columns);
      row[column] = number(point.y);
      const Interval* interval = series.interval_at(i);
      if (interval == nullptr || !std::isfinite(interval->low) || !std::isfinite(interval->high)) continue;
      row[column + 1] = number(interval->low);
      row[column + 2] = number(interval->high);
    }
    column += columns_of(series);
  }
  return rows;
}

}  // namespace

FigureTable figure_table(const Figure& figure) {
  FigureTable table;
  table.header.push_back(figure.x.label + unit_of(figure.x.quantity));
  for (const Series& series : figure.series) {
    const std::string name = figure.y.label + (series.name.empty() ? "" : " " + series.name);
    table.header.push_back(name + unit_of(figure.y.quantity));
    if (!series.has_intervals()) continue;
    table.header.push_back(name + " low" + unit_of(figure.y.quantity));
    table.header.push_back(name + " high" + unit_of(figure.y.quantity));
  }
  for (auto& [key, values] : rows_of(figure)) {
    table.rows.push_back({x_text(figure.x, key.first)});
    std::ranges::move(values, std::back_inserter(table.rows.back()));
  }
  return table;
}

std::string figure_csv(const Figure& figure) {
  const FigureTable table = figure_table(figure);
  std::string csv = csv_line(table.header);
  for (const auto& row : table.rows) csv += csv_line(row);
  return csv;
}

}  // namespace n2nq::results
