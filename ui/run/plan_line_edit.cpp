#include "ui/run/plan_line_edit.h"

#include <QKeyEvent>
#include <QLocale>

namespace n2nq::run {

PlanLineEdit::PlanLineEdit(QWidget* parent) : QLineEdit(parent) {
  setLocale(QLocale::c());
}

bool PlanLineEdit::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && !discardable_) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo)) {
      event->ignore();
      return true;
    }
  }
  return QLineEdit::event(event);
}

void PlanLineEdit::keyPressEvent(QKeyEvent* event) {
  if (discardable_ && (event->key() == Qt::Key_Escape || event->matches(QKeySequence::Undo))) {
    Q_EMIT discarded();
    return;
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace n2nq::run
