// Buttons, and what one or a row of tabs is for, which decides how it looks. A page has one primary button: the next
// sensible step. UI thread.
#pragma once

#include <QString>

class QAbstractButton;
class QPushButton;
class QTabBar;
class QToolButton;
class QWidget;

namespace n2nq::ui::theme {

enum class ButtonKind { plain, primary, danger, flat };

void make_primary(QAbstractButton& button, bool on = true);
void make_danger(QAbstractButton& button);  // what ends something: outlined in red
void make_flat(QAbstractButton& button);    // no edge until the mouse is over it
void make_tabs_flat(QTabBar& tabs);

// Without an icon where it has no name. Screen readers say `name`, or else the text.
QPushButton* push_button(const char* icon_name, const QString& text, const QString& help, QWidget* parent,
                         const QString& name = {});
// Flat, without text: only Tab leads to it.
QToolButton* icon_button(const char* icon_name, const QString& name, const QString& help, QWidget* parent);
ButtonKind kind_of(const QWidget* button);

}  // namespace n2nq::ui::theme
