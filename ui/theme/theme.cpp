#include "ui/theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPalette>

#include "ui/theme/outlined_style.h"
#include "ui/theme/palette.h"
#include "ui/theme/spoken.h"

namespace n2nq::ui::theme {
namespace {

constexpr double kSmall = 0.85;  // of the body's size

bool is_dark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < 128;
}

bool digits_are_equally_wide(const QFont& font) {
  const QFontMetricsF metrics(font);
  const double width = metrics.horizontalAdvance(u'0');
  for (char16_t digit = u'1'; digit <= u'9'; ++digit) {
    if (qAbs(metrics.horizontalAdvance(QChar(digit)) - width) > 0.01) return false;
  }
  return true;
}

// Platforms that name no font of their own may come with one that has no digits of equal width, or with none at all.
QStringList figure_families(const QFont& body) {
  if (digits_are_equally_wide(body)) return body.families();
  return {"DejaVu Sans", "Noto Sans", "Liberation Sans", "Roboto", body.family()};
}

}  // namespace

void apply(QApplication& application, Appearance appearance) {
  make_labels_speak();
  application.setStyle(new OutlinedStyle);
  // Without a palette of our own what is left is the platform's; that tells whether the desktop is dark.
  application.setPalette(QPalette());
  const bool dark = appearance == Appearance::system ? is_dark(application.palette()) : appearance == Appearance::dark;
  application.setPalette(make_palette(dark));
}

bool is_dark() {
  return is_dark(QGuiApplication::palette());
}

QColor color(figures::Hue hue) {
  return color_on(is_dark(), hue);
}

QColor series_color(figures::Hue hue, int shade) {
  return series_color_on(is_dark(), hue, shade);
}

QColor color(Status status) {
  return color_on(is_dark(), status);
}

QColor muted_text() {
  return muted_text_on(is_dark());
}

QColor grid_line() {
  return grid_line_on(is_dark());
}

QColor chart_background() {
  return chart_background_on(is_dark());
}

QFont text_font(TextSize size) {
  QFont font = QApplication::font();
  if (size == TextSize::small) {
    if (font.pointSizeF() > 0) {
      font.setPointSizeF(font.pointSizeF() * kSmall);
    } else {
      font.setPixelSize(qRound(font.pixelSize() * kSmall));
    }
  }
  return font;
}

QFont figure_font(TextSize size) {
  QFont font = text_font(size);
  font.setFamilies(figure_families(font));
  return font;
}

}  // namespace n2nq::ui::theme
