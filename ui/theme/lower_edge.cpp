#include "ui/theme/lower_edge.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QTabBar>
#include <QWidget>
#include <algorithm>

#include "ui/theme/tokens.h"

namespace n2nq::ui::theme {
namespace {

constexpr int kHighestControl = 2 * kControlHeight;  // what is higher is seen beside it

}  // namespace

LowerEdge::LowerEdge(QWidget& over, QWidget& area, std::function<int()> wanted)
    : QObject(&over), over_(over), area_(&area), wanted_(std::move(wanted)) {
  over_.setProperty(kLiesOver, true);
  over_.installEventFilter(this);
  area.installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, &LowerEdge::place);
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &LowerEdge::make_way);
}

void LowerEdge::keep_above(QWidget* other) {
  other_ = other;
  other->installEventFilter(this);
  place();
}

void LowerEdge::place() {
  const QLayout* layout = over_.layout();
  if (area_ == nullptr || layout == nullptr || over_.isHidden()) return;
  const QPoint corner = area_->mapTo(over_.parentWidget(), QPoint());
  const int most = std::max(0, area_->width() - 2 * kSpace4);
  const int width = wanted_ ? std::min(most, wanted_()) : most;
  const int height =
      layout->hasHeightForWidth() ? layout->totalHeightForWidth(width) : layout->totalSizeHint().height();
  int bottom = corner.y() + area_->height() - kSpace4;
  if (other_ != nullptr && !other_->isHidden() && over_.isVisible())
    bottom = std::min(bottom, other_->mapTo(over_.window(), QPoint()).y() -
                                  over_.parentWidget()->mapTo(over_.window(), QPoint()).y() - kSpace2);
  const int x = corner.x() + area_->width() - kSpace4 - width;
  QRect place(x, bottom - height, width, height);
  std::optional<QRect> free;
  for (const int left : {x, corner.x() + kSpace4, corner.x() + (area_->width() - width) / 2})
    if (!free) free = free_place(QRect(QPoint(left, place.top()), place.size()));
  if (free)
    place = *free;
  else
    place.moveTop(std::max(corner.y(), std::min(bottom, above_focus(place)) - height));
  over_.setGeometry(place);
  over_.raise();
  watch_scrolled();
}

// Of controls that have come below it; otherwise it stays where somebody may be about to click.
void LowerEdge::make_way() {
  if (area_ == nullptr || over_.isHidden()) return;
  const auto all = controls();
  const QRect here = over_.geometry();
  if (std::ranges::any_of(all, [&here](const QRect& one) { return one.intersects(here); })) place();
}

// What changes in a scrolled page is not told to what is around it.
void LowerEdge::watch_scrolled() {
  for (const auto* scrolled : area_->findChildren<QScrollArea*>())
    if (QWidget* page = scrolled->widget(); page != nullptr && !is_over(*page)) page->installEventFilter(this);
}

// What takes clicks and is no picture or table, as far as it is in sight.
std::vector<QRect> LowerEdge::controls() const {
  std::vector<QRect> found;
  for (const auto* widget : area_->findChildren<QWidget*>()) {
    const bool is_control =
        qobject_cast<const QAbstractButton*>(widget) != nullptr || qobject_cast<const QLineEdit*>(widget) != nullptr ||
        qobject_cast<const QComboBox*>(widget) != nullptr || qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
        qobject_cast<const QTabBar*>(widget) != nullptr;
    if (!is_control || !widget->isVisible() || is_over(*widget)) continue;
    const QRect seen = widget->visibleRegion().boundingRect();
    if (!seen.isEmpty()) found.push_back(over_parent(*widget, seen));
  }
  return found;
}

bool LowerEdge::is_over(const QWidget& widget) const {
  for (const QWidget* up = &widget; up != nullptr && up != area_; up = up->parentWidget())
    if (up->property(kLiesOver).toBool()) return true;
  return false;
}

// The lowest one above there that covers no control.
std::optional<QRect> LowerEdge::free_place(QRect lowest) const {
  const auto all = controls();
  const int top = over_parent(*area_, area_->rect()).top();
  while (lowest.top() >= top) {
    const auto covered = std::ranges::find_if(all, [&lowest](const QRect& one) { return one.intersects(lowest); });
    if (covered == all.end()) return lowest;
    lowest.moveBottom(covered->top() - kSpace2 - 1);
  }
  return {};
}

QRect LowerEdge::over_parent(const QWidget& widget, const QRect& part) const {
  const QPoint at =
      widget.mapTo(over_.window(), part.topLeft()) - over_.parentWidget()->mapTo(over_.window(), QPoint());
  return {at, part.size()};
}

// The lower end of a place like that which leaves the control with the focus in sight, where there is room above it.
int LowerEdge::above_focus(const QRect& there) const {
  const int lower = there.bottom() + 1;
  const QWidget* focus = QApplication::focusWidget();
  if (focus == nullptr || !area_->isAncestorOf(focus) || over_.isAncestorOf(focus) || focus->height() > kHighestControl)
    return lower;
  const QRect at = over_parent(*focus, focus->rect());
  const int above = at.top() - kSpace2;
  return at.intersects(there) && above - there.height() >= 0 ? above : lower;
}

bool LowerEdge::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (watched != &over_ && type == QEvent::LayoutRequest && over_.isVisible()) soon_.start();
  if (watched != &over_ && watched != area_.data() && watched != other_.data()) return false;
  const bool is_moved = type == QEvent::Show || type == QEvent::Hide || type == QEvent::Resize || type == QEvent::Move;
  if (watched == &over_ ? type == QEvent::Show || type == QEvent::LayoutRequest : is_moved) place();
  return QObject::eventFilter(watched, event);
}

}  // namespace n2nq::ui::theme

#include "moc_lower_edge.cpp"
