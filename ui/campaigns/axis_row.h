// One axis of a campaign as a person edits it: its name, the field of the plan (or several) that its values are given
// to, the values; beneath, values that each set something of their own, by name. UI thread.
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

  void show_form(const campaign::AxisForm& form, const plan::RunPlan& base);
  void focus_name();

 Q_SIGNALS:
  void edited(const QString& what, const n2nq::campaign::AxisForm& form);
  void removed();

 private:
  void say(const QString& what);
  void show_chips(const std::vector<campaign::AxisValue>& values);

  PlanLineEdit* name_;
  FieldPicker* fields_;
  PlanLineEdit* values_;
  QToolButton* remove_;
  QWidget* chips_;
};

}  // namespace n2nq::ui
