// One limit as a person edits it, of the plan or of a search: metric, relation, value, in a plan what comes of a run
// that exceeds it, and what is wrong with it. UI thread.
#pragma once

#include <QWidget>
#include <string>

#include "app/plan/metric_limit.h"
#include "app/plan/run_limit.h"

class QComboBox;
class QLineEdit;
class QToolButton;

namespace n2nq::ui::theme {
class StatusLabel;
}

namespace n2nq::ui {

class LimitLine : public QWidget {
  Q_OBJECT

 public:
  struct Texts {
    std::string metric{}, relation{}, value{};
    plan::LimitAction action = plan::LimitAction::fails;
  };
  // Where the page puts the note, and may remove both while something is typed here: later.
  struct Discard {
    void operator()(LimitLine* line) const;
  };

  // `number` from 1. Its note is below it in a plan; else it stands where the page puts it.
  LimitLine(plan::LimitUse use, int number, QWidget* parent);

  void show_limit(const Texts& limit);  // known or not, as a file has it
  Texts limit() const;
  void show_problem(const QString& text);  // empty: none
  void show_help(const QString& needs);    // what has to be typed; empty: nothing is left to be
  theme::StatusLabel* note() const { return note_; }
  void focus_value();

 Q_SIGNALS:
  void edited();
  void removed();

 private:
  void add_choices(plan::LimitUse use);
  void say_form();

  QComboBox* metric_;
  QComboBox* relation_;
  QLineEdit* value_;
  QComboBox* action_;
  QToolButton* remove_;
  theme::StatusLabel* note_ = nullptr;
};

}  // namespace n2nq::ui
