#include "ui/report/report_drawing.h"

#include <QPainter>
#include <algorithm>

#include "ui/charts/figure_export.h"
#include "ui/charts/look.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kShades = 4;
const charts::Picture kPicture{.size = {kFigureWidth, kFigureHeight}, .x = {}, .y = {}};

}  // namespace

report::Drawing draw_svg(const figures::Figure& figure) {
  return {.svg = charts::figure_svg(figure, kPicture).toStdString(), .width = kFigureWidth, .height = kFigureHeight};
}

QPicture draw_picture(const figures::Figure& figure) {
  QPicture picture;
  QPainter painter(&picture);
  charts::paint_figure(painter, figure, kPicture);
  painter.end();
  return picture;
}

report::DarkColors dark_colors() {
  const charts::ChartLook light{.dark = false}, dark{.dark = true};
  report::DarkColors colors;
  const auto add = [&colors](const QColor& from, const QColor& to) {
    const std::string name = theme::utf8(from.name());
    if (std::ranges::find(colors, name, &report::DarkColors::value_type::first) == colors.end())
      colors.emplace_back(name, theme::utf8(to.name()));
  };
  add(Qt::black, dark.text());  // of a painter that was told no colour
  add(light.background(), dark.background());
  add(light.text(), dark.text());
  add(light.muted(), dark.muted());
  add(light.grid(), dark.grid());
  add(light.zero(), dark.zero());
  add(light.landmark(), dark.landmark());
  add(light.limit(), dark.limit());
  for (const auto hue :
       {figures::Hue::sender, figures::Hue::queue, figures::Hue::receiver, figures::Hue::accent, figures::Hue::neutral})
    for (int shade = 0; shade < kShades; shade++) {
      figures::Series series;
      series.hue = hue;
      series.shade = shade;
      add(light.color(series), dark.color(series));
    }
  return colors;
}

}  // namespace n2nq::ui
