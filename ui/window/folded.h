// What is folded away on a page and can be brought in sight: by the button that opens it, or by its tab. UI thread.
#pragma once

class QAbstractButton;
class QWidget;

namespace n2nq::ui {

// It is visible in that page, or would be after its folds were opened.
bool can_be_shown(const QWidget& widget, const QWidget& page);
// Opens what it is folded into, the outermost first, and scrolls to it.
void bring_in_sight(QWidget& widget, QWidget& page);
// It opens something that is open: another click would fold that away.
bool has_unfolded(const QAbstractButton& button);

}  // namespace n2nq::ui
