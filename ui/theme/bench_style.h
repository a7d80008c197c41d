// How controls are drawn: Fusion's behaviour and sizes, with flat surfaces, hairlines and round corners of the tokens.
// UI thread.
#pragma once

#include <QProxyStyle>

class QStyleOptionButton;
class QStyleOptionSlider;
class QStyleOptionTab;
class QStyleOptionHeader;
class QStyleOptionToolButton;

namespace n2nq::ui::theme {

class EnterPress;
class FocusWatch;
class WheelGuard;

class BenchStyle : public QProxyStyle {
  Q_OBJECT

 public:
  BenchStyle();

  using QProxyStyle::polish;
  using QProxyStyle::unpolish;
  void polish(QWidget* widget) override;
  void unpolish(QWidget* widget) override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                         const QWidget* widget) const override;
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* answer) const override;

 private:
  void leave_owner();  // of the menu that is closing
  bool shows_focus(const QStyleOption& option, const QWidget* widget) const;
  void draw_title(const QStyleOptionHeader& title, QPainter& painter, const QWidget* widget) const;
  void draw_push_label(const QStyleOptionButton& button, QPainter& painter, const QWidget* widget) const;
  void draw_spin_box(const QStyleOptionComplex& option, QPainter& painter, const QWidget* widget) const;
  void draw_combo_box(const QStyleOptionComplex& option, QPainter& painter, const QWidget* widget) const;
  void draw_scroll_bar(const QStyleOptionSlider& bar, QPainter& painter, const QWidget* widget) const;
  void draw_tool_button(const QStyleOptionToolButton& button, QPainter& painter, const QWidget* widget) const;

  FocusWatch* focus_;
  EnterPress* enter_;
  WheelGuard* wheel_;
};

}  // namespace n2nq::ui::theme
