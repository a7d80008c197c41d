#include "app/figures/moment.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/figures/figures.h"
#include "workers/measure/histogram.h"

namespace n2nq::figures {
namespace {

constexpr double kReportNs = 100e6;  // a service reports that often

// Of all series; the middles of slots, ascending.
std::vector<double> times_of(const Figure& figure) {
  std::vector<double> times;
  for (const Series& series : figure.series)
    for (const Point& point : series.points) times.push_back(point.x);
  std::ranges::sort(times);
  times.erase(std::ranges::unique(times).begin(), times.end());
  return times;
}

// Reports tell latencies in buckets, and a point's highest is the end of one.
Moment::Highest bucket_of(double latency_ns) {
  using Fine = measure::Histogram::Layout;
  const auto at = static_cast<uint64_t>(std::min(std::fabs(latency_ns), static_cast<double>(Fine::kHighest)));
  const uint32_t counter = Fine::index_of(at);
  const auto low = static_cast<int64_t>(Fine::lowest(counter));
  const auto high = static_cast<int64_t>(Fine::highest(counter));
  return latency_ns < 0 ? Moment::Highest{-high, -low} : Moment::Highest{low, high};
}

std::optional<Moment::Highest> highest_at(const Figure& figure, double time_ns) {
  for (const Series& series : figure.series) {
    if (series.name != kHighestName || series.behind) continue;
    const auto point = std::ranges::find(series.points, time_ns, &Point::x);
    if (point != series.points.end() && std::isfinite(point->y)) return bucket_of(point->y);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Moment> moment_at(const Figure& figure, double second) {
  if (figure.x.quantity != Quantity::time_ns) return std::nullopt;
  const std::vector<double> times = times_of(figure);
  if (times.empty()) return std::nullopt;
  const double wanted = second * 1e9;
  auto nearest = std::ranges::lower_bound(times, wanted);
  if (nearest == times.end() || (nearest != times.begin() && wanted - *(nearest - 1) < *nearest - wanted)) --nearest;
  double width = kReportNs;
  if (nearest != times.begin()) width = *nearest - *(nearest - 1);
  if (nearest + 1 != times.end())
    width = std::min(nearest == times.begin() ? INFINITY : width, *(nearest + 1) - *nearest);
  const auto from = [&](double reach) { return std::max<int64_t>(0, std::llround(*nearest - reach)); };
  const auto to = [&](double reach) { return std::llround(*nearest + reach); };
  const double reach = width / 2 + kReportNs / 2;
  return Moment{.from_ns = from(reach),
                .to_ns = to(reach),
                .own_from_ns = from(width / 2),
                .own_to_ns = to(width / 2),
                .highest = highest_at(figure, *nearest)};
}

}  // namespace n2nq::figures
