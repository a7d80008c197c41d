#include "ui/report/report_drawing.h"

#include <QPainter>
#include <algorithm>

#include "ui/charts/figure_export.h"
#include "ui/charts/look.h"
#include "ui/theme/palette.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kShades = 4;
const charts::Picture kPicture{.size = {kFigureWidth, kFigureHeight}, .x = {}, .y = {}};

constexpr std::pair<const char*, figures::Hue> kHues[] = {{"sender", figures::Hue::sender},
                                                          {"queue", figures::Hue::queue},
                                                          {"receiver", figures::Hue::receiver},
                                                          {"accent", figures::Hue::accent},
                                                          {"neutral", figures::Hue::neutral}};

report::PageColors page_colors(bool dark) {
  const QPalette palette = theme::make_palette(dark);
  report::PageColors colors;
  const auto add = [&colors](const char* name, const QColor& color) {
    colors.emplace_back(name, theme::utf8(color.name()));
  };
  add("page", palette.color(QPalette::Base));
  add("card", palette.color(QPalette::Base));
  add("text", palette.color(QPalette::Text));
  add("muted", theme::muted_text_on(dark));
  add("line", theme::grid_line_on(dark));
  add("band", palette.color(QPalette::Window));
  add("info", theme::color_on(dark, theme::Status::good));
  add("warning", theme::color_on(dark, theme::Status::warning));
  add("error", theme::color_on(dark, theme::Status::bad));
  for (const auto& [name, hue] : kHues) add(name, theme::series_color_on(dark, hue, 0));
  return colors;
}

}  // namespace

report::Look report_look() {
  return {.font = R"("Inter", system-ui, "DejaVu Sans", Verdana, sans-serif)",
          .light = page_colors(false),
          .dark = page_colors(true),
          .figures = dark_colors()};
}

// The notes stand below it as text of the page: its reader's font may be wider than ours, and would be cut off.
report::Drawing draw_svg(const figures::Figure& of) {
  figures::Figure figure = of;
  figure.notes.clear();
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
