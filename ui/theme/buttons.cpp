#include "ui/theme/buttons.h"

#include <QPushButton>
#include <QTabBar>
#include <QToolButton>
#include <QVariant>

#include "ui/theme/theme.h"

namespace n2nq::ui::theme {
namespace {

constexpr const char* kKind = "n2nq_kind";

void set_kind(QAbstractButton& button, ButtonKind kind) {
  if (kind_of(&button) == kind) return;
  button.setProperty(kKind, static_cast<int>(kind));
  button.updateGeometry();
  button.update();
}

}  // namespace

void make_primary(QAbstractButton& button, bool on) {
  set_kind(button, on ? ButtonKind::primary : ButtonKind::plain);
}

void make_danger(QAbstractButton& button) {
  set_kind(button, ButtonKind::danger);
}

void make_flat(QAbstractButton& button) {
  set_kind(button, ButtonKind::flat);
}

void make_tabs_flat(QTabBar& tabs) {
  tabs.setDrawBase(false);
  tabs.setExpanding(false);
}

QPushButton* push_button(const char* icon_name, const QString& text, const QString& help, QWidget* parent,
                         const QString& name) {
  auto* button = new QPushButton(text, parent);
  if (icon_name != nullptr) button->setIcon(icon(icon_name));
  button->setAccessibleName(name.isEmpty() ? text : name);
  button->setToolTip(help);
  button->setAutoDefault(false);
  return button;
}

QToolButton* icon_button(const char* icon_name, const QString& name, const QString& help, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(icon(icon_name));
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  button->setAccessibleName(name);
  button->setToolTip(help);
  return button;
}

ButtonKind kind_of(const QWidget* button) {
  return button == nullptr ? ButtonKind::plain : static_cast<ButtonKind>(button->property(kKind).toInt());
}

}  // namespace n2nq::ui::theme
