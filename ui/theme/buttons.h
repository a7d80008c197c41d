// What a button or a row of tabs is for, which decides how it looks. A page has one primary button: the next sensible
// step. UI thread.
#pragma once

class QAbstractButton;
class QTabBar;
class QWidget;

namespace n2nq::ui::theme {

enum class ButtonKind { plain, primary, danger, flat };

void make_primary(QAbstractButton& button, bool on = true);
void make_danger(QAbstractButton& button);  // what ends something: outlined in red
void make_flat(QAbstractButton& button);    // no edge until the mouse is over it
void make_tabs_flat(QTabBar& tabs);
ButtonKind kind_of(const QWidget* button);

}  // namespace n2nq::ui::theme
