// Scrolls a column up and down where it is too high, and is never narrower than what it holds. UI thread.
#pragma once

#include <QScrollArea>

namespace n2nq::ui {

class ColumnScroll : public QScrollArea {
  Q_OBJECT

 public:
  ColumnScroll(QWidget* content, QWidget* parent = nullptr);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace n2nq::ui
