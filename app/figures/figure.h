// A figure as a value: series, axes, units, labels, notes. No drawing, no Qt: what a figure says is tested without
// pixels; ui/charts turns it into a picture, figure_csv() into a file. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/plan/role.h"
#include "app/text/quantity.h"

namespace n2nq::figures {

// What the numbers of an axis are; the renderer chooses the scale (us, ms ...) and writes the unit.
enum class Quantity {
  number,
  messages,
  rate_per_s,
  duration_ns,
  time_ns,
  bytes,
  mb_per_s,
  percent,
  percentile,
  category
};
struct QuantityForm {
  Quantity quantity;
  const char* word;                  // in JSON
  const char* base;                  // the unit of its values, in files for programs; empty: none
  std::optional<text::Unit> unit{};  // for people, where a unit is all that they need
};
const QuantityForm& form_of(Quantity quantity);
std::string in_base_unit(Quantity quantity);  // " [ns]", behind the name of a column for programs; empty: no unit

inline constexpr double kFarBeyond = 10;  // times the median: what lies there flattens all else

struct Axis {
  std::string label{};  // "latency", without the unit
  Quantity quantity = Quantity::number;
  std::optional<double> min{}, max{};  // fixed, else from the values
  std::optional<double> reaches{};     // so far at least, where values end before it
  bool from_zero = false;
  bool whole = false;       // a plain number of which there are no halves: services, attempts
  bool by_decades = false;  // each ten times the last equally far: for what differs by orders of magnitude; not below 1
  bool log_if_wide = false;  // by decades by itself where the largest is far beyond the median of what is drawn
  bool decided = false;      // not by itself: by_decades is what the figure was made for
  std::vector<std::string> categories{};  // Quantity::category: x is the index
};

// A hue a role (or neutral), a shade a percentile: chosen by the renderer from these.
enum class Hue { sender, queue, receiver, accent, neutral };
// steps: a point holds from its x to the next one's. bars: half way to its neighbours, or half a category.
// boxes, violins: what many values look like, a category each; the points are their medians.
// band: all between the points of another series (`base`) and its own. dots: points that no line connects.
enum class Shape { line, steps, bars, boxes, violins, band, dots };

struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

// How far a value may be off, or reaches: the confidence interval of a mean, say.
struct Interval {
  double low = 0;
  double high = 0;
  bool operator==(const Interval&) const = default;
};

struct BoxMarks {
  double low_whisker = 0;
  double lower_quartile = 0;
  double upper_quartile = 0;
  double high_whisker = 0;
  std::vector<double> outside{};  // beyond the whiskers, ascending
  bool operator==(const BoxMarks&) const = default;
};

struct Series {
  std::string name{};  // "p99"
  Hue hue = Hue::neutral;
  int shade = 0;  // 0 the plainest; up to 3
  Shape shape = Shape::line;
  std::string base{};      // of a band: the series where it begins
  bool on_demand = false;  // named in the legend, and drawn once it is asked for there
  bool behind = false;     // of a baseline: pale, behind all others
  bool reference = false;  // what the others are held against: no colour of theirs is taken for it
  std::vector<Point> points{};
  std::vector<double> gaps{};  // of x, ascending: nothing was measured there, and no line leads across it
  // What a point is, by index, for hovering, where x and y do not say it all ("receiver 7"); may be empty.
  std::vector<std::string> notes{};
  // By index too, may be shorter. Columns of their own in tables: "latency p99 low [ns]", "latency p99 high [ns]".
  std::vector<std::optional<Interval>> intervals{};
  // How hovering calls them: "mean" 84 us, "95 % CI" 80 to 88 us.
  std::string value_name{};
  std::string interval_name{};
  std::vector<BoxMarks> boxes{};               // by index, of boxes and violins
  std::vector<std::vector<Point>> outlines{};  // by index, of violins: x the width from 0 to 1, y the value, ascending
  std::vector<std::vector<double>> rain{};     // by index, of violins: single values that are shown beside it
  const Interval* interval_at(size_t point) const;
  bool has_intervals() const;
};

// Draws it as the one of this number among many: each hue once, then each again in the next shade.
void draw_as(Series& series, std::string name, size_t number);

// Quantity::percentile: x is the percentile p in [0, 100]; drawn on the tail axis, -log10(1 - p/100), so that 90, 99
// and 99.9 % are equally far apart.
double tail_position(double percentile);
double percentile_at(double tail_position);

// A line across the figure at a value that is not to be passed.
struct Limit {
  std::string label{};  // "p99 at most 5.00 ms"
  double value = 0;     // of y
  bool operator==(const Limit&) const = default;
};

// Where along x something happened, or something lies that one looks for.
struct Landmark {
  std::string label{};  // "request changed", "p99 352 µs"
  double x = 0;
  bool operator==(const Landmark&) const = default;
};

// A part of x in which something lasted.
struct Stretch {
  std::string label{};  // "no delivery, 4.79 s"
  double from = 0, to = 0;
  bool trouble = false;  // else it was wanted
  bool of_host = false;  // else of messages
  bool operator==(const Stretch&) const = default;
};

struct Figure {
  std::string id{};  // "rate", "latency-over-time", "latency-by-percentile", "histogram", "per-service", "layers"
  std::string title{};
  Axis x{}, y{};
  std::vector<Series> series{};
  std::vector<Limit> limits{};
  std::vector<Landmark> landmarks{};
  std::vector<Stretch> stretches{};
  std::vector<double> unmeasured{};  // of x: belongs to the figure and has no value, a row of empty cells in tables
  std::vector<std::string> notes{};  // what is excluded or must be known: "without 2 s of warm-up", "± 3 us"
  std::string empty_text{};          // what to do so that there is something to see
  bool empty() const;
};

// Where an interval reaches so far up that the points would not be told apart, the y axis ends well above the points,
// and a note says so; what lies beyond is in tables.
void keep_means_in_sight(Figure& figure);

// Puts what a baseline has of the same series behind those of the figure, under its name: "p50, run 12". Bins of a
// histogram are counted as if both had as many messages in bins as wide. Bars of categories and dots are left out.
void put_behind(Figure& figure, const Figure& baseline, const std::string& name);

// All of it as JSON, for programs: its axes, series with points, intervals, boxes and outlines, and notes.
std::string figure_json(const Figure& figure);
// As a table: x and every series in a column, base units in the header ("latency p99 [ns]"), C locale, RFC 4180.
std::string figure_csv(const Figure& figure);
struct FigureTable {
  std::vector<std::string> header{};
  std::vector<std::vector<std::string>> rows{};  // as in the CSV
};
FigureTable figure_table(const Figure& figure);
// For people: values in one unit, which the header has ("latency p50 [µs]").
FigureTable shown_table(const Figure& figure);

}  // namespace n2nq::figures
