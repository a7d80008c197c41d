#include "ui/campaigns/action_button.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

QPushButton* add_button(QHBoxLayout& row, QWidget* page, const ActionButton& button) {
  auto* made = new QPushButton(theme::icon(button.icon), button.text, page);
  made->setAutoDefault(false);
  made->setAccessibleName(button.name);
  row.addWidget(made);
  return made;
}

void show_blocked(QPushButton& button, const QString& why_not, const QString& help) {
  button.setEnabled(why_not.isEmpty());
  button.setToolTip(why_not.isEmpty() ? help : theme::plain_tip(why_not));
}

}  // namespace n2nq::ui
