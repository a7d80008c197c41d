#include "app/figures/moment.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace n2nq::figures {
namespace {

constexpr double kReportNs = 100e6;  // a service reports that often

}  // namespace

std::optional<Moment> moment_at(const Figure& figure, double second) {
  if (figure.x.quantity != Quantity::time_ns) return std::nullopt;
  std::vector<double> times;
  for (const Series& series : figure.series)
    for (const Point& point : series.points) times.push_back(point.x);
  if (times.empty()) return std::nullopt;
  std::ranges::sort(times);
  times.erase(std::ranges::unique(times).begin(), times.end());
  const double wanted = second * 1e9;
  auto nearest = std::ranges::lower_bound(times, wanted);
  if (nearest == times.end() || (nearest != times.begin() && wanted - *(nearest - 1) < *nearest - wanted)) --nearest;
  double width = kReportNs;
  if (nearest != times.begin()) width = *nearest - *(nearest - 1);
  if (nearest + 1 != times.end())
    width = std::min(nearest == times.begin() ? INFINITY : width, *(nearest + 1) - *nearest);
  const double reach = width / 2 + kReportNs / 2;
  return Moment{.from_ns = std::max<int64_t>(0, std::llround(*nearest - reach)),
                .to_ns = std::llround(*nearest + reach)};
}

}  // namespace n2nq::figures
