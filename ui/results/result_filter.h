// Which results are listed, and in which order. Looks at the rows themselves: ten thousand are sorted and searched
// between two key presses. UI thread.
#pragma once

#include <QSortFilterProxyModel>
#include <optional>

#include "app/store/result_search.h"
#include "ui/results/result_model.h"

namespace n2nq::ui {

class ResultFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  explicit ResultFilter(ResultModel* model, QObject* parent = nullptr);

  void set_words(const QString& text);  // see ResultSearch
  void set_starred_only(bool only);
  void set_campaign(std::optional<int64_t> id);  // 0: of none; nothing: whichever

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  ResultModel* model_;
  store::ResultSearch search_;
  bool starred_only_ = false;
  std::optional<int64_t> campaign_;
};

}  // namespace n2nq::ui
