// A pill: a state in one or two words, or a thing that can be clicked. Its tone is never all that tells it: the words
// do. UI thread.
#pragma once

#include <QAbstractButton>

#include "ui/theme/label.h"

namespace n2nq::ui::theme {

class Chip : public QAbstractButton {
  Q_OBJECT

 public:
  explicit Chip(QWidget* parent = nullptr);

  void show_text(Tone tone, const QString& text, bool dot = false);
  void set_clickable(bool on);  // false, as it begins: it is only read
  Tone tone() const { return tone_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;  // long texts end in dots where there is no room

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QFont font_of_text() const;

  Tone tone_ = Tone::muted;
  bool dot_ = false;
  bool clickable_ = false;
};

// For delegates: the same pill, as wide as its text needs, from the left edge of `rect`.
void paint_chip(QPainter& painter, const QRect& rect, Tone tone, const QString& text);
int chip_width(const QString& text);

}  // namespace n2nq::ui::theme
