#include "ui/services/service_rows.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>

#include "ui/services/service_delegate.h"
#include "ui/theme/theme.h"
#include "ui/theme/whole_header.h"

namespace n2nq::services {

ServiceRows::ServiceRows(QWidget* parent) : QTableView(parent) {
  setHorizontalHeader(new theme::WholeHeader(this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  setCornerButtonEnabled(false);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollMode(ScrollPerPixel);
  setFont(theme::figure_font());
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == 0 && QGuiApplication::keyboardModifiers() == Qt::NoModifier)
      Q_EMIT log_requested(index.row());
  });
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != 0) Q_EMIT log_requested(index.row());
  });
}

void ServiceRows::set_delegate(ServiceDelegate* delegate) {
  delegate_ = delegate;
  setItemDelegate(delegate);
  const auto forget = [delegate] { delegate->forget(); };
  connect(model(), &QAbstractItemModel::modelReset, delegate, forget);
  connect(model(), &QAbstractItemModel::layoutChanged, delegate, forget);
}

void ServiceRows::dataChanged(const QModelIndex& top_left, const QModelIndex& bottom_right, const QList<int>&) {
  if (isVisible())
    viewport()->update(look_at_cells());
  else
    delegate_->forget();
  tell_screen_readers(top_left, bottom_right);
}

// The cells in sight that show something else now: a sample reports all cells.
QRegion ServiceRows::look_at_cells() {
  QRegion renewed;
  delegate_->begin_look();
  const int first = rowAt(0);
  if (first < 0) return renewed;
  const int below = rowAt(viewport()->height() - 1);
  const int last = below < 0 ? model()->rowCount() - 1 : below;
  for (int column = 0; column < model()->columnCount(); column++) {
    const int left = columnViewportPosition(column);
    if (isColumnHidden(column) || left >= viewport()->width() || left + columnWidth(column) <= 0) continue;
    for (int row = first; row <= last; row++) {
      const QModelIndex index = model()->index(row, column);
      if (!delegate_->look_at(index)) continue;
      cells_renewed_++;
      renewed += visualRect(index);
    }
  }
  return renewed;
}

void ServiceRows::tell_screen_readers(const QModelIndex& top_left, const QModelIndex& bottom_right) {
  if (!QAccessible::isActive()) return;
  QAccessibleTableModelChangeEvent event(this, QAccessibleTableModelChangeEvent::DataChanged);
  event.setFirstRow(top_left.row());
  event.setFirstColumn(top_left.column());
  event.setLastRow(bottom_right.row());
  event.setLastColumn(bottom_right.column());
  QAccessible::updateAccessibility(&event);
}

void ServiceRows::set_empty_text(const QString& text) {
  if (text == empty_text_) return;
  empty_text_ = text;
  viewport()->update();
}

ServiceRows::Wish ServiceRows::wish_of(const QKeyEvent& event) {
  const bool enter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
  if (enter && (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier) return &ServiceRows::open_current;
  if (event.key() == Qt::Key_L && event.modifiers() == Qt::ControlModifier) return &ServiceRows::open_current;
  if (event.matches(QKeySequence::Copy)) return &ServiceRows::copy;
  if (event.matches(QKeySequence::Find)) return &ServiceRows::find;
  return nullptr;
}

// The window may have shortcuts of its own on the same keys; while the table has the focus they are the table's.
bool ServiceRows::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && wish_of(*static_cast<QKeyEvent*>(event)) != nullptr) {
    event->accept();
    return true;
  }
  return QTableView::event(event);
}

void ServiceRows::keyPressEvent(QKeyEvent* event) {
  Q_EMIT key_used();
  if (const Wish wish = wish_of(*event)) {
    (this->*wish)();
    event->accept();
    return;
  }
  QTableView::keyPressEvent(event);
}

void ServiceRows::open_current() {
  if (currentIndex().isValid()) Q_EMIT log_requested(currentIndex().row());
}

void ServiceRows::copy() {
  Q_EMIT copy_requested();
}

void ServiceRows::find() {
  Q_EMIT filter_requested();
}

void ServiceRows::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (empty_text_.isEmpty() || (model() != nullptr && model()->rowCount() > 0)) return;
  QPainter painter(viewport());
  painter.setPen(theme::muted_text());
  const QRect area = viewport()->rect().adjusted(theme::kGrid, 2 * theme::kGrid, -theme::kGrid, -theme::kGrid);
  painter.drawText(area, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, empty_text_);
}

void ServiceRows::contextMenuEvent(QContextMenuEvent* event) {
  QPoint at = event->globalPos();
  if (event->reason() == QContextMenuEvent::Keyboard && currentIndex().isValid())
    at = viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft());
  Q_EMIT menu_requested(at);
}

void ServiceRows::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
      event->type() == QEvent::StyleChange)
    Q_EMIT look_changed();
}

void ServiceRows::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
  QTableView::selectionChanged(selected, deselected);
  Q_EMIT selection_moved();
}

}  // namespace n2nq::services
