// A card with what is scrolled where the card is too small for it; never so narrow that it would be cut. UI thread.
#pragma once

#include "ui/theme/card.h"

namespace n2nq::ui::theme {

Card* scrolled_card(QWidget* content, QWidget* parent = nullptr);

}  // namespace n2nq::ui::theme
