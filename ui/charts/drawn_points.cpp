#include "ui/charts/drawn_points.h"

#include <algorithm>
#include <cmath>

namespace n2nq::ui::charts {

std::vector<QPointF> placed(const figures::Axis& x, const figures::Axis& y, const figures::Series& series) {
  std::vector<QPointF> points;
  points.reserve(series.points.size());
  for (const figures::Point& point : series.points) {
    const QPointF at(position(x, point.x), position(y, point.y));
    if (std::isfinite(at.x()) && std::isfinite(at.y())) points.push_back(at);
  }
  return points;
}

std::vector<QPointF> in_sight(const std::vector<QPointF>& points, const Span& span) {
  const auto before = [](const QPointF& point, double x) { return point.x() < x; };
  auto first = std::lower_bound(points.begin(), points.end(), span.min, before);
  auto last = std::lower_bound(first, points.end(), span.max, before);
  if (first != points.begin()) --first;
  if (last != points.end()) ++last;
  return {first, last};
}

std::vector<QPointF> thinned(const std::vector<QPointF>& points, int most) {
  const size_t count = points.size();
  const size_t groups = static_cast<size_t>(std::max(most, 4)) / 2 - 1;
  if (count <= static_cast<size_t>(most) || count < 3) return points;
  const auto by_y = [](const QPointF& one, const QPointF& other) { return one.y() < other.y(); };
  std::vector<QPointF> kept{points.front()};
  for (size_t group = 0; group < groups; ++group) {
    const auto from = points.begin() + 1 + static_cast<std::ptrdiff_t>((count - 2) * group / groups);
    const auto to = points.begin() + 1 + static_cast<std::ptrdiff_t>((count - 2) * (group + 1) / groups);
    if (from == to) continue;
    auto [low, high] = std::minmax_element(from, to, by_y);
    if (high < low) std::swap(low, high);
    kept.push_back(*low);
    if (low != high) kept.push_back(*high);
  }
  kept.push_back(points.back());
  return kept;
}

QList<QPointF> as_line(const std::vector<QPointF>& points, double lone) {
  if (points.size() == 1) {
    return {points[0] - QPointF(lone / 2, 0), points[0] + QPointF(lone / 2, 0)};
  }
  return {points.begin(), points.end()};
}

QList<QPointF> as_steps(const std::vector<QPointF>& points) {
  QList<QPointF> drawn;
  drawn.reserve(2 * static_cast<qsizetype>(points.size()));
  for (size_t i = 0; i < points.size(); ++i) {
    if (i > 0) drawn.append(QPointF(points[i].x(), points[i - 1].y()));
    drawn.append(points[i]);
  }
  return drawn;
}

QList<QPointF> as_blocks(const std::vector<QPointF>& points) {
  if (points.empty()) return {};
  const size_t count = points.size();
  // The edge before point i; the outer ones are as far away as the inner ones.
  const auto edge = [&](size_t i) {
    if (count == 1) return points[0].x() + (i == 0 ? -0.5 : 0.5) * std::max(1.0, std::fabs(points[0].x()) * 0.01);
    if (i == 0) return points[0].x() - (points[1].x() - points[0].x()) / 2;
    if (i == count) return points[count - 1].x() + (points[count - 1].x() - points[count - 2].x()) / 2;
    return (points[i - 1].x() + points[i].x()) / 2;
  };
  QList<QPointF> drawn;
  drawn.reserve(2 * static_cast<qsizetype>(count) + 2);
  drawn.append(QPointF(edge(0), 0));
  for (size_t i = 0; i < count; ++i) {
    drawn.append(QPointF(edge(i), points[i].y()));
    drawn.append(QPointF(edge(i + 1), points[i].y()));
  }
  drawn.append(QPointF(edge(count), 0));
  return drawn;
}

QList<QPointF> as_category_steps(const std::vector<QPointF>& points) {
  QList<QPointF> drawn;
  drawn.reserve(2 * static_cast<qsizetype>(points.size()));
  for (const QPointF& point : points) {
    drawn.append(QPointF(point.x() - 0.5, point.y()));
    drawn.append(QPointF(point.x() + 0.5, point.y()));
  }
  return drawn;
}

}  // namespace n2nq::ui::charts
