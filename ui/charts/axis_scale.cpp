#include "ui/charts/axis_scale.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/text/quantity.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Axis;
using figures::Quantity;

constexpr double kSecond = 1e9;
constexpr double kHour = 3600 * kSecond;
constexpr double kRoomBelow = 0.1;  // decades: so that the least bar is one
constexpr double kMostTail = 12;    // 100 % stands at infinity, which nobody can draw

text::Scale unit_for(const Axis& axis, const Span& span) {
  const double largest = std::max(std::fabs(span.min), std::fabs(span.max));
  // Longer times are read on a clock.
  if (axis.quantity == Quantity::time_ns) return text::duration_scale(std::min(largest, 60 * kSecond));
  if (axis.quantity == Quantity::percentile) return {"%", 1, 0};
  const auto unit = figures::form_of(axis.quantity).unit;
  return unit ? text::unit_scale(*unit, largest) : text::Scale();
}

// For these there are no halves; of ns and bytes nobody wants to see any.
bool is_whole(const Axis& axis, const text::Scale& unit) {
  if (axis.quantity == Quantity::duration_ns || axis.quantity == Quantity::bytes) return unit.divisor == 1;
  return axis.whole || axis.quantity == Quantity::messages || axis.quantity == Quantity::category;
}

// 1, 2 or 5 times a power of ten, not smaller than asked.
double round_step(double at_least) {
  const double power = std::pow(10.0, std::floor(std::log10(at_least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= at_least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

double step_for(const Axis& axis, const Span& span, int most, const text::Scale& unit) {
  const double step = round_step(span.size() / std::max(most, 1) / unit.divisor) * unit.divisor;
  return is_whole(axis, unit) ? std::max(step, 1.0) : step;
}

int decimals_for(double step_in_unit) {
  return std::max(0, -static_cast<int>(std::floor(std::log10(step_in_unit) + 1e-9)));
}

std::vector<Tick> linear_ticks(const Axis& axis, const Span& span, int most) {
  const text::Scale unit = unit_for(axis, span);
  const double step = step_for(axis, span, most, unit);
  const text::Scale label{unit.unit, unit.divisor, decimals_for(step / unit.divisor)};
  std::vector<Tick> found;
  for (double i = std::ceil(span.min / step - 1e-6); i * step <= span.max + step * 1e-6; ++i) {
    const double at = i == 0 ? 0 : i * step;  // no "-0"
    found.push_back({at, theme::qt(text::scaled(at, label))});
  }
  return found;
}

// Long times are read on a clock; steps below a second only in seconds.
bool is_clock(const Axis& axis, const Span& span) {
  return axis.quantity == Quantity::time_ns && span.max >= 120 * kSecond && span.size() >= 4 * kSecond;
}

std::vector<Tick> clock_ticks(const Span& span, int most) {
  double step = kSecond;
  for (const int seconds : {2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400}) {
    if (span.size() / step <= most) break;
    step = seconds * kSecond;
  }
  while (span.size() / step > most) step *= 2;
  std::vector<Tick> found;
  for (double at = std::ceil(span.min / step) * step; at <= span.max; at += step) {
    found.push_back({at, theme::qt(text::elapsed(std::llround(at)))});
  }
  return found;
}

// Without the noise of binary fractions: 99.95, not 99.950000001.
QString percent(double value) {
  return QString::number(value, 'g', 10);
}

// Two digits of what is left to 100, which is what tells percentiles apart: 43.8, 99.44, 99.9972.
QString rounded_percent(double value) {
  constexpr int kMostDecimals = 8;
  const double rest = 100 - value;
  const int decimals = rest > 0 ? static_cast<int>(std::ceil(-std::log10(rest))) + 1 : 0;
  return percent(QString::number(value, 'f', std::clamp(decimals, 1, kMostDecimals)).toDouble());
}

// Decade d holds 100 - m * 10^(1 - d) for m of 9 to 1: 10 to 90, 91 to 99, 99.1 to 99.9 ...
bool is_wanted(int detail, int decade, int m) {
  if (detail == 0) return m == 1 || (decade == 0 && m == 5);
  return detail == 2 || m == 1 || m == 2 || m == 5;
}

std::vector<Tick> tail_ticks_of(int detail, const Span& span) {
  std::vector<Tick> found;
  if (span.contains(0)) found.push_back({0, "0"});
  for (int decade = 0; decade < static_cast<int>(kMostTail); ++decade) {
    for (int m = 9; m >= 1; --m) {
      const double percentile = 100 - m * std::pow(10.0, 1 - decade);
      const double at = figures::tail_position(percentile);
      if (is_wanted(detail, decade, m) && span.contains(at)) found.push_back({at, percent(percentile)});
    }
  }
  return found;
}

// 0, 50, 90, 99, 99.9 ...; where less than three of those are in sight, what lies between them too.
std::vector<Tick> tail_ticks(const Axis& axis, const Span& span, int most) {
  for (int detail = 0; detail < 3; ++detail) {
    if (auto found = tail_ticks_of(detail, span); found.size() >= 3) return found;
  }
  const Axis plain{.quantity = Quantity::number};
  auto found = linear_ticks(plain, {value_at(axis, span.min), value_at(axis, span.max)}, most);
  for (Tick& tick : found) tick.at = position(axis, tick.at);
  return found;
}

std::vector<Tick> category_ticks(const Axis& axis, const Span& span, int most) {
  const double step = std::max(1.0, round_step(span.size() / std::max(most, 1)));
  std::vector<Tick> found;
  const double last = std::min(span.max, static_cast<double>(axis.categories.size()) - 1);
  for (double i = std::max(0.0, std::ceil(span.min / step) * step); i <= last; i += step) {
    found.push_back({i, theme::qt(axis.categories[static_cast<size_t>(i)])});
  }
  return found;
}

// Outwards to 1, 2 or 5 times a power of ten: a decade with nothing in it would be room that the values lack.
double round_in_decade(double at, int direction) {
  constexpr double kNone = 1e-6;
  const double decade = std::floor(at + kNone);
  double found = direction > 0 ? decade + 1 : decade;
  for (const double factor : {1.0, 2.0, 5.0}) {
    const double one = decade + std::log10(factor);
    if (direction > 0 ? one >= at - kNone && one < found : one <= at + kNone) found = one;
  }
  return found;
}

// Along an axis by decades: bytes, which have steps of 1,024, and durations from microseconds to seconds are said in a
// unit of their own each; all others in that of the axis.
bool has_unit_each(const Axis& axis, const Span& span) {
  constexpr double kManyDecades = 3;
  return axis.quantity == Quantity::bytes || (axis.quantity == Quantity::duration_ns && span.size() > kManyDecades);
}

std::string decade_text(const Axis& axis, const Span& span, double value) {
  if (has_unit_each(axis, span)) {
    const double shown = axis.quantity == Quantity::duration_ns ? std::min(value, kSecond) : value;  // no minutes
    const text::Scale own = unit_for(axis, {shown, shown});
    return text::with_unit(value, {own.unit, own.divisor, 0});
  }
  const text::Scale unit = unit_for(axis, {0, std::pow(10.0, span.max)});
  return text::scaled(value, {unit.unit, unit.divisor, decimals_for(value / unit.divisor)});
}

// 1, 10 and 100 of each unit of bytes.
std::vector<Tick> decade_ticks_of_bytes(const Axis& axis, const Span& span) {
  constexpr double kUnit = 1024;
  std::vector<Tick> found;
  for (double unit = 1; position(axis, unit) <= span.max; unit *= kUnit) {
    for (const double factor : {1.0, 10.0, 100.0}) {
      const double at = position(axis, factor * unit);
      if (span.contains(at)) found.push_back({at, theme::qt(decade_text(axis, span, factor * unit))});
    }
  }
  return found;
}

// The decades in sight, and what lies between them where that is all there is room for.
std::vector<Tick> decade_ticks(const Axis& axis, const Span& span) {
  std::vector<Tick> found;
  if (axis.quantity == Quantity::bytes) found = decade_ticks_of_bytes(axis, span);
  if (found.size() >= 2) return found;
  for (const bool between : {false, true}) {
    found.clear();
    for (double decade = std::floor(span.min); decade <= span.max; ++decade) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10.0, decade);
        const double at = position(axis, value);
        if ((factor > 1 && !between) || !span.contains(at)) continue;
        found.push_back({at, theme::qt(decade_text(axis, span, value))});
      }
    }
    if (found.size() >= 3) break;
  }
  return found;
}

std::string number_text(double value) {
  const bool whole = value == std::round(value) || std::fabs(value) >= 1e3;
  if (whole && std::fabs(value) < 1e15) return text::count(std::llround(value));
  return QString::number(value, 'g', 4).toStdString();
}

}  // namespace

