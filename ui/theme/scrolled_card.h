// Cards with one content. UI thread.
#pragma once

#include "ui/theme/card.h"

class QLayout;

namespace n2nq::ui::theme {

// What is scrolled where the card is too small for it; never so narrow that it would be cut.
Card* scrolled_card(QWidget* content, QWidget* parent = nullptr);

QWidget* card_below(QLayout& actions, QWidget* content);  // with both

}  // namespace n2nq::ui::theme
