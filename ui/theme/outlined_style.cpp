#include "ui/theme/outlined_style.h"

#include <QStyleOptionComplex>

#include "ui/theme/palette.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kFusionDarkens = 140;  // the window's colour, for edges, in per cent

bool has_dark_window(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < 128;
}

bool has_menu_beside_words(const QStyleOptionToolButton& button) {
  return button.features.testFlag(QStyleOptionToolButton::HasMenu) &&
         !button.features.testFlag(QStyleOptionToolButton::MenuButtonPopup) &&
         button.toolButtonStyle == Qt::ToolButtonTextBesideIcon;
}

}  // namespace

OutlinedStyle::OutlinedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

const QPalette& OutlinedStyle::outlined(const QPalette& palette) const {
  if (palette.cacheKey() != made_from_) {
    made_from_ = palette.cacheKey();
    made_ = palette;
    made_.setColor(QPalette::Window, outline_on_dark().lighter(kFusionDarkens));
  }
  return made_;
}

void OutlinedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                  const QWidget* widget) const {
  const bool has_edge =
      element == PE_IndicatorCheckBox || element == PE_IndicatorRadioButton || element == PE_FrameLineEdit;
  if (!has_edge || !has_dark_window(option->palette))
    return QProxyStyle::drawPrimitive(element, option, painter, widget);
  const auto draw = [&](const QStyleOption& changed) {
    QProxyStyle::drawPrimitive(element, &changed, painter, widget);
  };
  // Fusion draws nothing of a box whose option is not one of buttons.
  if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
    draw(outlined_option(*button));
  else if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option))
    draw(outlined_option(*frame));
  else
    draw(*option);
}

void OutlinedStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                       const QWidget* widget) const {
  const auto* tool = control == CC_ToolButton ? qstyleoption_cast<const QStyleOptionToolButton*>(option) : nullptr;
  if (tool != nullptr && has_menu_beside_words(*tool)) return draw_with_arrow(*tool, painter, widget);
  if ((control != CC_SpinBox && control != CC_ComboBox) || !has_dark_window(option->palette))
    return QProxyStyle::drawComplexControl(control, option, painter, widget);
  const auto draw = [&](const QStyleOptionComplex& changed) {
    QProxyStyle::drawComplexControl(control, &changed, painter, widget);
  };
  if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
    draw(outlined_option(*spin));
  else if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
    draw(outlined_option(*combo));
}

void OutlinedStyle::draw_with_arrow(const QStyleOptionToolButton& button, QPainter* painter,
                                    const QWidget* widget) const {
  QStyleOptionToolButton changed = button;
  changed.features.setFlag(QStyleOptionToolButton::HasMenu, false);
  QProxyStyle::drawComplexControl(CC_ToolButton, &changed, painter, widget);
  const int room = pixelMetric(PM_MenuButtonIndicator, &button, widget);
  QRect arrow(0, 0, room - 4, room - 4);
  arrow.moveCenter(button.rect.center());
  arrow.moveRight(button.rect.right() - 2);
  QStyleOption at = button;
  at.rect = arrow;
  QProxyStyle::drawPrimitive(PE_IndicatorArrowDown, &at, painter, widget);
}

}  // namespace n2nq::ui::theme
