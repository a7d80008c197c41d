// The filters at full size, in the place of the columns. While they are edited the keys of undo are for them, and not
// for the plan, which is not in sight. UI thread.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace n2nq::ui {

class FilterDraft;

class FilterPage : public QWidget {
  Q_OBJECT

 public:
  explicit FilterPage(FilterDraft& draft, QWidget* parent = nullptr);

 Q_SIGNALS:
  void done();
  void make_request();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void show_state();

  FilterDraft& draft_;
  QLabel* state_;
  QPushButton* revert_;
  QPushButton* make_;
};

}  // namespace n2nq::ui
