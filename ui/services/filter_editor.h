// Edits who gets whose messages, as text or as a matrix, beside what a run shows. The keys of undo are for the filters
// where they have the focus, and not for the plan. UI thread.
#pragma once

#include "app/plan/run_plan.h"
#include "ui/services/told_figures.h"
#include "ui/theme/card.h"

class QLabel;
class QPushButton;
class QTabWidget;

namespace n2nq::ui {

class FilterDraft;
class FilterList;
class FilterMatrixView;

class FilterEditor : public theme::Card {
  Q_OBJECT

 public:
  explicit FilterEditor(FilterDraft& draft, QWidget* parent = nullptr);

  void show_rates(const ToldRates& sent, const ToldRates& received);  // in a run, now; not while it is out of sight
  void set_plan(const plan::RunPlan& plan);                           // see FilterMatrixView

 Q_SIGNALS:
  void closed();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build_tabs();
  void say_sum();
  void say_state();

  FilterDraft& draft_;
  QTabWidget* tabs_;
  FilterList* list_;
  FilterMatrixView* matrix_;
  QPushButton* revert_;
  QLabel* sum_;
  QLabel* state_;
};

}  // namespace n2nq::ui
