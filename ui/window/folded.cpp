#include "ui/window/folded.h"

#include <QCoreApplication>
#include <QEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabWidget>

#include "ui/theme/command_hints.h"

namespace n2nq::ui {
namespace {

QTabWidget* tabs_of(const QWidget& page) {
  auto* stack = qobject_cast<QStackedWidget*>(page.parentWidget());
  return stack != nullptr ? qobject_cast<QTabWidget*>(stack->parentWidget()) : nullptr;
}

bool can_open(const QWidget& folded, const QWidget& page) {
  if (const QTabWidget* tabs = tabs_of(folded)) return tabs->isTabEnabled(tabs->indexOf(&folded));
  const QAbstractButton* opener = theme::opener_of(folded);
  return opener != nullptr && opener->isEnabled() && can_be_shown(*opener, page);
}

void unfold(QWidget& widget, QWidget& page) {
  if (&widget == &page) return;
  if (QWidget* parent = widget.parentWidget()) unfold(*parent, page);
  if (!widget.isHidden()) return;
  if (QTabWidget* tabs = tabs_of(widget)) return tabs->setCurrentWidget(&widget);
  if (QAbstractButton* opener = theme::opener_of(widget)) {
    unfold(*opener, page);
    opener->click();
  }
}

void scroll_to(QWidget& widget, const QWidget& page) {
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);  // what was unfolded has its place
  for (QWidget* up = widget.parentWidget(); up != nullptr && up != &page; up = up->parentWidget())
    if (auto* area = qobject_cast<QScrollArea*>(up)) area->ensureWidgetVisible(&widget);
}

}  // namespace

bool can_be_shown(const QWidget& widget, const QWidget& page) {
  for (const QWidget* up = &widget; up != nullptr && up != &page; up = up->parentWidget())
    if (up->isHidden() && !can_open(*up, page)) return false;
  return page.isAncestorOf(&widget);
}

void bring_in_sight(QWidget& widget, QWidget& page) {
  unfold(widget, page);
  scroll_to(widget, page);
}

bool has_unfolded(const QAbstractButton& button) {
  const auto* area = button.window();
  for (const auto* widget : area->findChildren<QWidget*>())
    if (theme::opener_of(*widget) == &button) return widget->isVisible();
  return false;
}

}  // namespace n2nq::ui
