#include "ui/logs/controls.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

QToolButton* make_button(const char* icon, const QString& does, const QString& key) {
  return theme::icon_button(icon, does, key.isEmpty() ? does : does + QStringLiteral(" (%1)").arg(key), nullptr);
}

QLabel* make_note() {
  auto* note = new theme::Label({}, theme::TextSize::caption, theme::Tone::muted);
  note->setWordWrap(true);
  note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return note;
}

QHBoxLayout* make_row(QWidget* bar) {
  return theme::row_in(bar, theme::kSpace2, {theme::kSpace3, theme::kSpace1, theme::kSpace3, theme::kSpace1});
}

}  // namespace n2nq::ui
