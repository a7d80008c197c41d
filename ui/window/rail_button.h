// A button of the rail: an icon over a word, or the icon alone; filled while it is checked, with a line while something
// goes on in its page. UI thread.
#pragma once

#include <QToolButton>
#include <optional>

namespace n2nq::ui {

class RailButton : public QToolButton {
  Q_OBJECT

 public:
  RailButton(const char* icon, const QString& text, const QString& help, QWidget* parent);

  void set_narrow(bool narrow);
  // Something goes on in its page: how far it is, as a line below, and what is said of it. Nothing: nothing goes on.
  void show_work(std::optional<double> share, const QString& said);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;  // narrow: a window may always become so small

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint_work(QPainter& painter) const;

  const char* icon_;
  QString help_;
  std::optional<double> share_;
};

}  // namespace n2nq::ui
