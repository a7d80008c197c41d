// The one way to ask: in the middle of a dimmed area, which is the page that the question is about, or the window. The
// focus is on the answer that changes nothing, or on the primary one; Enter gives the one with the focus, Escape the
// one that changes nothing. UI thread.
#pragma once

#include <QString>
#include <vector>

#include "ui/theme/message_bar.h"

class QDialog;
class QWidget;

namespace n2nq::ui::theme {

enum class FirstFocus { safe, primary };
// The last choice is the safe one. It is gone when it was answered.
MessageBar* ask(QWidget& area, Status status, const QString& text, const std::vector<MessageBar::Choice>& choices,
                FirstFocus first = FirstFocus::safe);
// One with a form of its own, which hides when it was answered; its focus proxy or first field gets the focus.
void ask(QWidget& area, QWidget* question, int widest);
// A dialog, within the window: its title becomes its first line.
void ask(QWidget& window, QDialog* dialog, int widest);

}  // namespace n2nq::ui::theme
