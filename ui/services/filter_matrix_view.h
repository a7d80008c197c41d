// Who gets whose messages as a matrix to tick: receivers down, senders across. What the buttons do they do to the
// selected cells, or to all while at most one is selected. UI thread.
#pragma once

#include <QItemSelection>
#include <QWidget>
#include <functional>

#include "ui/services/filter_draft.h"

class QLabel;
class QLayout;
class QToolButton;

namespace n2nq::ui {

class HeatLegend;
class MatrixModel;
class MatrixTable;

class FilterMatrixView : public QWidget {
  Q_OBJECT

 public:
  explicit FilterMatrixView(FilterDraft& draft, QWidget* parent = nullptr);

  MatrixTable& table() { return *table_; }
  void set_rates(std::vector<double> per_s);  // see MatrixModel
  void set_told(const ToldRates& sent, const ToldRates& received);
  void set_plan(const plan::RunPlan& plan);  // whose messages the colours speak of

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  // What becomes of a cell: by its numbers, and whether it is ticked now.
  using Rule = std::function<bool(uint32_t receiver, uint32_t sender, bool wanted)>;
  QWidget* build_actions();
  void build_zoom(QLayout& row);
  QToolButton* add_action(QLayout& row, const char* icon, const QString& name, const QString& tip);
  void apply(const Rule& rule);
  void toggle(const QModelIndex& cell);
  void toggle_selection();
  QItemSelection scope() const;
  bool all_wanted(const QItemSelection& cells) const;
  void say_where_we_are();

  FilterDraft& draft_;
  MatrixModel* model_;
  MatrixTable* table_;
  HeatLegend* legend_;
  QLabel* where_;
};

}  // namespace n2nq::ui
