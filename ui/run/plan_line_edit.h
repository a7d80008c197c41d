// A line edit whose undo is the plan's: the keys of undo are left to the page, also with text that could not be taken.
// UI thread.
#pragma once

#include <QLineEdit>

namespace n2nq::ui {

class PlanLineEdit : public QLineEdit {
  Q_OBJECT

 public:
  explicit PlanLineEdit(QWidget* parent = nullptr);

  // While set, Escape gives up what was typed.
  void set_discardable(bool discardable) { discardable_ = discardable; }

 Q_SIGNALS:
  void discarded();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool discardable_ = false;
};

}  // namespace n2nq::ui
