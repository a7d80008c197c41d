#include "ui/hosts/host_line_edit.h"

#include <QKeyEvent>
#include <QLocale>

#include "ui/theme/undo_keys.h"

namespace n2nq::ui {

HostLineEdit::HostLineEdit(QWidget* parent) : QLineEdit(parent) {
  setLocale(QLocale::c());
}

void HostLineEdit::show_value(const QString& value, const QString& typed) {
  value_ = value;
  if (text() != typed) setText(typed);
}

// The page takes undo and redo, not the window, whose plan is out of sight.
bool HostLineEdit::event(QEvent* event) {
  return theme::claims(*event, theme::is_undo_or_redo) || QLineEdit::event(event);
}

void HostLineEdit::keyPressEvent(QKeyEvent* event) {
  const bool undo = theme::is_undo(*event);
  if (text() != value_ && (undo || event->key() == Qt::Key_Escape)) {
    setText(value_);
    Q_EMIT given_up();
    return;
  }
  if (undo || theme::is_redo(*event)) return event->ignore();
  QLineEdit::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_host_line_edit.cpp"
