#include "tests/gui/layout/token_faults.h"

#include <QApplication>
#include <QLayout>
#include <QPalette>
#include <QSet>

#include "ui/theme/label.h"
#include "ui/theme/palette.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::test {
namespace {

namespace theme = ui::theme;

QString described(const QWidget& widget) {
  QStringList path;
  for (const QWidget* one = &widget; one != nullptr && path.size() < 4; one = one->parentWidget())
    path.prepend(QString::fromLatin1(one->metaObject()->className()) + " \"" + one->accessibleName() + '"');
  return path.join(" > ");
}

bool is_distance(int pixels) {
  using namespace theme;
  static const QSet<int> kAll{-1, 0, kSpaceHalf, kSpace1, kSpace2, kSpace3, kCardInside, kSpace4, kSpace5};
  return kAll.contains(pixels);
}

QSet<QRgb> colours_of_theme() {
  QSet<QRgb> all;
  const bool dark = theme::is_dark();
  const auto add = [&](const QColor& color) { all.insert(color.rgb()); };
  const QPalette palette = theme::make_palette(dark);
  for (int group = 0; group < QPalette::NColorGroups; group++)
    for (int role = 0; role < QPalette::NColorRoles; role++)
      add(palette.color(static_cast<QPalette::ColorGroup>(group), static_cast<QPalette::ColorRole>(role)));
  using figures::Hue;
  for (const Hue hue : {Hue::sender, Hue::queue, Hue::receiver, Hue::accent, Hue::neutral}) {
    add(theme::color(hue));
    for (int shade = 0; shade < 4; shade++) add(theme::series_color(hue, shade));
  }
  using theme::Status, theme::Surface;
  for (const Status status : {Status::good, Status::info, Status::warning, Status::bad}) add(theme::color(status));
  for (const Surface surface :
       {Surface::page, Surface::card, Surface::hover, Surface::selected, Surface::line, Surface::accent})
    add(theme::surface(surface));
  for (const QColor& color :
       {theme::muted_text(), theme::grid_line(), theme::chart_background(), theme::outline_on(dark)})
    add(color);
  return all;
}

bool is_type_of_theme(const QFont& font) {
  using theme::TextSize;
  for (const TextSize size : {TextSize::caption, TextSize::body, TextSize::title, TextSize::headline})
    if (qAbs(font.pointSizeF() - theme::text_font(size).pointSizeF()) < 0.01) return true;
  return false;
}

void look_at_layout(const QLayout& layout, const QString& of, QStringList& faults) {
  const QMargins margins = layout.contentsMargins();
  for (const int distance : {margins.left(), margins.top(), margins.right(), margins.bottom(), layout.spacing()})
    if (!is_distance(distance)) faults.push_back(QString("a distance of %1 px in %2").arg(distance).arg(of));
  for (int i = 0; i < layout.count(); i++)
    if (const QLayout* inner = layout.itemAt(i)->layout()) look_at_layout(*inner, of, faults);
}

// Qt's own dialogs and what it builds for itself within its widgets are Qt's.
bool is_ours(const QWidget& widget) {
  return !widget.objectName().startsWith("qt_") && !widget.window()->inherits("QDialog");
}

}  // namespace

QStringList token_faults(const QWidget& window) {
  QStringList faults;
  const QSet<QRgb> colours = colours_of_theme();
  QList<const QWidget*> all{&window};
  for (const QWidget* widget : window.findChildren<QWidget*>()) all.append(widget);
  for (const QWidget* widget : all) {
    if (!is_ours(*widget)) continue;
    const QString of = described(*widget);
    if (!widget->styleSheet().isEmpty()) faults.push_back("a style sheet of its own: " + of);
    if (widget->testAttribute(Qt::WA_SetFont) && !is_type_of_theme(widget->font()))
      faults.push_back(QString("type of %1 pt: %2").arg(widget->font().pointSizeF()).arg(of));
    if (const QLayout* layout = widget->layout()) look_at_layout(*layout, of, faults);
    if (!widget->testAttribute(Qt::WA_SetPalette)) continue;
    const QPalette palette = widget->palette();
    for (int role = 0; role < QPalette::NColorRoles; role++)
      if (const QColor color = palette.color(QPalette::Active, static_cast<QPalette::ColorRole>(role));
          color.alpha() == 255 && !colours.contains(color.rgb()))
        faults.push_back("the colour " + color.name() + ": " + of);
  }
  return faults;
}

}  // namespace n2nq::test
