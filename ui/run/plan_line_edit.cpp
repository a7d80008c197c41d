#include "ui/run/plan_line_edit.h"

#include <QKeyEvent>
#include <QLocale>

#include "ui/theme/undo_keys.h"

namespace n2nq::ui {

PlanLineEdit::PlanLineEdit(QWidget* parent) : QLineEdit(parent) {
  setLocale(QLocale::c());
}

bool PlanLineEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    if (theme::is_undo_or_redo(*static_cast<QKeyEvent*>(event))) {
      event->ignore();
      return true;
    }
  }
  return QLineEdit::event(event);
}

// An edit of the plan is undone by whoever keeps its history, not by the field.
void PlanLineEdit::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo_or_redo(*event)) return event->ignore();
  if (discardable_ && event->key() == Qt::Key_Escape) {
    Q_EMIT discarded();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_plan_line_edit.cpp"
