// The table of a figure: every chart can also be read as figures. Keeps selection and place when the figure is replaced
// by a later one of the same columns. What is shown has its units; what is copied is exact, in base units. UI thread.
#pragma once

#include <QAbstractTableModel>

#include "app/figures/figure.h"

namespace n2nq::ui::charts {

class FigureTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  void set_figure(const figures::Figure& figure);
  QString tsv(const QModelIndexList& cells) const;  // with the header; all of it where no cell is given

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  figures::Figure figure_;
  figures::FigureTable table_;  // as shown
  bool words_first_ = false;    // the first column has words instead of figures
};

}  // namespace n2nq::ui::charts
