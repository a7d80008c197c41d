// The runs of the plan in one line, each by what it has different: "queue.mode=broadcaster | queue.mode=load-balancer".
// Nothing: one run. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/plan/plan_editor.h"

namespace n2nq::ui {

class PlanLineEdit;
class RunsEditor;

class RunsField : public QWidget {
  Q_OBJECT

 public:
  explicit RunsField(plan::PlanEditor& editor, QWidget* parent = nullptr);

  void show_file(const plan::PlanFile& file);
  void set_locked(const QString& reason);
  void show_problem(const QString& problem);  // of runs that could be taken
  std::optional<plan::PlanProblem> trouble() const;
  const QString& wrong() const { return wrong_; }  // what there is to say of it, which the panel does

 Q_SIGNALS:
  void trouble_changed();
  void wrong_changed();

 private:
  void take(const QString& text);
  void discard();
  void set_trouble(const QString& trouble);
  void say();

  plan::PlanEditor& editor_;
  PlanLineEdit* edit_;
  RunsEditor* runs_;
  QString shown_;
  QString trouble_;
  QString problem_;
  QString wrong_;
  QString locked_;
};

}  // namespace n2nq::ui
