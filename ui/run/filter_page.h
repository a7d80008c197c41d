// The filters at full size, in the place of the columns. While they are edited the keys of undo are for them, and not
// for the plan, which is not in sight. UI thread.
#pragma once

#include <QWidget>

#include "app/plan/run_plan.h"

class QLabel;
class QPushButton;

namespace n2nq::ui {

class FilterDraft;
class FilterEditor;

class FilterPage : public QWidget {
  Q_OBJECT

 public:
  explicit FilterPage(FilterDraft& draft, QWidget* parent = nullptr);

  void show_rates(const std::vector<double>& of_senders);  // in a run, now; nothing while it is out of sight
  void show_plan(const plan::RunPlan& plan);               // whose messages the matrix speaks of

 Q_SIGNALS:
  void done();
  void make_request();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void show_state();

  FilterDraft& draft_;
  QPushButton* back_;  // made first: Tab goes on from here
  QLabel* state_;
  QPushButton* revert_;
  QPushButton* make_;
  FilterEditor* editor_;
};

}  // namespace n2nq::ui
