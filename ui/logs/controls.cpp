#include "ui/logs/controls.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

QToolButton* make_button(const char* icon, const QString& does, const QString& key) {
  auto* button = new QToolButton;
  button->setIcon(theme::icon(icon));
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(does);
  button->setToolTip(key.isEmpty() ? does : does + QStringLiteral(" (%1)").arg(key));
  return button;
}

QLabel* make_note() {
  auto* note = new theme::Label({}, theme::TextSize::caption, theme::Tone::muted);
  note->setTextFormat(Qt::PlainText);
  note->setWordWrap(true);
  note->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return note;
}

QHBoxLayout* make_row(QWidget* bar) {
  auto* row = theme::row_in(bar, theme::kSpace2, {theme::kSpace3, theme::kSpace1, theme::kSpace3, theme::kSpace1});
  return row;
}

}  // namespace n2nq::ui
