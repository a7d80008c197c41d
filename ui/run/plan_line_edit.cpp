#include "ui/run/plan_line_edit.h"

#include <QKeyEvent>
#include <QLocale>

#include "ui/run/undo_keys.h"

namespace n2nq::ui {

PlanLineEdit::PlanLineEdit(QWidget* parent) : QLineEdit(parent) {
  setLocale(QLocale::c());
}

bool PlanLineEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (is_undo_or_redo(key) || key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
      event->ignore();
      return true;
    }
  }
  return QLineEdit::event(event);
}

void PlanLineEdit::keyPressEvent(QKeyEvent* event) {
  if (discardable_ && event->key() == Qt::Key_Escape) {
    Q_EMIT discarded();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_plan_line_edit.cpp"
