// What stands along an axis: where it begins and ends, round ticks, labels in a unit that fits. Positions are base
// units (ns, bytes ...), but for percentiles, which stand at their tail position, and for axes by decades. Pure; any
// thread.
#pragma once

#include <QString>
#include <vector>

#include "app/figures/figure.h"

namespace n2nq::ui::charts {

struct Span {
  double min = 0;
  double max = 1;
  double size() const { return max - min; }
  bool contains(double at) const { return at >= min && at <= max; }
  bool operator==(const Span&) const = default;
};
Span united(const Span& one, const Span& other);

struct Tick {
  double at = 0;
  QString label{};
  bool operator==(const Tick&) const = default;
};

double position(const figures::Axis& axis, double value);  // where a value of the axis stands
double value_at(const figures::Axis& axis, double position);

// The span for positions in `used`: as the axis demands, else with room, never of size zero.
Span fitted(const figures::Axis& axis, const Span& used);
// Of an axis of time that grows: at most a twentieth or so of it is empty, and one tick in many moves its end.
inline constexpr int kRoundEnds = 20;
// The same, its ends moved outwards to round ticks, at most about `most` of them.
Span rounded_out(const figures::Axis& axis, const Span& span, int most);

std::vector<Tick> ticks(const figures::Axis& axis, const Span& span, int most);
// "latency [us]": the unit of the ticks over `span`.
QString title(const figures::Axis& axis, const Span& span);
QString unit_text(const figures::Axis& axis, const Span& span);  // " ms"; empty where labels need none
// A single value as hovering says it: "84.1 us", "99.9 %", "receiver 7".
QString value_text(const figures::Axis& axis, double value);
// The same without the unit, in that of the ticks over `span`: "84.1".
QString bare_value_text(const figures::Axis& axis, const Span& span, double value);
// "80.0 to 88.0 us", "920 us to 1.1 ms"
QString range_text(const figures::Axis& axis, double low, double high);

}  // namespace n2nq::ui::charts
