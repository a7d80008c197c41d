// The limits of the plan in one line ("p99 <= 5 ms stop; lost <= 0"), and the editor that has them one by one. Nothing:
// none is judged. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/plan/plan_editor.h"

class QPushButton;

namespace n2nq::ui {

class LimitsEditor;
class PlanLineEdit;
class PlanText;

class LimitsField : public QWidget {
  Q_OBJECT

 public:
  explicit LimitsField(plan::PlanEditor& editor, QWidget* parent = nullptr);

  void show_plan(const plan::RunPlan& plan);
  void show_problem(const QString& problem);  // of limits that could be taken
  void set_locked(const QString& reason);
  std::optional<plan::PlanProblem> trouble() const;
  const QString& wrong() const { return wrong_; }  // what there is to say of it, which the panel does
  // The editor beside what asks for it, at the limit of one figure.
  void open_editor(const QWidget& anchor, const std::string& metric = {});

 Q_SIGNALS:
  void trouble_changed();
  void wrong_changed();

 private:
  void say();

  PlanLineEdit* edit_;
  QPushButton* open_;
  PlanText* text_;
  LimitsEditor* limits_;
  QString problem_;
  QString wrong_;
  QString locked_;
};

}  // namespace n2nq::ui
