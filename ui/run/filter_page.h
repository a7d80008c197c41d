// The filters at full size, in the place of the columns. While they are edited the keys of undo are for them, and not
// for the plan, which is not in sight. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/services/filter_editor.h"

class QLabel;
class QPushButton;

namespace n2nq::ui {

class FilterPage : public QWidget {
  Q_OBJECT

 public:
  explicit FilterPage(QWidget* parent = nullptr);

  void open(const plan::RunPlan& plan);
  void show_filters(const std::vector<plan::ReceiverFilter>& filters, bool unsent);

 Q_SIGNALS:
  void edited(const std::vector<n2nq::plan::ReceiverFilter>& filters);
  void done();
  void make_request();
  void revert();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  FilterEditor* editor_;
  QLabel* state_;
  QPushButton* revert_;
  QPushButton* make_;
};

}  // namespace n2nq::ui
