// The runs of the plan in one line, each by what it has different: "queue.mode=broadcaster | queue.mode=load-balancer".
// Nothing: one run. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/plan/plan_editor.h"

namespace n2nq::ui::theme {
class StatusLabel;
}

namespace n2nq::ui {

class PlanLineEdit;
class RunsEditor;

class RunsField : public QWidget {
  Q_OBJECT

 public:
  explicit RunsField(plan::PlanEditor& editor, QWidget* parent = nullptr);

  void show_file(const plan::PlanFile& file);
  void set_locked(const QString& reason);
  std::optional<plan::PlanProblem> trouble() const;

 Q_SIGNALS:
  void trouble_changed();

 private:
  void take(const QString& text);
  void discard();
  void set_trouble(const QString& trouble);

  plan::PlanEditor& editor_;
  PlanLineEdit* edit_;
  theme::StatusLabel* line_;
  RunsEditor* runs_;
  QString shown_;
  QString trouble_;
};

}  // namespace n2nq::ui
