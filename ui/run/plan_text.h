// Keeps a line edit and one value of the plan in step. Typed text that cannot be taken stays where it is and is named;
// the plan keeps the last value that could. UI thread; a child of the line edit.
#pragma once

#include <QObject>

#include "app/plan/plan_editor.h"
#include "ui/run/plan_binding.h"

namespace n2nq::ui {

class PlanLineEdit;

class PlanText : public QObject {
  Q_OBJECT

 public:
  PlanText(PlanLineEdit* edit, plan::PlanEditor& editor, PlanBinding binding, QString what);

  void show_plan(const plan::RunPlan& plan);
  const QString& trouble() const { return trouble_; }  // empty: the text is what the plan says
  void take(const QString& text);
  void take_again();  // as it stands

 Q_SIGNALS:
  void trouble_changed();

 private:
  void discard();
  void set_trouble(const QString& trouble);
  void tidy();

  PlanLineEdit* edit_;
  plan::PlanEditor& editor_;
  PlanBinding binding_;
  QString what_;
  QString shown_;  // the plan's value as it was shown last
  QString trouble_;
};

}  // namespace n2nq::ui
