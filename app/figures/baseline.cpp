// A figure of another run, put behind that of this one.
#include <algorithm>
#include <cmath>
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

// How many times as wide as the one before, where bins grow.
double bin_growth(const std::vector<Point>& points) {
  return points.size() < 2 || points[0].x <= 0 ? 1 : points[1].x / points[0].x;
}

// As high as if as many values were in bins as wide as those of `of`, and each from its bin's lower edge on.
void count_like(std::vector<Point>& points, const std::vector<Point>& of, bool by_decades) {
  const double sum = sum_of(points);
  const auto width = [by_decades](const std::vector<Point>& bins) {
    return by_decades ? std::log(bin_growth(bins)) : bin_width(bins);
  };
  if (sum <= 0 || width(points) <= 0 || width(of) <= 0) return;
  const double factor = sum_of(of) / sum * width(of) / width(points);
  const double growth = std::sqrt(bin_growth(points));
  const double half = bin_width(points) / 2;
  for (Point& point : points) point = {.x = by_decades ? point.x / growth : point.x - half, .y = point.y * factor};
}

bool can_stand_behind(const Figure& figure, const Series& series) {
  if (series.behind || series.points.empty()) return false;
  if (series.shape == Shape::bars) return figure.x.quantity != Quantity::category;
  return series.shape == Shape::line || series.shape == Shape::steps || series.shape == Shape::band;
}

}  // namespace

void put_behind(Figure& figure, const Figure& baseline, const std::string& name) {
  if (figure.id != baseline.id || figure.empty()) return;
  std::vector<Series> behind;
  for (const Series& of : figure.series) {
    const auto found = std::ranges::find(baseline.series, of.name, &Series::name);
    if (found == baseline.series.end() || of.on_demand || of.points.empty() || !can_stand_behind(baseline, *found))
      continue;
    Series one{.name = of.name + ", " + name, .hue = of.hue, .shade = of.shade, .behind = true};
    one.points = found->points;
    if (found->shape == Shape::bars) {
      // Of other bins, or of latencies from the other send, nothing can be read off.
      if (figure.x.by_decades != baseline.x.by_decades || figure.x.label != baseline.x.label) continue;
      count_like(one.points, of.points, figure.x.by_decades);
    }
    one.shape = found->shape == Shape::bars ? Shape::steps : Shape::line;
    behind.push_back(std::move(one));
  }
  std::ranges::move(behind, std::back_inserter(figure.series));
}

}  // namespace n2nq::figures
