// A FilterDraft as a table: a row for each receiver, a column for each sender, a cell that is ticked or not. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <vector>

#include "app/plan/pair_load.h"
#include "app/text/quantity.h"
#include "ui/services/filter_draft.h"
#include "ui/services/told_figures.h"

namespace n2nq::ui {

class MatrixModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kRateRole = Qt::UserRole;  // of a header in a run: what its service told, or "–"

  explicit MatrixModel(FilterDraft& draft, QObject* parent = nullptr);

  bool wanted(const QModelIndex& index) const;

  // How much goes along a route, as this plan has it with these filters; without a plan nobody knows.
  void set_plan(const plan::RunPlan& plan);
  void set_rates(std::vector<double> per_s);  // of the senders in a run; none: there is no run
  // The same, and what receivers got: nobody tells it by sender, so it stands at the two ends of a route.
  void set_told(const ToldRates& sent, const ToldRates& received);
  QString rate_room(Qt::Orientation of) const { return QString(longest_[of], u'8'); }  // in a header; empty: no run
  const plan::PairLoad& loads() const;  // counted again after a change, when somebody asks
  std::optional<double> load(const QModelIndex& index) const;
  QString route_text(const QModelIndex& index) const;  // "r1 receives messages from s3, 45 messages/s"
  double heat(double load) const;                      // 0 to 1 between the least and the largest
  QString load_text(double load) const;                // "100", as its cell shows it
  QString load_source() const;                         // "by the plan"
  QString load_unit() const;                           // "messages/s"

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 Q_SIGNALS:
  void rate_room_changed();

 private:
  void follow();
  QString rate_text(Role role, uint32_t service) const;
  void renew_loads();
  text::Scale load_scale() const;

  FilterDraft& draft_;
  plan::SenderPlan senders_plan_{};
  plan::Mode mode_ = plan::Mode::broadcaster;
  bool planned_ = false;
  std::vector<double> rates_;
  ToldRates sent_, received_;
  text::Scale rate_scale_;
  QMap<Qt::Orientation, qsizetype> longest_;  // of the rates in a header, in this run
  mutable std::optional<plan::PairLoad> loads_;
  int rows_;
  int columns_;
};

}  // namespace n2nq::ui
