// The services of a role as a table that pulls: it keeps no figures, only which service is in which row. One look
// (refresh) is one dataChanged, and texts are made for the cells that somebody paints. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ui/services/service_columns.h"
#include "ui/services/service_filter.h"
#include "ui/services/stand_out.h"
#include "ui/services/steady_scale.h"
#include "ui/services/trend_ring.h"

namespace n2nq::ui {

// Asked again at each look and for each cell, so that a session may go away between two of them.
using FiguresSource = std::function<std::span<const live::ServiceFigures>()>;

class ServiceModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  // Name and state: the live::ServiceState; trouble: whether there is any; what may be the slowest: whether it is; else
  // nothing.
  static constexpr int kMarkRole = Qt::UserRole;

  ServiceModel(Role role, FiguresSource source, QObject* parent = nullptr);

  Role role() const { return role_; }
  const ColumnSpec& spec(int column) const { return columns_[static_cast<size_t>(column)]; }
  int column_of(Column column) const;  // -1: not one of this role
  const live::ServiceFigures* figures_at(int row) const;
  std::optional<int> row_of(uint32_t number) const;

  // One look, at this time of any steady clock: trends take a point of it once a second, and who is slowest is found
  // then.
  void refresh(int64_t now_ns = 0);
  // While nobody sees the rows: only trends go on, so that they have no gap when they are seen.
  void pass_by(int64_t now_ns);
  bool trends_due(int64_t now_ns) const { return over_ == Over::last_look && trends_.due(now_ns); }
  // The next look is the first one at other figures: nothing of those before it holds.
  void start_anew();
  // What the figures of the source are taken over, as headers and tips say it.
  void set_over(Over over);
  // Says that percentiles are from the actual send: figures beside it are from the intended one. Whether that is new.
  bool set_actual(bool said);
  std::string unit_line(int column) const;  // beneath the header of one that has a scale: "[ms]"
  Over over() const { return over_; }
  // Rows in the order, and through the filter, of the figures as they are now. Sorting keeps a selection; where the
  // filter now shows other services it is a reset.
  void rearrange();
  void sort(int column, Qt::SortOrder order) override;
  void set_filter(ServiceFilter filter);
  bool arrangement_changes() const;  // whether rearrange() can come out differently from look to look

  size_t services() const { return services_; }  // with those that the filter hides
  size_t gone() const { return gone_; }
  // What a row did in the last minute, of figures that are sampled: none of a result that was only read.
  bool has_trends() const { return over_ == Over::last_look || !trends_.empty(); }
  std::vector<double> trend(int row) const;
  uint32_t trend_samples() const { return trends_.samples(); }
  const std::optional<Slowest>& slowest() const { return slowest_; }
  // The largest value of a column at any look so far, of its size.
  double largest(int column) const { return peaks_[static_cast<size_t>(column)]; }
  const text::Scale& scale(int column) const;  // of a column that has one
  bool negative(int column) const { return negative_[static_cast<size_t>(column)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  struct Counters {
    uint64_t data_calls = 0;
    uint64_t data_changed = 0;
    uint64_t arranged = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  void look(std::span<const live::ServiceFigures> figures);
  void forget_extents();
  void look_once_a_second(std::span<const live::ServiceFigures> figures, int64_t now_ns);
  bool is_slowest(const ColumnSpec& spec, const live::ServiceFigures& figures) const;
  QString trend_text(const live::ServiceFigures& figures) const;
  // What a column has, of its size: the largest, and the nearest to zero that is not zero.
  struct Extent {
    double largest = 0;
    double least = 0;
    void take(double value);
  };
  Extent extent_of_its_unit(const ColumnSpec& spec, const std::array<Extent, kColumns>& extents) const;
  std::vector<uint32_t> arranged(std::span<const live::ServiceFigures> figures) const;
  void reset_rows(std::vector<uint32_t> rows);
  void reorder_rows(std::vector<uint32_t> rows);
  QString text_of(const ColumnSpec& spec, int column, const live::ServiceFigures& figures) const;
  QString spoken(const ColumnSpec& spec, int column, const live::ServiceFigures& figures) const;
  QString tip(const ColumnSpec& spec, const live::ServiceFigures& figures) const;
  QVariant mark(const ColumnSpec& spec, const live::ServiceFigures& figures) const;

  Role role_;
  FiguresSource source_;
  std::span<const ColumnSpec> columns_;
  std::vector<uint32_t> rows_;  // index into the figures
  size_t services_ = 0;
  size_t gone_ = 0;
  bool anew_ = false;
  Over over_ = Over::last_look;
  bool says_actual_ = false;
  int sort_column_ = 1;
  Qt::SortOrder sort_order_ = Qt::AscendingOrder;
  ServiceFilter filter_;
  TrendRing trends_;
  std::optional<Slowest> slowest_;
  int64_t compared_ns_ = 0;          // when the slowest was looked for
  bool compare_ = true;              // again at the next look, whenever that is
  std::vector<SteadyScale> scales_;  // of each column; unused where its kind has none
  std::array<double, kColumns> peaks_{};
  std::array<bool, kColumns> negative_{};
  mutable Counters counters_;
};

}  // namespace n2nq::ui
