// The keys of undo and redo, the same on every page and every desktop; the desktop's own are theirs too.
#pragma once

#include <QKeyEvent>
#include <QKeySequence>
#include <QList>

namespace n2nq::ui::theme {

inline QList<QKeySequence> undo_keys() {
  return {QKeySequence("Ctrl+Z")};
}

inline QList<QKeySequence> redo_keys() {
  return {QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")};
}

inline bool is_undo(const QKeyEvent& event) {
  return undo_keys().contains(QKeySequence(event.keyCombination())) || event.matches(QKeySequence::Undo);
}

inline bool is_redo(const QKeyEvent& event) {
  return redo_keys().contains(QKeySequence(event.keyCombination())) || event.matches(QKeySequence::Redo);
}

inline bool is_undo_or_redo(const QKeyEvent& event) {
  return is_undo(event) || is_redo(event);
}

// Whether it asks for keys that the asked widget wants itself, whatever the window's menus say; then it has them.
inline bool claims(QEvent& event, bool (*wanted)(const QKeyEvent&)) {
  if (event.type() != QEvent::ShortcutOverride || !wanted(static_cast<const QKeyEvent&>(event))) return false;
  event.accept();
  return true;
}

}  // namespace n2nq::ui::theme