Span united(const Span& one, const Span& other) {
  return {std::min(one.min, other.min), std::max(one.max, other.max)};
}

double position(const Axis& axis, double value) {
  if (axis.by_decades) return std::log10(std::max(value, 1.0));
  if (axis.quantity != Quantity::percentile) return value;
  return value >= 100 ? kMostTail : std::min(kMostTail, figures::tail_position(value));
}

double value_at(const Axis& axis, double position) {
  if (axis.by_decades) return std::pow(10.0, position);
  return axis.quantity == Quantity::percentile ? figures::percentile_at(position) : position;
}

Span fitted(const Axis& axis, const Span& used) {
  if (axis.quantity == Quantity::category) {
    return {-0.5, std::max(1.0, static_cast<double>(axis.categories.size())) - 0.5};
  }
  if (axis.by_decades) {
    const double low = axis.min ? position(axis, *axis.min) : used.min;
    const double high = axis.max ? position(axis, *axis.max) : used.max;
    return {std::max(0.0, low - kRoomBelow), std::max(high, low + 1)};
  }
  Span span = used;
  if (axis.from_zero) span = united(span, {0, 0});
  if (axis.min) span.min = position(axis, *axis.min);
  if (axis.max) span.max = position(axis, *axis.max);
  if (span.max - span.min > 0) return span;
  const double least = axis.quantity == Quantity::time_ns       ? kSecond
                       : axis.quantity == Quantity::duration_ns ? kSecond / 1000
                                                                : 1;
  const double room = span.min == 0 ? least : std::fabs(span.min) * 0.1;
  return {axis.min || (axis.from_zero && span.min == 0) ? span.min : span.min - room, span.min + room};
}

