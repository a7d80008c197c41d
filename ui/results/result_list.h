// The list of results with its filter: sorted, filtered, or a text that says what to do where there is none. UI thread.
#pragma once

#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/results/result_model.h"

class QLabel;
class QLineEdit;

namespace n2nq::results {

// Of the words of a filter each must be in the row.
class ResultFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void set_words(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QStringList words_;
};

// The rows: its keys, and what it says while it is empty.
class ResultRows : public QTableView {
  Q_OBJECT

 public:
  explicit ResultRows(QWidget* parent = nullptr);
  void set_empty_text(const QString& text);

 Q_SIGNALS:
  void delete_wanted();
  void open_wanted();  // Enter, or a double click
  void copy_wanted();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString empty_text_;
};

class ResultList : public QWidget {
  Q_OBJECT

 public:
  explicit ResultList(QWidget* parent = nullptr);

  // Where the current one is gone, the one that took its place is chosen.
  void set_listing(ResultListing listing);
  std::optional<int64_t> current() const;
  std::vector<int64_t> selection() const;  // the current one alone where none is selected
  const ResultRow* row_of(int64_t id) const;
  // Clears the filter where that hides it; false: it is not among the results.
  bool select(int64_t id);
  void select_nothing();
  QString selected_as_tsv() const;  // with a header

 Q_SIGNALS:
  void current_changed();
  void delete_wanted();
  void open_wanted();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void choose(const QModelIndex& row);
  void build_filter();
  void build_rows();
  void take_theme();
  void fit_columns();
  void say_what_is_shown();

  ResultModel* model_;
  ResultFilter* filter_;
  ResultRows* rows_;
  QLineEdit* edit_;
  QLabel* shown_;
  uint64_t unknown_ = 0;  // results that this version cannot show
};

}  // namespace n2nq::results
