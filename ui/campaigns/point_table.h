// The points of a campaign: the state of each repeat, and the figures so far. A click on a repeat opens its result. UI
// thread.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "app/campaign/point_rows.h"
#include "app/text/quantity.h"
#include "ui/theme/table_view.h"

namespace n2nq::ui {

struct CurrentRun {
  campaign::PlannedRun run{};
  uint32_t attempt = 1;
  bool operator==(const CurrentRun&) const = default;
};

class PointModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  // Then a column for each repeat, and `trimmed`, `p99` and, where the campaign shows it, `waiting` at the end.
  enum Column { number, label, state, first_repeat };
  static constexpr int kMostRepeatColumns = 20;

  using QAbstractTableModel::QAbstractTableModel;

  void set_points(std::vector<campaign::PointRow> rows, std::optional<CurrentRun> current);
  int64_t result_at(const QModelIndex& index) const;  // 0: none; of what is not a repeat, the point's last one
  bool is_repeat(int column) const { return column >= first_repeat && column < first_repeat + repeats_; }

  int figure_columns() const { return shows_waiting_ ? 3 : 2; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<text::Column> figures_of_rows() const;
  QString figure_header(int figure) const;
  QStringList figure_headers() const;
  const campaign::RepeatRow* repeat_at(const QModelIndex& index) const;
  bool is_current(const QModelIndex& index) const;
  bool is_doubtful(const QModelIndex& index) const;
  QString text(const QModelIndex& index) const;
  QString state_text(const campaign::PointRow& row) const;
  QString repeat_text(const QModelIndex& index) const;
  QString accessible_text(const QModelIndex& index) const;
  QString tip(const QModelIndex& index) const;
  QVariant icon(const QModelIndex& index) const;

  std::vector<campaign::PointRow> rows_;
  std::optional<CurrentRun> current_;
  int repeats_ = 0;
  bool shows_waiting_ = false;
  std::vector<text::Column> figures_;  // trimmed, p99, waiting: by row
};

class PointTable : public theme::TableView {
  Q_OBJECT

 public:
  explicit PointTable(QWidget* parent = nullptr);

  void show_points(std::vector<campaign::PointRow> rows, std::optional<CurrentRun> current);

 Q_SIGNALS:
  void open_result(qint64 id);

 protected:
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void open(const QModelIndex& index);
  Width width_of(int column) const;

  PointModel* model_;
};

}  // namespace n2nq::ui
