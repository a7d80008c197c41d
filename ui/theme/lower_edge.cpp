#include "ui/theme/lower_edge.h"

#include <QApplication>
#include <QEvent>
#include <QLayout>
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
  bottom = std::min(bottom, above_focus(QRect(x, bottom - height, width, height)));
  over_.setGeometry(x, std::max(corner.y(), bottom - height), width, height);
  over_.raise();
}

// The lower end of a place like that which leaves the control with the focus in sight, where there is room above it.
int LowerEdge::above_focus(const QRect& there) const {
  const int lower = there.bottom() + 1;
  const QWidget* focus = QApplication::focusWidget();
  if (focus == nullptr || !area_->isAncestorOf(focus) || over_.isAncestorOf(focus) || focus->height() > kHighestControl)
    return lower;
  const QRect at(focus->mapTo(over_.window(), QPoint()) - over_.parentWidget()->mapTo(over_.window(), QPoint()),
                 focus->size());
  const int above = at.top() - kSpace2;
  return at.intersects(there) && above - there.height() >= 0 ? above : lower;
}

bool LowerEdge::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  const bool is_moved = type == QEvent::Show || type == QEvent::Hide || type == QEvent::Resize || type == QEvent::Move;
  if (watched == &over_ ? type == QEvent::Show || type == QEvent::LayoutRequest : is_moved) place();
  return QObject::eventFilter(watched, event);
}

}  // namespace n2nq::ui::theme

#include "moc_lower_edge.cpp"
