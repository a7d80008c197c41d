#include "ui/services/filter_matrix_view.h"

#include <QLabel>
#include <QToolButton>

#include "app/text/quantity.h"
#include "ui/services/heat_legend.h"
#include "ui/services/matrix_model.h"
#include "ui/services/matrix_table.h"
#include "ui/theme/buttons.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using theme::qt;

uint32_t number_of(int section) {
  return static_cast<uint32_t>(section) + 1;
}

}  // namespace

FilterMatrixView::FilterMatrixView(FilterDraft& draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      model_(new MatrixModel(draft, this)),
      table_(new MatrixTable(*model_, this)),
      legend_(new HeatLegend(*model_, this)),
      where_(new theme::Label({}, theme::TextSize::body, theme::Tone::muted, this)) {
  auto* column = theme::column_in(this, theme::kSpace1, {0, theme::kSpace1, 0, theme::kSpace1});
  column->addWidget(build_actions());
  column->addWidget(table_, 1);
  where_->setAccessibleName(QStringLiteral("Current cell"));
  // In lines of their own: whatever they say, the cells keep their size.
  where_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  column->addWidget(where_);
  column->addWidget(legend_);
  connect(table_, &MatrixTable::toggle_requested, this, &FilterMatrixView::toggle);
  connect(table_, &MatrixTable::toggle_selection_requested, this, &FilterMatrixView::toggle_selection);
  connect(table_, &MatrixTable::selection_moved, this, &FilterMatrixView::say_where_we_are);
  connect(&draft_, &FilterDraft::changed, this, &FilterMatrixView::say_where_we_are);
  setFocusProxy(table_);
  say_where_we_are();
}

void FilterMatrixView::set_plan(const plan::RunPlan& plan) {
  model_->set_plan(plan);
}

void FilterMatrixView::set_told(const ToldRates& sent, const ToldRates& received) {
  model_->set_told(sent, received);
}

void FilterMatrixView::set_rates(std::vector<double> per_s) {
  model_->set_rates(std::move(per_s));
}

void FilterMatrixView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  legend_->follow();
}

QToolButton* FilterMatrixView::add_action(QLayout& row, const char* icon, const QString& name, const QString& tip) {
  auto* button = theme::icon_button(icon, name, tip, this);
  button->setText(name);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::StrongFocus);
  row.addWidget(button);
  return button;
}

QWidget* FilterMatrixView::build_actions() {
  auto* bar = new QWidget(this);
  auto* row = new theme::FlowLayout(bar);
  connect(add_action(*row, "select-all", "Select", "Ticks the selected cells, or all: these messages are delivered."),
          &QToolButton::clicked, this, [this] { apply([](uint32_t, uint32_t, bool) { return true; }); });
  connect(add_action(*row, "close", "Clear", "Clears the selected cells, or all: these messages are not delivered."),
          &QToolButton::clicked, this, [this] { apply([](uint32_t, uint32_t, bool) { return false; }); });
  connect(add_action(*row, "invert", "Invert", "Inverts the selected cells, or all."), &QToolButton::clicked, this,
          [this] { apply([](uint32_t, uint32_t, bool wanted) { return !wanted; }); });
  connect(
      add_action(*row, "pin", "Pin one-to-one", "Receiver 1 gets only sender 1, receiver 2 only sender 2, and so on."),
      &QToolButton::clicked, this,
      [this] { apply([](uint32_t receiver, uint32_t sender, bool) { return receiver == sender; }); });
  auto* everything = add_action(*row, "send", "All to all", "Every receiver gets the messages of every sender.");
  connect(everything, &QToolButton::clicked, this,
          [this] { draft_.edit_freely([](plan::FilterMatrix& matrix) { matrix.set_all(true); }); });
  build_zoom(*row);
  return bar;
}

void FilterMatrixView::build_zoom(QLayout& row) {
  const auto add = [&](const char* icon, const QString& name, const QString& tip, auto action) {
    auto* button = theme::icon_button(icon, name, tip, this);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, table_, action);
    row.addWidget(button);
  };
  add("zoom-out", "Smaller cells", "Makes the cells smaller (Ctrl+-).", [this] { table_->zoom(-1); });
  add("zoom", "Larger cells", "Makes the cells larger (Ctrl++).", [this] { table_->zoom(1); });
  add("zoom-reset", "Fit all cells", "Fits all cells into the view (Ctrl+0).", [this] { table_->fit(); });
}

QItemSelection FilterMatrixView::scope() const {
  if (table_->selected_cells() > 1) return table_->selectionModel()->selection();
  if (model_->rowCount() == 0 || model_->columnCount() == 0) return {};
  return {model_->index(0, 0), model_->index(model_->rowCount() - 1, model_->columnCount() - 1)};
}

void FilterMatrixView::apply(const Rule& rule) {
  draft_.edit_freely([&](plan::FilterMatrix& matrix) {
    for (const QItemSelectionRange& range : scope()) {
      for (int row = range.top(); row <= range.bottom(); row++) {
        for (int column = range.left(); column <= range.right(); column++) {
          const uint32_t receiver = number_of(row);
          const uint32_t sender = number_of(column);
          matrix.set(receiver, sender, rule(receiver, sender, matrix.wanted(receiver, sender)));
        }
      }
    }
  });
}

void FilterMatrixView::toggle(const QModelIndex& cell) {
  model_->setData(cell, model_->wanted(cell) ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

bool FilterMatrixView::all_wanted(const QItemSelection& cells) const {
  for (const QItemSelectionRange& range : cells) {
    for (int row = range.top(); row <= range.bottom(); row++) {
      for (int column = range.left(); column <= range.right(); column++) {
        if (!draft_.matrix().wanted(number_of(row), number_of(column))) return false;
      }
    }
  }
  return true;
}

// A block becomes all ticked, and all clear when it was that already.
void FilterMatrixView::toggle_selection() {
  if (table_->selected_cells() <= 1) {
    if (table_->currentIndex().isValid()) toggle(table_->currentIndex());
    return;
  }
  const bool on = !all_wanted(scope());
  apply([on](uint32_t, uint32_t, bool) { return on; });
}

void FilterMatrixView::say_where_we_are() {
  QString text;
  if (const QModelIndex cell = table_->currentIndex(); cell.isValid())
    text = model_->route_text(cell) + QStringLiteral(". ");
  if (const int64_t cells = table_->selected_cells(); cells > 1)
    text += QStringLiteral("%1 cells selected.").arg(qt(text::count(cells)));
  else if (text.isEmpty())
    text = QStringLiteral("Drag or Shift+arrow keys select a block.");
  where_->setText(text);
}

}  // namespace n2nq::ui

#include "moc_filter_matrix_view.cpp"
