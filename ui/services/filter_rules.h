// A FilterDraft as text: rules, each for one receiver or several that want the same. A receiver is in exactly one rule.
// What was typed wrongly stays in its field, with what is wrong about it, and out of the draft. UI thread.
#pragma once

#include <QAbstractTableModel>
#include <array>
#include <string>
#include <vector>

#include "ui/services/filter_draft.h"
#include "ui/services/told_figures.h"

namespace n2nq::ui {

class FilterRules : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Field { receivers, senders, size, index_range, kFields, rate = kFields };
  static constexpr int kWrongRole = Qt::UserRole;  // what is wrong with the field; empty: nothing

  explicit FilterRules(FilterDraft& draft, QObject* parent = nullptr);

  void set_one_row_each(bool on);
  void set_received(const ToldRates& received);  // the column `rate` has those of a rule together
  // A rule of its own for the first receiver of `row`'s; it can then be given others. Returns its row, -1: no room.
  int split(int row);
  bool can_remove(int row) const;  // not where its receivers want everything already
  void remove(int row);            // its receivers want everything again

  // "r3, senders: ..." of the first field that is wrong.
  QString first_wrong() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 Q_SIGNALS:
  void wrong_changed();

 private:
  struct Wrong {
    std::string typed;
    std::string error;
  };
  struct Rule {
    std::vector<uint32_t> receivers{};  // ascending, at least one
    std::string senders{};              // "all", "1-5,9", "none", "self"
    std::array<Wrong, kFields> wrong{};
  };
  void follow();
  QString rate_text(const Rule& rule) const;
  std::string senders_of(uint32_t receiver, bool by_number) const;
  std::vector<Rule> grouped() const;
  std::string field_text(const Rule& rule, Field field) const;
  std::string receivers_text(const std::vector<uint32_t>& numbers) const;
  Result<void> change(size_t rule, Field field, const std::string& text);
  Result<void> give_receivers(size_t rule, const std::string& text);
  Result<void> give_filter(size_t rule, Field field, const std::string& text);
  void take_from_others(size_t rule, const std::vector<uint32_t>& numbers);
  void leave_to_everything(std::vector<uint32_t> numbers);

  FilterDraft& draft_;
  ToldRates received_;
  std::vector<Rule> rules_;
  bool one_row_each_ = false;
  bool own_edit_ = false;
};

}  // namespace n2nq::ui
