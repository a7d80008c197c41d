// A button of the rail: an icon over a word, or the icon alone; filled while it is checked. UI thread.
#pragma once

#include <QToolButton>

namespace n2nq::ui {

class RailButton : public QToolButton {
  Q_OBJECT

 public:
  RailButton(const char* icon, const QString& text, const QString& help, QWidget* parent);

  void set_narrow(bool narrow);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;  // narrow: a window may always become so small

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const char* icon_;
};

}  // namespace n2nq::ui