Span rounded_out(const Axis& axis, const Span& span, int most) {
  if (axis.quantity == Quantity::category || axis.quantity == Quantity::percentile) return span;
  if (axis.by_decades) return {round_in_decade(span.min, -1), round_in_decade(span.max, 1)};
  const double step = step_for(axis, span, most, unit_for(axis, span));
  return {axis.min ? span.min : std::floor(span.min / step + 1e-6) * step,
          axis.max ? span.max : std::ceil(span.max / step - 1e-6) * step};
}

std::vector<Tick> ticks(const Axis& axis, const Span& span, int most) {
  if (axis.by_decades) return decade_ticks(axis, span);
  switch (axis.quantity) {
    case Quantity::category:
      return category_ticks(axis, span, most);
    case Quantity::percentile:
      return tail_ticks(axis, span, most);
    default:
      return is_clock(axis, span) ? clock_ticks(span, most) : linear_ticks(axis, span, most);
  }
}

QString title(const Axis& axis, const Span& span) {
  const QString label = theme::qt(axis.label);
  if (axis.by_decades) {
    const std::string_view unit = has_unit_each(axis, span) ? "" : unit_for(axis, {0, std::pow(10.0, span.max)}).unit;
    const QString scale = unit.empty() ? QString("log") : theme::qt(unit) + ", log";
    return label.isEmpty() ? QString("[%1]").arg(scale) : QString("%1 [%2]").arg(label, scale);
  }
  QString unit = theme::qt(std::string(unit_for(axis, span).unit));
  if (is_clock(axis, span)) unit = span.max >= kHour ? "h:min:s" : "min:s";
  if (unit.isEmpty()) return label;
  return label.isEmpty() ? QString("[%1]").arg(unit) : QString("%1 [%2]").arg(label, unit);
}

QString unit_text(const Axis& axis, const Span& span) {
  const std::string_view unit = is_clock(axis, span) ? "" : unit_for(axis, span).unit;
  return unit.empty() ? QString() : ' ' + theme::qt(unit);
}

QString value_text(const Axis& axis, double value) {
  if (const auto unit = figures::form_of(axis.quantity).unit) return theme::qt(text::with_own_unit(*unit, value));
  switch (axis.quantity) {
    case Quantity::time_ns:
      if (value < 120 * kSecond) return theme::qt(text::duration(value));
      return theme::qt(text::elapsed(std::llround(value)) + (value >= kHour ? " h" : " min"));
    case Quantity::percentile:
      return rounded_percent(value) + " %";
    case Quantity::category: {
      const auto index = static_cast<size_t>(std::max(0.0, std::round(value)));
      return index < axis.categories.size() ? theme::qt(axis.categories[index]) : QString();
    }
    case Quantity::messages:
      return theme::qt(number_text(value)) + (value == 1 ? " message" : " messages");
    default:
      return theme::qt(number_text(value));
  }
}

QString bare_value_text(const Axis& axis, const Span& span, double value) {
  const text::Scale unit = unit_for(axis, {0, value_at(axis, span.max)});
  const double shown = std::fabs(value / unit.divisor);
  int decimals = shown >= 100 || (shown == std::round(shown) && is_whole(axis, unit)) ? 0 : shown >= 10 ? 1 : 2;
  if (shown > 0 && shown < 0.1) decimals = 3;
  return theme::qt(text::scaled(value, {unit.unit, unit.divisor, decimals}));
}

QString range_text(const Axis& axis, double low, double high) {
  QString from = value_text(axis, low);
  const QString to = value_text(axis, high);
  const QString unit = from.mid(from.lastIndexOf(' '));
  if (from.contains(' ') && to.endsWith(unit)) from.chop(unit.size());
  return from + " to " + to;
}

}  // namespace n2nq::ui::charts
