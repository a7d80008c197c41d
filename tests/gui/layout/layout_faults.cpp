#include "tests/gui/layout/layout_faults.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRubberBand>
#include <QSizeGrip>
#include <QTabBar>

#include "tests/gui/layout/text_room.h"
#include "ui/theme/lower_edge.h"

namespace n2nq::test {
namespace {

QString sizes(const QSize& size) {
  return QStringLiteral("%1 x %2").arg(size.width()).arg(size.height());
}

QString rectangle(const QRect& rect) {
  return QStringLiteral("%1 at %2, %3").arg(sizes(rect.size())).arg(rect.x()).arg(rect.y());
}

// "Amount" of QLabel in PlanForm in ...: enough to find it in the code.
QString place(const QWidget& widget) {
  QString text = widget.accessibleName().isEmpty() ? widget.objectName() : widget.accessibleName();
  text = QStringLiteral("%1 \"%2\"").arg(widget.metaObject()->className(), text);
  int steps = 0;
  for (const QWidget* up = widget.parentWidget(); up != nullptr && !widget.isWindow() && steps < 4;
       up = up->parentWidget())
    if (qstrcmp(up->metaObject()->className(), "QWidget") != 0) {
      text += QStringLiteral(" in %1").arg(up->metaObject()->className());
      steps++;
    }
  return text;
}

bool is_viewport(const QWidget& widget) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
  return area != nullptr && area->viewport() == &widget;
}

bool floats(const QWidget& widget) {
  return qobject_cast<const QRubberBand*>(&widget) != nullptr || qobject_cast<const QSizeGrip*>(&widget) != nullptr;
}

bool has_text(const QWidget& widget) {
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) return !label->text().isEmpty();
  return qobject_cast<const QAbstractButton*>(&widget) != nullptr || qobject_cast<const QTabBar*>(&widget) != nullptr ||
         qobject_cast<const QLineEdit*>(&widget) != nullptr || qobject_cast<const QComboBox*>(&widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr;
}

// What of the widget can be seen, in the window's coordinates; scrolled away: nothing.
QRect seen_part(const QWidget& widget, const QWidget& window) {
  QRect part(widget.mapTo(&window, QPoint()), widget.size());
  for (const QWidget* up = widget.parentWidget(); up != nullptr; up = up->parentWidget()) {
    part &= QRect(up->mapTo(&window, QPoint()), up->size());
    if (up == &window) break;
  }
  return part;
}

void find_cramped(const QWidget& widget, QStringList& faults) {
  for (const TextRoom& room : text_rooms(widget))
    if (!room.fits())
      faults << QStringLiteral("%1: \"%2\" needs %3 and has %4")
                    .arg(place(widget), room.text, sizes(room.needed), sizes(room.given));
}

void find_outside(const QWidget& widget, QStringList& faults) {
  const QWidget* parent = widget.parentWidget();
  if (parent == nullptr || widget.isWindow() || is_viewport(*parent) || floats(widget)) return;
  if (!parent->rect().contains(widget.geometry()))
    faults << QStringLiteral("%1: %2 reaches out of its parent, %3")
                  .arg(place(widget), rectangle(widget.geometry()), sizes(parent->size()));
}

// What is meant to lie upon others.
const QWidget* laid_over(const QWidget* widget) {
  while (widget != nullptr && !widget->property(ui::theme::kLiesOver).toBool()) widget = widget->parentWidget();
  return widget;
}

void find_overlaps(const QList<const QWidget*>& texts, const QWidget& window, QStringList& faults) {
  QList<QRect> parts;
  for (const QWidget* text : texts) parts << seen_part(*text, window);
  for (qsizetype i = 0; i < texts.size(); i++) {
    for (qsizetype j = i + 1; j < texts.size(); j++) {
      if (!parts[i].intersects(parts[j])) continue;
      if (texts[i]->isAncestorOf(texts[j]) || texts[j]->isAncestorOf(texts[i])) continue;
      if (laid_over(texts[i]) != laid_over(texts[j])) continue;
      faults << QStringLiteral("%1: %2 and %3: %4 lie upon each other")
                    .arg(place(*texts[i]), rectangle(parts[i]), place(*texts[j]), rectangle(parts[j]));
    }
  }
}

}  // namespace

QStringList layout_faults(const QWidget& window) {
  QStringList faults;
  QList<const QWidget*> texts;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->window() != &window) continue;
    find_cramped(*widget, faults);
    find_outside(*widget, faults);
    if (has_text(*widget)) texts << widget;
  }
  find_overlaps(texts, window, faults);
  return faults;
}

}  // namespace n2nq::test
