// A stack needs as much room as the page that it shows, not as those that it hides. UI thread.
#pragma once

class QStackedWidget;

namespace n2nq::ui::theme {

void need_only_current(QStackedWidget& stack);  // with all its pages

}  // namespace n2nq::ui::theme
