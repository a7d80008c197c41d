// The processes of a run: which there are, what each is doing, and its id. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "app/run/run_session.h"
#include "ui/theme/table_view.h"

namespace n2nq::ui {

class ProcessModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { name, place, state, pid, columns };
  using QAbstractTableModel::QAbstractTableModel;

  void show_processes(std::vector<run::ProcessStatus> processes);
  bool all_here() const;  // on this computer

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<run::ProcessStatus> processes_;
};

class ProcessList : public theme::TableView {
  Q_OBJECT

 public:
  explicit ProcessList(QWidget* parent = nullptr);

  void show_processes(std::vector<run::ProcessStatus> processes);

 private:
  ProcessModel* model_;
};

}  // namespace n2nq::ui
