#include "ui/services/matrix_table.h"

#include <QAbstractButton>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>

#include "ui/services/matrix_delegate.h"
#include "ui/services/matrix_header.h"
#include "ui/services/matrix_model.h"
#include "ui/theme/table_view.h"

namespace n2nq::ui {

MatrixTable::MatrixTable(MatrixModel& model, QWidget* parent)
    : QTableView(parent), delegate_(new MatrixDelegate(model, this)) {
  setHorizontalHeader(new MatrixHeader(Qt::Horizontal, this));
  setVerticalHeader(new MatrixHeader(Qt::Vertical, this));
  setModel(&model);
  setItemDelegate(delegate_);
  setShowGrid(false);
  setEditTriggers(NoEditTriggers);
  setSelectionMode(ExtendedSelection);
  setTabKeyNavigation(false);
  setCornerButtonEnabled(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollMode(ScrollPerPixel);
  setVerticalScrollMode(ScrollPerPixel);
  setAccessibleName(QStringLiteral("Who gets whose messages"));
  setAccessibleDescription(QStringLiteral(
      "One row per receiver, one column per sender. Space ticks the selected cells, Shift and arrow keys select."));
  if (auto* corner = findChild<QAbstractButton*>()) {
    corner->setAccessibleName(QStringLiteral("Select all cells"));
    corner->setToolTip(QStringLiteral("Selects all cells (Ctrl+A)."));
  }
  connect(&model, &QAbstractItemModel::modelReset, this, &MatrixTable::fit_if_wanted);
  connect(&model, &MatrixModel::rate_room_changed, this, [this] {
    updateGeometries();
    fit_if_wanted();
  });
  apply_cell_size(2 * theme::kGrid);
}

int64_t MatrixTable::selected_cells() const {
  int64_t cells = 0;
  for (const QItemSelectionRange& range : selectionModel()->selection())
    cells += int64_t{range.width()} * range.height();
  return cells;
}

int MatrixTable::cell_size() const {
  return horizontalHeader()->defaultSectionSize();
}

void MatrixTable::apply_cell_size(int pixels) {
  const int size = std::clamp(pixels, kSmallest, kLargest);
  if (size == cell_size() && size == verticalHeader()->defaultSectionSize()) return;
  horizontalHeader()->setDefaultSectionSize(size);
  verticalHeader()->setDefaultSectionSize(size);
  updateGeometries();
}

void MatrixTable::set_cell_size(int pixels) {
  fitting_ = false;
  apply_cell_size(pixels);
  scrollTo(currentIndex());
}

void MatrixTable::fit() {
  fitting_ = true;
  fit_if_wanted();
}

void MatrixTable::zoom(int steps) {
  const int size = cell_size();
  const int step = size < 12 ? 1 : size < 20 ? 2 : 4;
  set_cell_size(size + steps * step);
}

// Without scroll bars, since there are none when all fits.
QSize MatrixTable::room() const {
  const QRect all = contentsRect();
  return {all.width() - verticalHeader()->sizeHint().width(), all.height() - horizontalHeader()->sizeHint().height()};
}

void MatrixTable::fit_if_wanted() {
  if (!fitting_ || model()->rowCount() == 0 || model()->columnCount() == 0) return;
  // Names along the top may stand on their side in small cells, which takes room again.
  for (int round = 0; round < 2; round++) {
    const QSize space = room();
    apply_cell_size(std::min({space.width() / model()->columnCount(), space.height() / model()->rowCount(), 32}));
  }
}

bool MatrixTable::event(QEvent* event) {
  // Space may be a shortcut of the window; here it ticks.
  if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
    event->accept();
    return true;
  }
  return QTableView::event(event);
}

void MatrixTable::mousePressEvent(QMouseEvent* event) {
  pressed_ = indexAt(event->position().toPoint());
  plain_press_ = event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier;
  QTableView::mousePressEvent(event);
}

// A press and release on one cell ticks it; a drag selects.
void MatrixTable::mouseReleaseEvent(QMouseEvent* event) {
  QTableView::mouseReleaseEvent(event);
  const QModelIndex released = indexAt(event->position().toPoint());
  const bool click = plain_press_ && released.isValid() && released == pressed_;
  plain_press_ = false;
  if (click && selected_cells() <= 1) Q_EMIT toggle_requested(released);
}

bool MatrixTable::handle_zoom_key(const QKeyEvent& event) {
  if (event.matches(QKeySequence::ZoomIn) || (event.key() == Qt::Key_Plus && event.modifiers() & Qt::ControlModifier))
    zoom(1);
  else if (event.matches(QKeySequence::ZoomOut))
    zoom(-1);
  else if (event.key() == Qt::Key_0 && event.modifiers() == Qt::ControlModifier)
    fit();
  else
    return false;
  return true;
}

void MatrixTable::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
    Q_EMIT toggle_selection_requested();
  } else if (!handle_zoom_key(*event)) {
    QTableView::keyPressEvent(event);
  }
}

void MatrixTable::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    zoom(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
  } else {
    QTableView::wheelEvent(event);
  }
}

void MatrixTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit_if_wanted();
}

void MatrixTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model()->rowCount() > 0 && model()->columnCount() > 0) return;
  theme::TableView::paint_empty_text(*this,
                                     QStringLiteral("Add a sender and a receiver to the plan to choose routes here."),
                                     Qt::AlignHCenter | Qt::AlignTop);
}

void MatrixTable::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) delegate_->take_theme();
}

void MatrixTable::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
  QTableView::selectionChanged(selected, deselected);
  Q_EMIT selection_moved();
}

void MatrixTable::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  horizontalHeader()->viewport()->update();
  verticalHeader()->viewport()->update();
  viewport()->update();
  Q_EMIT selection_moved();
}

}  // namespace n2nq::ui

#include "moc_matrix_table.cpp"
