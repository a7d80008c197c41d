// The list of results as a table. A later list is merged into it, so that selection and place stay. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ui/results/result_columns.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

class ResultModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kIdRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  // In the store's order: what two lists both have stands in the same order in both.
  void set_rows(std::vector<store::ResultRow> rows);
  const std::vector<store::ResultRow>& rows() const { return rows_; }
  const store::ResultRow& row_at(int row) const { return rows_[static_cast<size_t>(row)]; }
  std::optional<int> row_of(int64_t id) const;
  // For one that is in the list: stars, tags, notes.
  void change(int64_t id, const std::function<void(store::ResultRow&)>& by);
  // What a filter looks through, in lower case; made once, when it is asked for first.
  const QString& words_of(int row) const;
  QString largest_text(
      int column) const;  // the largest number in it, or the longest of a few words; empty for other columns

  int64_t cells_made() const { return cells_made_; }  // texts, for whoever looked at one
  int64_t words_made() const { return words_made_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void drop_missing(const std::vector<store::ResultRow>& later);
  void insert_new(const std::vector<store::ResultRow>& later);
  QString spoken(const ResultColumnSpec& spec, const store::ResultRow& row) const;
  QString tip(const ResultColumnSpec& spec, const store::ResultRow& row) const;

  std::vector<store::ResultRow> rows_;
  ColumnScales scales_;
  mutable std::unordered_map<int64_t, QString> words_;  // by result, of those that were looked through
  mutable int64_t cells_made_ = 0;
  mutable int64_t words_made_ = 0;
};

}  // namespace n2nq::ui
