// What widgets and actions tell whoever finds them by name, so that nobody has to know the widgets of others: which
// button unfolds something, that an action replaces what is being edited, what else a field is called, and that each
// item of a list is looked for by its own name. UI thread.
#pragma once

#include <QAbstractButton>
#include <QVariant>
#include <QWidget>

namespace n2nq::ui::theme {

inline constexpr const char* kOpenedBy = "n2nq_opened_by";
inline constexpr const char* kReplacesDraft = "n2nq_replaces_draft";
inline constexpr const char* kAlsoCalled = "n2nq_also_called";
inline constexpr const char* kItemsByName = "n2nq_items_by_name";

inline void set_opened_by(QWidget& folded, QAbstractButton* button) {
  folded.setProperty(kOpenedBy, QVariant::fromValue<QWidget*>(button));
}

inline QAbstractButton* opener_of(const QWidget& folded) {
  return qobject_cast<QAbstractButton*>(folded.property(kOpenedBy).value<QWidget*>());
}

}  // namespace n2nq::ui::theme
