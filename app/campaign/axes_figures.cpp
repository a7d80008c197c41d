#include "app/campaign/axes_figures.h"

#include <algorithm>

#include "app/text/number.h"

namespace n2nq::campaign {
namespace {

bool counts_up(const Axis& axis) {
  return std::ranges::all_of(axis.values,
                             [](const AxisValue& value) { return text::parse_real(value.label).has_value(); });
}

// The last one whose values are numbers, else the last one.
size_t axis_to_draw_over(const std::vector<Axis>& axes) {
  for (size_t i = axes.size(); i-- > 0;)
    if (axes[i].values.size() > 1 && counts_up(axes[i])) return i;
  return axes.size() - 1;
}

// Of the others, the one with the most values that can still be told apart.
size_t axis_of_curves(const std::vector<Axis>& axes, size_t drawn_over) {
  size_t best = axes.size();
  for (size_t i = 0; i < axes.size(); i++)
    if (i != drawn_over && axes[i].values.size() > 1 &&
        (best == axes.size() || axes[i].values.size() > axes[best].values.size()))
      best = i;
  return best;
}

}  // namespace

std::vector<FigureSpec> figures_of_axes(const Campaign& campaign, const std::string& metric) {
  const std::vector<Axis>& axes = campaign.axes;
  if (axes.empty()) return {};
  const size_t x = axis_to_draw_over(axes);
  const size_t curves = campaign.combine == Combine::paired ? axes.size() : axis_of_curves(axes, x);
  FigureSpec first{.x = axes[x].name, .curves = curves < axes.size() ? axes[curves].name : "", .metric = metric};
  first.title = first.x;
  std::vector<FigureSpec> figures{first};
  // Paired axes go along with each other: none has to be chosen.
  for (size_t i = 0; campaign.combine == Combine::grid && i < axes.size(); i++) {
    if (i == x || i == curves || axes[i].values.size() < 2) continue;
    std::vector<FigureSpec> chosen;
    for (const FigureSpec& figure : figures)
      for (const AxisValue& value : axes[i].values) {
        FigureSpec& one = chosen.emplace_back(figure);
        one.where[axes[i].name] = {value.label};
        one.title += ", " + value.label;
      }
    figures = std::move(chosen);
    if (figures.size() > kMostFigures) figures.resize(kMostFigures);
  }
  for (size_t i = 0; i < figures.size(); i++) figures[i].id = "figure-" + std::to_string(i + 1);
  return figures;
}

}  // namespace n2nq::campaign
