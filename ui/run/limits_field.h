// The limits of the plan in one line ("p99 <= 5 ms stop; lost <= 0"), and the editor that has them one by one. Nothing:
// none is judged. UI thread.
#pragma once

#include <string>

#include "app/plan/plan_editor.h"
#include "ui/run/plan_line.h"

namespace n2nq::ui {

class LimitsEditor;
class PlanText;

class LimitsField : public PlanLine {
  Q_OBJECT

 public:
  explicit LimitsField(plan::PlanEditor& editor, QWidget* parent = nullptr);

  void show_plan(const plan::RunPlan& plan);
  void set_locked(const QString& reason) override;
  // The editor beside what asks for it, at the limit of one figure.
  void open_editor(const QWidget& anchor, const std::string& metric = {});

 private:
  PlanText* text_;
  LimitsEditor* limits_;
};

}  // namespace n2nq::ui
