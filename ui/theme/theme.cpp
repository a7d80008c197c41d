#include "ui/theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPalette>

#include "ui/theme/bench_style.h"
#include "ui/theme/palette.h"
#include "ui/theme/spoken.h"

namespace n2nq::ui::theme {
namespace {

double size_of(TextSize size) {
  switch (size) {
    case TextSize::caption:
      return kCaptionSize;
    case TextSize::title:
      return kTitleSize;
    case TextSize::headline:
      return kHeadlineSize;
    case TextSize::body:
      break;
  }
  return kBodySize;
}

constexpr double kPointsAPixel = 0.75;

bool has_dark_window(const QPalette& palette) {
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

// In points, so that who sets a larger size of text for the desktop has it here too.
QFont inter() {
  load_resources();
  static const bool loaded = [] {
    bool all = true;
    for (const char* file : {":/fonts/Inter-Regular.otf", ":/fonts/Inter-SemiBold.otf"})
      all = QFontDatabase::addApplicationFont(file) >= 0 && all;
    return all;
  }();
  if (!loaded) qFatal("The typeface is not part of the program.");
  QFont font(QStringLiteral("N2NQ Inter"));
  font.setPointSizeF(kBodySize * kPointsAPixel);
  return font;
}

// As it was before this changed it.
const QFont& font_of_system() {
  static const QFont font = QApplication::font();
  return font;
}

}  // namespace

void apply(QApplication& application, Appearance appearance, Typeface typeface) {
  const QFont& of_system = font_of_system();
  QApplication::setFont(typeface == Typeface::inter ? inter() : of_system);
  make_labels_speak();
  application.setStyle(new BenchStyle);
  // Without a palette of our own what is left is the platform's; that tells whether the desktop is dark.
  application.setPalette(QPalette());
  const bool dark =
      appearance == Appearance::system ? has_dark_window(application.palette()) : appearance == Appearance::dark;
  application.setPalette(make_palette(dark));
}

bool is_dark() {
  return has_dark_window(QGuiApplication::palette());
}

bool reduced_motion() {
  return qEnvironmentVariableIntValue("N2NQ_REDUCED_MOTION") != 0;
}

QColor surface(Surface surface) {
  return surface_on(is_dark(), surface);
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
  const double share = size_of(size) / kBodySize;
  if (font.pointSizeF() > 0)
    font.setPointSizeF(font.pointSizeF() * share);
  else
    font.setPixelSize(qRound(font.pixelSize() * share));
  if (size == TextSize::title || size == TextSize::headline) font.setWeight(QFont::DemiBold);
  return font;
}

QFont print_font() {
  return inter();
}

QFont fixed_font() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(text_font().pointSizeF());
  return font;
}

QFont figure_font(TextSize size) {
  QFont font = text_font(size);
  font.setFamilies(figure_families(font));
  return font;
}

}  // namespace n2nq::ui::theme
