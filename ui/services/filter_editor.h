// Edits who gets whose messages, as text or as a matrix. UI thread.
#pragma once

#include <QWidget>

class QLabel;

namespace n2nq::ui {

class FilterDraft;

class FilterEditor : public QWidget {
  Q_OBJECT

 public:
  explicit FilterEditor(FilterDraft& draft, QWidget* parent = nullptr);

 private:
  void say_sum();

  const FilterDraft& draft_;
  QLabel* sum_;
};

}  // namespace n2nq::ui
