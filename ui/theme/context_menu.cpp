#include "ui/theme/context_menu.h"

#include <QAbstractButton>
#include <QMenu>
#include <QVariant>
#include <utility>

namespace n2nq::ui::theme {
namespace {

constexpr const char* kCommandText = "n2nq_command";

}  // namespace

ContextMenu::ContextMenu(QWidget& widget, Fill fill) : QObject(&widget), widget_(widget), fill_(std::move(fill)) {}

void ContextMenu::popup(const QPoint& global, const std::function<void(QMenu&)>& more) {
  auto* menu = new QMenu(&widget_);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  fill_(*menu);
  if (more) more(*menu);
  menu->popup(global);
}

void set_command_text(QAbstractButton& button, const QString& text) {
  button.setProperty(kCommandText, text);
}

QString command_text(const QAbstractButton& button) {
  const QVariant text = button.property(kCommandText);
  return text.isValid() ? text.toString() : button.accessibleName();
}

}  // namespace n2nq::ui::theme

#include "moc_context_menu.cpp"
