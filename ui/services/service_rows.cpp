#include "ui/services/service_rows.h"

#include <QAccessible>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>

#include "ui/services/service_delegate.h"

namespace n2nq::ui {
namespace {

constexpr int kRowsAlways = 2;

}  // namespace

ServiceRows::ServiceRows(const QString& name, QWidget* parent) : theme::TableView(name, parent) {
  setAlternatingRowColors(false);
  setCornerButtonEnabled(false);
  setFrameShape(QFrame::NoFrame);
  setVerticalScrollMode(ScrollPerPixel);
  setFont(theme::figure_font());
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  // What of a cell is in sight decides how it is painted.
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
  on_key({Qt::Key_Return, Qt::CTRL | Qt::Key_L}, [this] {
    if (currentIndex().isValid()) Q_EMIT log_requested(currentIndex().row());
  });
  on_key(QKeySequence::keyBindings(QKeySequence::Find), [this] { Q_EMIT filter_requested(); });
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == 0 && QGuiApplication::keyboardModifiers() == Qt::NoModifier)
      Q_EMIT log_requested(index.row());
  });
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (index.column() != 0) Q_EMIT log_requested(index.row());
  });
}

int ServiceRows::height_for(int rows) const {
  return horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize();
}

QSize ServiceRows::minimumSizeHint() const {
  return {theme::TableView::minimumSizeHint().width(), height_for(kRowsAlways)};
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

void ServiceRows::keyPressEvent(QKeyEvent* event) {
  Q_EMIT key_used();
  theme::TableView::keyPressEvent(event);
}

void ServiceRows::take_theme() {
  Q_EMIT look_changed();
}

void ServiceRows::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
  theme::TableView::selectionChanged(selected, deselected);
  Q_EMIT selection_moved();
}

}  // namespace n2nq::ui

#include "moc_service_rows.cpp"
