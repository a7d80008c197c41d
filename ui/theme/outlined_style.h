// Fusion with edges that can be seen on dark (its own are darker than the window, whatever the window's colour), and
// with the arrow of a tool button's menu beside its words, not in the corner below them. UI thread.
#pragma once

#include <QPalette>
#include <QProxyStyle>
#include <optional>

class QStyleOptionToolButton;

namespace n2nq::ui::theme {

class OutlinedStyle : public QProxyStyle {
 public:
  OutlinedStyle();

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;

 private:
  void draw_with_arrow(const QStyleOptionToolButton& button, QPainter* painter, const QWidget* widget) const;
  const QPalette& outlined(const QPalette& palette) const;
  template <class Option>
  Option outlined_option(Option option) const {
    option.palette = outlined(option.palette);
    return option;
  }

  // Fusion keeps what it has painted by palette, so that the same must come out of the same.
  mutable std::optional<qint64> made_from_;
  mutable QPalette made_;
};

}  // namespace n2nq::ui::theme
