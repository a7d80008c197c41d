#include "ui/campaigns/point_table.h"

#include <QMouseEvent>
#include <QScrollBar>

namespace n2nq::ui {
namespace {

constexpr int kLeastCharacters = 8;
constexpr int kMostCharacters = 60;

}  // namespace

PointTable::PointTable(QWidget* parent) : theme::TableView(tr("Points"), parent), model_(new PointModel(this)) {
  setModel(model_);
  setAccessibleDescription(tr("One row per point. A click on a repeat, or Enter, opens its result."));
  setMouseTracking(true);
  on_key({Qt::Key_Return}, [this] { open(currentIndex()); });
  connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (model_->is_repeat(index.column())) open(index);
  });
  connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    if (!model_->is_repeat(index.column())) open(index);
  });
  set_widths([this](int column) { return width_of(column); });
  connect(model_, &PointModel::headerDataChanged, this, [this] { fit_columns(); });
}

void PointTable::show_points(std::vector<campaign::PointRow> rows, std::optional<CurrentRun> current) {
  const int columns = model_->columnCount();
  const int count = model_->rowCount();
  const int at = verticalScrollBar()->value();
  model_->set_points(std::move(rows), current);
  if (columns != model_->columnCount() || count != model_->rowCount()) fit_columns();
  verticalScrollBar()->setValue(at);
}

void PointTable::open(const QModelIndex& index) {
  if (const int64_t id = model_->result_at(index); id != 0) Q_EMIT open_result(id);
}

void PointTable::mouseMoveEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->position().toPoint());
  const bool opens = index.isValid() && model_->is_repeat(index.column()) && model_->result_at(index) != 0;
  viewport()->setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
  QTableView::mouseMoveEvent(event);
}

theme::TableView::Width PointTable::width_of(int column) const {
  const bool figure = column >= model_->columnCount() - model_->figure_columns();
  const bool repeat = model_->is_repeat(column);
  return {.least = figure                         ? 14
                   : column == PointModel::number ? 4
                   : column == PointModel::state  ? 16
                                                  : kLeastCharacters,
          .most = kMostCharacters,
          .icon = repeat,
          .sample = repeat ? "to be repeated" : ""};
}

}  // namespace n2nq::ui

#include "moc_point_table.cpp"
