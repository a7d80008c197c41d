// Keys, wheel and mouse of the log view.
#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>

#include "ui/logs/log_view.h"

namespace n2nq::ui {
namespace {

constexpr double kLinesPerNotch = 3;
constexpr double kNotch = 120;

}  // namespace

void LogView::set_cursor(int64_t start, bool extend) {
  if (!extend) selected_from_ = -1;
  if (extend && selected_from_ < 0) selected_from_ = cursor_ < 0 ? start : cursor_;
  cursor_ = start;
  if (!extend) take_current_time();
  viewport()->update();
  QAccessibleTextCursorEvent moved(this, visible_cursor_position());
  QAccessible::updateAccessibility(&moved);
  Q_EMIT position_changed();
}

void LogView::move_cursor(int rows, bool extend) {
  read_on();
  const auto& page = document_.page().rows;
  if (page.empty()) return;
  const auto here = row_of(cursor_);
  if (!here)
    return set_cursor(rows > 0 ? page.front().start : page[std::min<size_t>(page.size(), full_rows()) - 1].start,
                      extend);
  const int64_t to = static_cast<int64_t>(*here) + rows;
  if (rows < 0) set_following(false);
  if (to >= 0 && to < std::min<int64_t>(std::ssize(page), full_rows())) {
    return set_cursor(page[static_cast<size_t>(to)].start, extend);
  }
  cursor_next_ = rows < 0 ? Cursor::first : Cursor::last;
  extend_next_ = extend;
  scroll_by(rows);
}

void LogView::page_by(int direction, bool extend) {
  read_on();
  cursor_next_ = direction < 0 ? Cursor::first : Cursor::last;
  extend_next_ = extend;
  scroll_by(direction * static_cast<int64_t>(std::max(full_rows() - 1, 1)));
}

bool LogView::move_by_key(const QKeyEvent& event) {
  const bool extend = event.modifiers().testFlag(Qt::ShiftModifier);
  switch (event.key()) {
    case Qt::Key_Up:
      move_cursor(-1, extend);
      return true;
    case Qt::Key_Down:
      move_cursor(1, extend);
      return true;
    case Qt::Key_PageUp:
      page_by(-1, extend);
      return true;
    case Qt::Key_PageDown:
      page_by(1, extend);
      return true;
    case Qt::Key_Home:
      go_to_begin();
      break;
    case Qt::Key_End:
      go_to_end();
      break;
    case Qt::Key_Left:
      horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub);
      return true;
    case Qt::Key_Right:
      horizontalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd);
      return true;
    default:
      return false;
  }
  extend_next_ = extend;
  return true;
}

void LogView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) {
    Q_EMIT copy_wanted();
  } else if (event->matches(QKeySequence::SelectAll)) {
    select_all();
  } else if (!move_by_key(*event)) {
    event->ignore();
  }
}

void LogView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  const bool sideways = qAbs(turned.x()) > qAbs(turned.y()) || event->modifiers().testFlag(Qt::ShiftModifier);
  if (sideways) {
    const int by = turned.x() != 0 ? turned.x() : turned.y();
    QScrollBar& bar = *horizontalScrollBar();
    bar.setValue(bar.value() - qRound(by / kNotch * kLinesPerNotch * bar.singleStep()));
  } else {
    wheel_ -= turned.y() / kNotch * kLinesPerNotch;
    const auto lines = static_cast<int64_t>(wheel_);
    wheel_ -= static_cast<double>(lines);
    scroll_by(lines);
  }
  event->accept();
}

std::optional<size_t> LogView::row_at(const QPointF& position) const {
  const double y = position.y() - titles_height();
  if (y < 0) return std::nullopt;
  const auto row = static_cast<size_t>(y / layout_.row_height());
  if (row >= document_.page().rows.size()) return std::nullopt;
  return row;
}

void LogView::mousePressEvent(QMouseEvent* event) {
  read_on();
  if (event->button() != Qt::LeftButton && event->button() != Qt::RightButton) return;
  const auto row = row_at(event->position());
  if (!row) return;
  const int64_t start = document_.page().rows[*row].start;
  const auto chosen = selection();
  const bool inside = chosen && start >= chosen->first && start <= chosen->last;
  if (event->button() == Qt::RightButton && inside) return;
  set_cursor(start, event->modifiers().testFlag(Qt::ShiftModifier));
}

void LogView::mouseMoveEvent(QMouseEvent* event) {
  if (!event->buttons().testFlag(Qt::LeftButton) || cursor_ < 0) return;
  const double y = event->position().y();
  const bool above = y < titles_height();
  const bool below = y >= viewport()->height();
  if (above || below) {
    cursor_next_ = above ? Cursor::first : Cursor::last;
    extend_next_ = true;
    return scroll_by(above ? -1 : 1);
  }
  if (const auto row = row_at(event->position())) set_cursor(document_.page().rows[*row].start, true);
}

}  // namespace n2nq::ui
