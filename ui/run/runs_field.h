// The runs of the plan in one line, each by what it has different: "queue.mode=broadcaster | queue.mode=load-balancer".
// Nothing: one run. UI thread.
#pragma once

#include "app/plan/plan_editor.h"
#include "ui/run/plan_line.h"

namespace n2nq::ui {

class RunsEditor;

class RunsField : public PlanLine {
  Q_OBJECT

 public:
  explicit RunsField(plan::PlanEditor& editor, QWidget* parent = nullptr);

  void show_file(const plan::PlanFile& file);
  void set_locked(const QString& reason) override;

 private:
  void take(const QString& text);
  void discard();
  void hold(const QString& trouble);

  plan::PlanEditor& editor_;
  RunsEditor* runs_;
  QString shown_;
};

}  // namespace n2nq::ui
