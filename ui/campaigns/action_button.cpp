#include "ui/campaigns/action_button.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/theme/buttons.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr const char* kBegins = "n2nq_begins";

}  // namespace

QPushButton* add_button(QHBoxLayout& row, QWidget* page, const ActionButton& button) {
  auto* made = theme::push_button(button.icon, button.text, {}, page, button.name);
  made->setProperty(kBegins, button.begins);
  row.addWidget(made);
  return made;
}

void show_actions(const QHBoxLayout& row, bool any) {
  for (int i = 0; i < row.count(); i++)
    if (QWidget* button = row.itemAt(i)->widget()) button->setVisible(any || button->property(kBegins).toBool());
}

}  // namespace n2nq::ui
