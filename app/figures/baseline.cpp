// A figure of another run, put behind that of this one.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "app/figures/figure.h"

namespace n2nq::figures {
namespace {

double sum_of(const std::vector<Point>& points) {
  return std::accumulate(points.begin(), points.end(), 0.0, [](double sum, const Point& at) { return sum + at.y; });
}

double bin_width(const std::vector<Point>& points) {
  return points.size() < 2 ? 0 : points[1].x - points[0].x;
}

// As high as if as many values were in bins as wide as those of `of`.
void count_like(std::vector<Point>& points, const std::vector<Point>& of) {
  const double sum = sum_of(points);
  const double width = bin_width(points);
  if (sum <= 0 || width <= 0 || bin_width(of) <= 0) return;
  const double factor = sum_of(of) / sum * bin_width(of) / width;
  for (Point& point : points) point.y *= factor;
}

bool can_stand_behind(const Figure& figure, const Series& series) {
  if (series.behind || series.on_demand || series.points.empty()) return false;
  if (series.shape == Shape::bars) return figure.x.quantity != Quantity::category;
  return series.shape == Shape::line || series.shape == Shape::steps || series.shape == Shape::band;
}

}  // namespace

void put_behind(Figure& figure, const Figure& baseline, const std::string& name) {
  if (figure.id != baseline.id || figure.empty()) return;
  std::vector<Series> behind;
  for (const Series& of : figure.series) {
    const auto found = std::ranges::find(baseline.series, of.name, &Series::name);
    if (found == baseline.series.end() || of.points.empty() || !can_stand_behind(baseline, *found)) continue;
    Series one{.name = of.name + ", " + name, .hue = of.hue, .shade = of.shade, .behind = true};
    one.points = found->points;
    if (found->shape == Shape::bars) {
      count_like(one.points, of.points);
      const double half = bin_width(one.points) / 2;
      for (Point& point : one.points) point.x -= half;
    }
    one.shape = found->shape == Shape::bars ? Shape::steps : Shape::line;
    behind.push_back(std::move(one));
  }
  std::ranges::move(behind, std::back_inserter(figure.series));
}

}  // namespace n2nq::figures
