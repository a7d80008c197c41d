// The notes under a chart. They change at each tick of a run; whatever is around them is laid out again only where they
// need another height. UI thread.
#pragma once

#include <QWidget>

namespace n2nq::ui::theme {
class Label;
}

namespace n2nq::ui::charts {

class NotesLine : public QWidget {
  Q_OBJECT

 public:
  explicit NotesLine(QWidget* parent = nullptr);

  void show_notes(const QString& text);
  theme::Label& label() { return *label_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  bool event(QEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  theme::Label* label_;
};

}  // namespace n2nq::ui::charts
