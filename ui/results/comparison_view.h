// Runs beside each other: which is on which side, what can be said of them, and their pictures. UI thread; runs are
// loaded and put on sides, and pictures made of them, on another, while what is shown stays.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "app/compare/figures.h"
#include "app/compare/side.h"
#include "app/plan/plan_file.h"
#include "app/store/store.h"
#include "app/threads/wish_thread.h"
#include "ui/results/comparison.h"

class QComboBox;
class QGridLayout;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QTimer;

namespace n2nq::logs {
struct SlowestWish;
}
namespace n2nq::ui::charts {
class FigureView;
class PictureTools;
}  // namespace n2nq::ui::charts

namespace n2nq::ui::theme {
class Label;
}

namespace n2nq::ui {

class SideFacts;
class SideTiles;
class TextTable;
class VerdictCard;

class ComparisonView : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonView(store::ResultStore& store, QWidget* parent = nullptr);
  ~ComparisonView() override;

  void compare(const std::vector<int64_t>& results);
  bool is_busy() const { return work_.is_busy(); }  // what is shown will change

 Q_SIGNALS:
  void back();
  void trouble(const QString& text);
  void slowest_wanted(const n2nq::logs::SlowestWish& wish);  // in the runs that are compared
  void report_wanted(const std::vector<int64_t>& results, const QString& name);
  void more_runs_wanted(const n2nq::plan::PlanFile& file, uint32_t repeats);  // of each side

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  enum Wish { for_sides, for_picture };
  QWidget* build_top();
  QWidget* build_left();
  QWidget* build_runs();
  QWidget* build_pictures();
  using Make = std::function<Result<SharedComparison>(const threads::WishThread::Wanted& wanted)>;
  void make(Make task, std::function<void(const Error& error)> refused);
  void take(SharedComparison comparison);
  // Keeps the sides as they were, and says why, where that cannot be.
  void assign(const compare::Assignment& assignment);
  void put_selected(int choice);
  void measure_against(int side);
  void want_more_runs();
  void show_more();
  bool is_by_plan() const;
  void show_all();
  void show_title();
  void show_statement();
  void show_runs();
  void show_side_choices();
  void show_picture();
  void draw_picture();
  void show_panels(const std::vector<figures::Figure>& panels);
  void keep_focus(const std::function<void()>& change);
  bool has_focus() const;
  QStringList left_out_texts() const;
  QString name() const;
  QString title() const;
  void show_figures();
  charts::FigureView& view_at(size_t number);
  void find_slowest_at(const figures::Figure& figure, double second);
  const figures::Metric& chosen_metric() const;

  store::ResultStore& store_;
  threads::WishThread work_;
  SharedComparison shown_ = std::make_shared<const ShownComparison>();  // always there
  compare::Assignment wanted_;                                          // what is shown, or will be
  QTimer* late_;                                                        // then it is said that a picture is being made
  theme::Label* title_;
  QComboBox* metric_;
  QComboBox* against_;
  QPushButton* report_;
  QPushButton* more_;
  VerdictCard* verdict_;
  SideTiles* tiles_;
  QTabBar* left_tabs_;
  SideFacts* facts_;
  TextTable* table_;
  QComboBox* put_;
  QTabBar* tabs_;
  charts::PictureTools* tools_;
  QStackedWidget* pages_;
  QWidget* panels_;
  QGridLayout* grid_;
  std::vector<charts::FigureView*> views_;
  TextTable* figures_;
};

}  // namespace n2nq::ui
