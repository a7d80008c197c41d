// A FilterDraft as a table: a row for each receiver, a column for each sender, a cell that is ticked or not. UI thread.
#pragma once

#include <QAbstractTableModel>

#include "ui/services/filter_draft.h"

namespace n2nq::ui {

class MatrixModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit MatrixModel(FilterDraft& draft, QObject* parent = nullptr);

  bool wanted(const QModelIndex& index) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void follow();

  FilterDraft& draft_;
  int rows_;
  int columns_;
};

}  // namespace n2nq::ui
