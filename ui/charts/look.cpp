#include "ui/charts/look.h"

#include <algorithm>

#include "ui/theme/palette.h"
#include "ui/theme/theme.h"

namespace n2nq::ui::charts {
namespace {

using figures::Figure;
using figures::Hue;
using figures::Series;

constexpr double kWidth = 2.25;
constexpr double kSecondWidth = 1.25;
constexpr int kBehindAlpha = 130;
constexpr int kPrintPixels = 13;  // of the text of a file, whatever the screen's resolution
constexpr int kPrintPoints = 1200;

// By shade, in widths of the line.
QList<qreal> dashes_of(int shade) {
  if (shade == 1) return {5, 2};
  return shade == 2 ? QList<qreal>{2, 2} : QList<qreal>{5, 2, 1, 2};
}

// For the hues that lines have, in the order of their first use; what they are held against comes after them all.
int order_of_hue(const Figure& figure, Hue hue) {
  std::vector<Hue> hues;
  for (const Series& series : figure.series) {
    if (series.behind || series.reference) continue;
    if (std::ranges::find(hues, series.hue) == hues.end()) hues.push_back(series.hue);
  }
  return static_cast<int>(std::ranges::find(hues, hue) - hues.begin());
}

}  // namespace

QColor ChartLook::background() const {
  return theme::chart_background_on(dark);
}
QColor ChartLook::text() const {
  return theme::make_palette(dark).color(QPalette::Text);
}
QColor ChartLook::muted() const {
  return theme::muted_text_on(dark);
}
QColor ChartLook::grid() const {
  return theme::grid_line_on(dark);
}
QColor ChartLook::zero() const {
  return theme::make_palette(dark).color(QPalette::Disabled, QPalette::Text);
}
// A band is as pale as its base is strong; dots, which are the few among the many, are no colour of a role.
QColor ChartLook::color(const Series& series) const {
  if (series.shape == figures::Shape::dots) return muted();
  if (series.shape == figures::Shape::band) return theme::series_color_on(dark, series.hue, 0);
  return theme::series_color_on(dark, series.hue, series.shade);
}

QColor ChartLook::landmark() const {
  return theme::color_on(dark, Hue::queue);
}
QColor ChartLook::limit() const {
  return theme::color_on(dark, theme::Status::bad);
}

ChartLook screen_look() {
  return {.dark = theme::is_dark(), .font = theme::figure_font(theme::TextSize::small)};
}

ChartLook print_look(bool dark) {
  QFont font = theme::print_font();
  font.setPixelSize(kPrintPixels);
  return {.dark = dark, .font = font, .most_points = kPrintPoints, .for_print = true};
}

QPen line_pen(const ChartLook& look, const Figure& figure, const Series& series) {
  if (series.behind) {
    QColor pale = look.color(series);
    pale.setAlpha(kBehindAlpha);
    QPen pen(pale, kSecondWidth, Qt::CustomDashLine, Qt::FlatCap, Qt::BevelJoin);
    pen.setDashPattern({4, 2});
    return pen;
  }
  const int order = order_of_hue(figure, series.hue);
  const int shade = std::clamp(series.shade, 0, 3);
  const double width = order > 0 ? kSecondWidth : kWidth - 0.25 * shade;
  QPen pen(look.color(series), width);
  pen.setJoinStyle(Qt::BevelJoin);
  pen.setCapStyle(Qt::FlatCap);
  if (shade > 0) pen.setDashPattern(dashes_of(shade));
  // Paper may have no colours; where dashes mean something, they are left to that.
  if (look.for_print && order > 0 &&
      std::ranges::none_of(figure.series, [](const Series& one) { return one.shade > 0 && !one.reference; }))
    pen.setDashPattern(order == 1 ? QList<qreal>{5, 2.5} : QList<qreal>{1.5, 2});
  return pen;
}

}  // namespace n2nq::ui::charts
