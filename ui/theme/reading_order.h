// The order in which one reads what a window holds: along its layouts, top to bottom and left to right; what lies over
// a page comes after it. Tab goes this way, whatever was built first or came later. UI thread.
#pragma once

class QWidget;

namespace n2nq::ui::theme {

bool takes_tab(const QWidget& widget);
// What takes the focus by Tab after `from`, or before it; around the end to the beginning. Null: `from` is not in
// sight.
QWidget* tab_stop_beside(QWidget& window, const QWidget& from, bool next);

}  // namespace n2nq::ui::theme
