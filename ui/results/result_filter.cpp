#include "ui/results/result_filter.h"

#include <utility>

namespace n2nq::ui {

ResultFilter::ResultFilter(ResultModel* model, QObject* parent) : QSortFilterProxyModel(parent), model_(model) {
  setSourceModel(model);
}

void ResultFilter::set_words(const QString& text) {
  store::ResultSearch search(text);
  if (search == search_) return;
  search_ = std::move(search);
  invalidateRowsFilter();
}

void ResultFilter::set_starred_only(bool only) {
  if (only == starred_only_) return;
  starred_only_ = only;
  invalidateRowsFilter();
}

void ResultFilter::set_campaign(std::optional<int64_t> id) {
  if (id == campaign_) return;
  campaign_ = id;
  invalidateRowsFilter();
}

bool ResultFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const store::ResultRow& of = model_->row_at(row);
  if (starred_only_ && !of.starred) return false;
  if (campaign_ && (of.campaign ? of.campaign->campaign : 0) != *campaign_) return false;
  return search_.empty() || search_.finds(of, model_->words_of(row));
}

bool ResultFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const ResultColumn column = result_columns()[static_cast<size_t>(left.column())].column;
  return before(column, model_->row_at(left.row()), model_->row_at(right.row()));
}

}  // namespace n2nq::ui

#include "moc_result_filter.cpp"
