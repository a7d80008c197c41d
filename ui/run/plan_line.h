// A line of the plan that an editor of its own has too: name, text and the button that opens that. What is wrong with
// it is marked here and said by the panel, in the line that it keeps for that. UI thread.
#pragma once

#include <QWidget>
#include <optional>

#include "app/plan/run_plan.h"

class QPushButton;

namespace n2nq::ui {

class PlanLineEdit;

class PlanLine : public QWidget {
  Q_OBJECT

 public:
  struct Words {
    const char* key;  // of the plan
    QString name{};
    QString help{};
    QString empty{};  // what it says where there is nothing
    QString open{}, open_name{}, open_help{};
  };
  PlanLine(Words words, QWidget* parent);

  void show_problem(const QString& problem);  // of what could be taken
  virtual void set_locked(const QString& reason);
  std::optional<plan::PlanProblem> trouble() const;  // what is typed cannot be taken
  const char* key() const { return words_.key; }
  const QString& wrong() const { return wrong_; }  // what there is to say of it

 Q_SIGNALS:
  void trouble_changed();
  void wrong_changed();

 protected:
  PlanLineEdit& edit() { return *edit_; }
  QPushButton& opener() { return *opener_; }
  void set_trouble(const QString& trouble);

 private:
  void say();

  Words words_;
  PlanLineEdit* edit_;
  QPushButton* opener_;
  QString trouble_, problem_, wrong_, locked_;
};

}  // namespace n2nq::ui
