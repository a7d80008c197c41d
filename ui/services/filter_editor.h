// Edits who gets whose messages, as text or as a matrix. UI thread.
#pragma once

#include <QWidget>

#include "app/plan/run_plan.h"

class QLabel;

namespace n2nq::ui {

class FilterDraft;
class FilterMatrixView;

class FilterEditor : public QWidget {
  Q_OBJECT

 public:
  explicit FilterEditor(FilterDraft& draft, QWidget* parent = nullptr);

  void set_rates(std::vector<double> per_s);
  void set_plan(const plan::RunPlan& plan);  // see FilterMatrixView

 private:
  void say_sum();

  const FilterDraft& draft_;
  FilterMatrixView* matrix_;
  QLabel* sum_;
};

}  // namespace n2nq::ui
