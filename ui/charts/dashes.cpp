#include "ui/charts/dashes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace n2nq::ui::charts {
namespace {

// Where in a pattern, in pixels, a line has got to; the first of each two lengths is a dash.
class Pattern {
 public:
  explicit Pattern(const QPen& pen) : lengths_(pen.dashPattern()) {
    for (double& length : lengths_) length *= pen.widthF();
    sum_ = std::accumulate(lengths_.begin(), lengths_.end(), 0.0);
    left_ = lengths_.front();
  }
  bool is_dash() const { return index_ % 2 == 0; }
  double left() const { return left_; }
  void go(double length) {
    length = std::fmod(length, sum_);
    while (length >= left_) {
      length -= left_;
      index_ = (index_ + 1) % lengths_.size();
      left_ = lengths_[index_];
    }
    left_ -= length;
  }

 private:
  QList<qreal> lengths_;
  double sum_ = 0;
  qsizetype index_ = 0;
  double left_ = 0;
};

// The part of a piece, from 0 to 1, that can be seen.
std::optional<std::pair<double, double>> seen_part(const QLineF& piece, const QRectF& seen) {
  double from = 0;
  double to = 1;
  const auto cut = [&](double start, double step, double low, double high) {
    if (step == 0) return start >= low && start <= high;
    const auto [enters, leaves] = std::minmax({(low - start) / step, (high - start) / step});
    from = std::max(from, enters);
    to = std::min(to, leaves);
    return from < to;
  };
  if (!cut(piece.x1(), piece.dx(), seen.left(), seen.right())) return std::nullopt;
  if (!cut(piece.y1(), piece.dy(), seen.top(), seen.bottom())) return std::nullopt;
  return std::pair(from, to);
}

}  // namespace

QList<QLineF> dashes(const QList<QPointF>& line, const QPen& pen, const QRectF& seen) {
  constexpr double kLongest = 100'000;  // pixels, which only a piece has that begins too far away to be placed exactly
  QList<QLineF> made;
  Pattern pattern(pen);
  for (qsizetype i = 1; i < line.size(); ++i) {
    const QLineF piece(line[i - 1], line[i]);
    const auto part = seen_part(piece, seen);
    if (!part) {
      pattern.go(piece.length());
      continue;
    }
    const QLineF in_sight(piece.pointAt(part->first), piece.pointAt(part->second));
    const double length = in_sight.length();
    pattern.go(part->first * piece.length());
    if (length > kLongest) made.append(in_sight);
    double at = length > kLongest ? length : 0;
    while (at < length) {
      const double step = std::min(pattern.left(), length - at);
      if (pattern.is_dash()) made.append(QLineF(in_sight.pointAt(at / length), in_sight.pointAt((at + step) / length)));
      pattern.go(step);
      at += step;
    }
    pattern.go((1 - part->second) * piece.length());
  }
  return made;
}

}  // namespace n2nq::ui::charts
