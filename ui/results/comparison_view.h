// Runs beside each other: which is on which side, what can be said of them, and their pictures. UI thread; histograms
// are loaded on another.
#pragma once

#include <QWidget>
#include <vector>

#include "app/compare/figures.h"
#include "app/compare/side.h"
#include "app/results/store.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;

namespace n2nq::charts {
class FigureView;
}

namespace n2nq::results {

class ComparisonTools;
class RunLoader;
class TextTable;

class ComparisonView : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonView(ResultStore& store, QWidget* parent = nullptr);
  ~ComparisonView() override;

  void compare(const std::vector<int64_t>& results);

 Q_SIGNALS:
  void back();
  void trouble(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* build_top();
  QWidget* build_runs();
  QWidget* build_pictures();
  void take_runs(std::vector<RunRecord> runs);
  // Keeps the sides as they were, and says why, where that cannot be.
  void assign(const compare::Assignment& assignment);
  void put_selected(int choice);
  void swap_sides();
  void show_all();
  void show_statement();
  void show_runs();
  void show_side_choices();
  void show_picture();
  void draw_picture();
  bool has_focus() const;
  QStringList left_out_texts() const;
  void show_figures();
  charts::FigureView& view_at(size_t number);
  const compare::Metric& metric() const;

  ResultStore& store_;
  RunLoader* loader_;
  std::vector<RunRecord> runs_;
  compare::Assignment by_plan_;  // without a side: beyond the most
  compare::Assignment assignment_;
  std::vector<compare::Side> sides_;
  QLabel* title_;
  QComboBox* metric_;
  QPushButton* swap_;
  QLabel* statement_;
  QLabel* remarks_;
  TextTable* table_;
  QComboBox* put_;
  QTabBar* tabs_;
  ComparisonTools* tools_;
  QStackedWidget* pages_;
  QWidget* panels_;
  QGridLayout* grid_;
  std::vector<charts::FigureView*> views_;
  TextTable* figures_;
};

}  // namespace n2nq::results
