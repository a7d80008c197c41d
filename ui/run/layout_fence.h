// Holds one widget whose texts change ten times a second, and keeps its requests for a new layout from the rest of the
// window: only another minimum size goes further. UI thread.
#pragma once

#include <QWidget>

namespace n2nq::ui {

class LayoutFence : public QWidget {
  Q_OBJECT

 public:
  explicit LayoutFence(QWidget* content, QWidget* parent = nullptr);

  QSize sizeHint() const override { return content_->sizeHint(); }
  QSize minimumSizeHint() const override { return content_->minimumSizeHint(); }

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* content_;
  QSize least_;
};

}  // namespace n2nq::ui
