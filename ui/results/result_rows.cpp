#include "ui/results/result_rows.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include "ui/theme/theme.h"
#include "ui/theme/whole_header.h"

namespace n2nq::results {
namespace {

using theme::kGrid;

constexpr int kStarColumn = 0;  // the first column

}  // namespace

ResultRows::ResultRows(QWidget* parent) : QTableView(parent) {
  setHorizontalHeader(new theme::WholeHeader(this));
  setAccessibleName(tr("Results"));
  setAccessibleDescription(tr(
      "One row per run. Enter opens its details, S stars the selected results, C compares them, Delete deletes them."));
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  setSortingEnabled(true);
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
    if (at.column() != kStarColumn) Q_EMIT open_wanted();
  });
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& at) {
    if (at.column() == kStarColumn && QApplication::keyboardModifiers() == Qt::NoModifier) Q_EMIT star_clicked(at);
  });
}

void ResultRows::set_empty_text(const QString& text) {
  if (text == empty_text_) return;
  empty_text_ = text;
  viewport()->update();
}

// Copy is the view's while it has the focus, whatever the window's menus say.
bool ResultRows::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy)) key->accept();
  }
  return QTableView::event(event);
}

void ResultRows::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy_wanted();
  if (event->key() == Qt::Key_Delete && event->isAutoRepeat()) return;  // held, it would take row after row
  if (event->key() == Qt::Key_Delete) return delete_wanted();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return open_wanted();
  if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_S) return star_wanted();
  if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_C) return compare_wanted();
  QTableView::keyPressEvent(event);
}

// By the keyboard it comes up at the current row.
void ResultRows::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() != QContextMenuEvent::Keyboard) return menu_wanted(event->globalPos());
  Q_EMIT menu_wanted(viewport()->mapToGlobal(visualRect(currentIndex()).bottomLeft()));
}

void ResultRows::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (empty_text_.isEmpty() || model()->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setPen(theme::muted_text());
  const int margin = 2 * kGrid;
  painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap,
                   empty_text_);
}

}  // namespace n2nq::results
