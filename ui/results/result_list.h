// The list of results with its filter: sorted, filtered, or a text that says what to do where there is none. UI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "ui/results/result_model.h"

class QComboBox;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace n2nq::ui::theme {
class Label;
class TableView;
}  // namespace n2nq::ui::theme

namespace n2nq::ui {

class ResultFilter;

class ResultList : public QWidget {
  Q_OBJECT

 public:
  explicit ResultList(QWidget* parent = nullptr);

  // Where the current one is gone, the one that took its place is chosen.
  void set_listing(store::ResultListing listing);
  std::optional<int64_t> current() const;
  std::vector<int64_t> selection() const;  // the current one alone where none is selected
  const store::ResultRow* row_of(int64_t id) const;
  // Clears the filter where that hides it; false: it is not among the results.
  bool select(int64_t id);
  void select_nothing();
  int64_t newest() const;           // the largest number; 0: there is none
  bool is_at_newest() const;        // it alone is selected
  bool select_newest();             // false: the filter does not let it through; it comes in sight
  QString selected_as_tsv() const;  // with a header
  void change(int64_t id, const std::function<void(store::ResultRow&)>& by);  // of one that is in the list
  // There is nothing to list, not even what this version cannot show.
  bool is_empty() const { return model_->rows().empty() && unknown_ == 0; }
  const ResultModel& model() const { return *model_; }

 Q_SIGNALS:
  void current_changed();
  void selection_changed();
  void delete_wanted();
  void open_wanted();
  void star_wanted(const std::vector<int64_t>& results);
  void compare_wanted();
  void menu_wanted(const QPoint& global);
  void import_wanted();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void on_filter();
  void choose(const QModelIndex& row);
  void build_filter();
  void build_rows();
  void build_keys();
  void list_campaigns();
  void show_all();
  QString cell_of(const QModelIndex& at) const;
  void take_theme();
  void fit_columns();
  void fit_name();
  void say_what_is_shown();

  ResultModel* model_;
  ResultFilter* filter_;
  theme::TableView* rows_;
  QToolButton* starred_;
  QComboBox* campaigns_;
  QLineEdit* edit_;
  theme::Label* shown_;
  QPushButton* import_;
  uint64_t unknown_ = 0;  // results that this version cannot show
};

}  // namespace n2nq::ui
