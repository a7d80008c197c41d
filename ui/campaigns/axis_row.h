// One axis of a campaign as a person edits it: its name, the field of the plan (or several) that its values are given
// to, the values. UI thread.
#pragma once

#include <QObject>
#include <functional>

#include "app/campaign/campaign_form.h"

class QGridLayout;
class QToolButton;
class QWidget;

namespace n2nq::ui {
class FieldPicker;
class PlanLineEdit;
}  // namespace n2nq::ui

namespace n2nq::ui {

class AxisRow : public QObject {
  Q_OBJECT

 public:
  // Puts its widgets into a row of the grid; `number` from 1.
  AxisRow(int number, QGridLayout& grid, QWidget* parent);
  ~AxisRow() override;

  void show_form(const campaign::AxisForm& form);
  void focus_name();

 Q_SIGNALS:
  void edited(const QString& what, const n2nq::campaign::AxisForm& form);
  void removed();

 private:
  void say(const QString& what);

  PlanLineEdit* name_;
  FieldPicker* fields_;
  PlanLineEdit* values_;
  QToolButton* remove_;
};

}  // namespace n2nq::ui
