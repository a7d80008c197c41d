#include "ui/services/matrix_delegate.h"

#include <QAbstractItemView>
#include <QGuiApplication>
#include <QPainter>
#include <QPalette>

#include "ui/services/matrix_model.h"
#include "ui/theme/heat.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kRoomForLines = 8;
constexpr int kRoomForTick = 13;

}  // namespace

MatrixDelegate::MatrixDelegate(const MatrixModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {
  take_theme();
}

void MatrixDelegate::take_theme() {
  const QPalette palette = QGuiApplication::palette();
  on_ = theme::color(figures::Hue::accent);
  figure_ = theme::figure_font(theme::TextSize::caption);
  line_ = theme::grid_line();
  tenth_line_ = theme::muted_text();
  base_ = palette.color(QPalette::Base);
  cross_ = palette.color(QPalette::Text);
  cross_.setAlphaF(0.1F);
  selected_ = palette.color(QPalette::Highlight);
  selected_.setAlphaF(theme::is_dark() ? 0.55F : 0.35F);
  current_ = palette.color(QPalette::Text);
}

void MatrixDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QRect& cell = option.rect;
  paint_ground(*painter, option, index);
  paint_lines(*painter, cell, index);
  if (model_.wanted(index)) paint_wanted(*painter, cell, index);
  if (option.state & QStyle::State_HasFocus) {
    const double width = cell.width() >= kRoomForTick ? 2 : 1;
    painter->setPen(QPen(current_, width));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(cell).adjusted(width / 2, width / 2, -width / 2, -width / 2));
  }
}

// Row and column of the current cell stand out a little, so that the eye finds their names.
void MatrixDelegate::paint_ground(QPainter& painter, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const {
  painter.fillRect(option.rect, base_);
  const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
  const QModelIndex current = view != nullptr ? view->currentIndex() : QModelIndex();
  if (current.isValid() && (current.row() == index.row() || current.column() == index.column()))
    painter.fillRect(option.rect, cross_);
  if (option.state & QStyle::State_Selected) painter.fillRect(option.rect, selected_);
}

void MatrixDelegate::paint_lines(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
  const bool fine = cell.width() >= kRoomForLines;
  const bool tenth_column = (index.column() + 1) % 10 == 0;
  const bool tenth_row = (index.row() + 1) % 10 == 0;
  if (fine || tenth_column)
    painter.fillRect(cell.right(), cell.top(), 1, cell.height(), tenth_column ? tenth_line_ : line_);
  if (fine || tenth_row) painter.fillRect(cell.left(), cell.bottom(), cell.width(), 1, tenth_row ? tenth_line_ : line_);
}

void MatrixDelegate::paint_wanted(QPainter& painter, const QRect& cell, const QModelIndex& index) const {
  const int gap = cell.width() >= kRoomForTick ? 2 : cell.width() >= kRoomForLines ? 1 : 0;
  const QRect square(cell.left() + gap, cell.top() + gap, cell.width() - 2 * gap - 1, cell.height() - 2 * gap - 1);
  const auto load = model_.load(index);
  const QColor fill = load ? theme::heat_color(figures::Hue::receiver, model_.heat(*load)) : on_;
  painter.fillRect(square, fill);
  if (cell.width() < kRoomForTick) return;
  const QString text = load ? model_.load_text(*load) : QString();
  const QFontMetrics metrics(figure_);
  if (text.isEmpty() || metrics.horizontalAdvance(text) > square.width() || metrics.height() > square.height())
    return paint_tick(painter, square, theme::text_on(fill));
  painter.setFont(figure_);
  painter.setPen(theme::text_on(fill));
  painter.drawText(square, Qt::AlignCenter | Qt::TextSingleLine, text);
}

void MatrixDelegate::paint_tick(QPainter& painter, const QRect& square, const QColor& color) {
  const QRectF room = QRectF(square).adjusted(square.width() * 0.22, square.height() * 0.25, -square.width() * 0.22,
                                              -square.height() * 0.25);
  const QPointF tick[] = {QPointF(room.left(), room.center().y()),
                          QPointF(room.left() + room.width() * 0.38, room.bottom()), room.topRight()};
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, qMax(1.5, square.width() * 0.11), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(tick, 3);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

// The table itself decides what a press means; see MatrixTable.
bool MatrixDelegate::editorEvent(QEvent*, QAbstractItemModel*, const QStyleOptionViewItem&, const QModelIndex&) {
  return false;
}

}  // namespace n2nq::ui
