// Edits who gets whose messages, as text or as a matrix, in a panel or a window of its own. UI thread.
#pragma once

#include <QWidget>
#include <vector>

#include "app/plan/run_plan.h"

class QLabel;
class QTabWidget;

namespace n2nq::ui {

class FilterDraft;

class FilterEditor : public QWidget {
  Q_OBJECT

 public:
  explicit FilterEditor(QWidget* parent = nullptr);

  void set_size(uint32_t senders, uint32_t receivers);
  // As they are now in the plan; what a person types is not lost when these are the filters that are shown.
  void set_filters(const std::vector<plan::ReceiverFilter>& filters);
  const std::vector<plan::ReceiverFilter>& filters() const;

  // For what a person did here since the filters last came from elsewhere.
  void undo();
  void redo();

  void show_text();
  void show_matrix();

 Q_SIGNALS:
  void edited();  // filters() differ, by a person

 private:
  void say_sum();

  FilterDraft* draft_;
  QTabWidget* tabs_;
  QLabel* sum_;
};

}  // namespace n2nq::ui
