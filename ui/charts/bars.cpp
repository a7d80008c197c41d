#include "ui/charts/bars.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "ui/charts/figure_chart.h"

namespace n2nq::ui::charts {

bool bars_stand_alone(const figures::Figure& figure) {
  if (std::ssize(figure.x.categories) > FigureChart::kMostBarCategories) return false;
  if (std::ranges::count(figure.series, figures::Shape::bars, &figures::Series::shape) < 2) return false;
  std::vector<double> taken;
  for (const figures::Series& series : figure.series) {
    if (series.shape != figures::Shape::bars) continue;
    for (const figures::Point& point : series.points) {
      if (std::ranges::find(taken, point.x) != taken.end()) return false;
      taken.push_back(point.x);
    }
  }
  return !taken.empty();
}

}  // namespace n2nq::ui::charts
