// The list of campaigns: the draft first, then all that were started, newest first. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <QTableView>
#include <optional>
#include <vector>

#include "ui/theme/theme.h"

namespace n2nq::campaigns {

struct ListRow {
  std::optional<int64_t> id{};  // nothing: the draft
  QString name{};
  std::optional<theme::Status> status{};
  QString state{};    // "running"
  QString runs{};     // "7 of 42"
  QString started{};  // its date
  QString end{};      // how it ended
  bool operator==(const ListRow&) const = default;
};

class ListModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { number, name, state, runs, started, end, columns };

  using QAbstractTableModel::QAbstractTableModel;

  void set_rows(std::vector<ListRow> rows);
  const std::vector<ListRow>& rows() const { return rows_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  static QString text(const ListRow& row, int column);
  std::vector<ListRow> rows_;
};

class CampaignList : public QTableView {
  Q_OBJECT

 public:
  explicit CampaignList(QWidget* parent = nullptr);

  // The chosen one stays chosen; where it has gone, the one that took its place is.
  void show_rows(std::vector<ListRow> rows);
  void choose(std::optional<int64_t> id);  // where it is in the list
  const ListRow* current() const;          // null: the list is empty

 Q_SIGNALS:
  void chosen();  // another row
  void delete_wanted();
  void menu_wanted(const QPoint& global);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void take_theme();
  void fit_columns();

  ListModel* model_;
};

}  // namespace n2nq::campaigns
