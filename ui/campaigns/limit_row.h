// One limit of a search as a person edits it: metric, comparison, value, and what is wrong with it. UI thread.
#pragma once

#include <QObject>

#include "app/campaign/search_form.h"

class QComboBox;
class QGridLayout;
class QToolButton;
class QWidget;

namespace n2nq::ui {
class PlanLineEdit;
}
namespace n2nq::ui::theme {
class StatusLabel;
}

namespace n2nq::ui {

class LimitRow : public QObject {
  Q_OBJECT

 public:
  // Puts its widgets into that row of the grid, from its second column on; `number` from 1.
  LimitRow(int number, QGridLayout& grid, int row, QWidget* parent);
  ~LimitRow() override;

  void show_form(const campaign::LimitForm& form);
  void show_problem(const QString& problem);
  void show_help(const QString& needs);  // what has to be typed; empty: nothing is left to be
  void focus_value();

 Q_SIGNALS:
  void edited(const QString& what, const n2nq::campaign::LimitForm& form);
  void removed();

 private:
  void say();

  int number_;
  QWidget* all_;
  QComboBox* metric_;
  QComboBox* relation_;
  PlanLineEdit* value_;
  QToolButton* remove_;
  theme::StatusLabel* note_;
};

}  // namespace n2nq::ui
