// The list of results as a table. A later list is merged into it, so that selection and place stay. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "ui/results/result_columns.h"
#include "ui/theme/theme.h"

namespace n2nq::results {

class ResultModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kIdRole = Qt::UserRole;
  static constexpr int kSortRole = Qt::UserRole + 1;   // a number, or text in lower case
  static constexpr int kWordsRole = Qt::UserRole + 2;  // what a filter looks through, of any column

  using QAbstractTableModel::QAbstractTableModel;

  // In the store's order: what two lists both have stands in the same order in both.
  void set_rows(std::vector<ResultRow> rows);
  const std::vector<ResultRow>& rows() const { return rows_; }
  const ResultRow& row_at(int row) const { return rows_[static_cast<size_t>(row)]; }
  std::optional<int> row_of(int64_t id) const;
  QString largest_text(int column) const;  // of the largest number in it; empty for other columns

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void drop_missing(const std::vector<ResultRow>& later);
  void insert_new(const std::vector<ResultRow>& later);
  QVariant sort_value(const ColumnSpec& spec, const ResultRow& row) const;
  QString spoken(const ColumnSpec& spec, const ResultRow& row) const;
  QString tip(const ColumnSpec& spec, const ResultRow& row) const;
  QString words(const ResultRow& row) const;

  std::vector<ResultRow> rows_;
  ColumnScales scales_;
};

}  // namespace n2nq::results
