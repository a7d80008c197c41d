// The list of campaigns: the draft first, then all that were started, newest first. UI thread.
#pragma once

#include <optional>
#include <vector>

#include "ui/theme/column_model.h"

namespace n2nq::ui {

struct ListRow {
  std::optional<int64_t> id{};  // nothing: the draft
  QString name{};
  std::optional<theme::Status> status{};
  QString state{};                // "running"
  QString runs{};                 // "7 of 42"
  std::optional<double> share{};  // of the runs, those that are completed
  QString started{};              // its date
  QString end{};                  // how it ended
  bool operator==(const ListRow&) const = default;
};

class ListModel : public theme::ColumnModel {
  Q_OBJECT

 public:
  enum Column { number, name, state, runs, started, end, columns };

  explicit ListModel(QObject* parent = nullptr);

  void set_rows(std::vector<ListRow> rows);
  const std::vector<ListRow>& rows() const { return rows_; }

  QVariant data(const QModelIndex& index, int role) const override;

 protected:
  size_t rows_there() const override { return rows_.size(); }
  QString text(size_t row, int column) const override;

 private:
  std::vector<ListRow> rows_;
};

class CampaignList : public theme::TableView {
  Q_OBJECT

 public:
  explicit CampaignList(QWidget* parent = nullptr);

  // The chosen one stays chosen; where it has gone, the one that took its place is.
  void show_rows(std::vector<ListRow> rows);
  void choose(std::optional<int64_t> id);  // where it is in the list
  const ListRow* current() const;          // null: the list is empty

 Q_SIGNALS:
  void chosen();  // another row

 private:
  ListModel* model_;
};

}  // namespace n2nq::ui
