// What widgets and actions tell whoever finds them by name, so that nobody has to know the widgets of others: which
// button unfolds something, and that an action replaces what is being edited. UI thread.
#pragma once

#include <QAbstractButton>
#include <QVariant>
#include <QWidget>

namespace n2nq::ui::theme {

inline constexpr const char* kOpenedBy = "n2nq_opened_by";
inline constexpr const char* kReplacesDraft = "n2nq_replaces_draft";

inline void set_opened_by(QWidget& folded, QAbstractButton* button) {
  folded.setProperty(kOpenedBy, QVariant::fromValue<QWidget*>(button));
}

inline QAbstractButton* opener_of(const QWidget& folded) {
  return qobject_cast<QAbstractButton*>(folded.property(kOpenedBy).value<QWidget*>());
}

}  // namespace n2nq::ui::theme
