// The notes of a run as a list: when, how serious, what. Copyable; follows the newest while its end is in sight.
// UI thread.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "app/record/run_record.h"
#include "ui/theme/card.h"

namespace n2nq::ui::theme {
class TableView;
}

namespace n2nq::ui {

class NotesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { time, text, columns };
  using QAbstractTableModel::QAbstractTableModel;

  // Takes what is new at the end, or all of it where it is another list.
  void show_notes(const std::vector<record::RunNote>& notes);
  QString line(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<record::RunNote> notes_;
};

class RunLog : public theme::Card {
  Q_OBJECT

 public:
  explicit RunLog(QWidget* parent = nullptr);

  void show_notes(const std::vector<record::RunNote>& notes);
  void copy() const;  // the selected lines, or all

 Q_SIGNALS:
  void closed();

 private:
  QWidget* build_head();

  NotesModel* model_;
  theme::TableView* view_;
};

}  // namespace n2nq::ui
