#include "ui/theme/heat.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kHottestShade = 2;  // the one after it can hardly be told from text

double relative_luminance(const QColor& color) {
  const auto linear = [](double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

int between(int from, int to, double share) {
  return from + static_cast<int>(std::lround((to - from) * share));
}

}  // namespace

QColor heat_color(figures::Hue hue, double share) {
  const double place = std::clamp(share, 0.0, 1.0) * kHottestShade;
  const int shade = std::min(static_cast<int>(place), kHottestShade - 1);
  const QColor from = series_color(hue, shade);
  const QColor to = series_color(hue, shade + 1);
  const double part = place - shade;
  return {between(from.red(), to.red(), part), between(from.green(), to.green(), part),
          between(from.blue(), to.blue(), part)};
}

// Where black and white stand out alike, both do by 4.58 to 1.
QColor text_on(const QColor& ground) {
  return relative_luminance(ground) > 0.179 ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace n2nq::ui::theme
