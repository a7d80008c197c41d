#include "ui/services/filter_draft.h"

#include <utility>

namespace n2nq::services {
namespace {

constexpr size_t kMostSteps = 100;

}  // namespace

FilterDraft::FilterDraft(QObject* parent) : QObject(parent), matrix_(0, 0) {}

void FilterDraft::set_size(uint32_t senders, uint32_t receivers) {
  if (senders == matrix_.senders() && receivers == matrix_.receivers()) return;
  matrix_ = plan::FilterMatrix::from(filters_, senders, receivers);
  Q_EMIT changed();
}

void FilterDraft::set_filters(const std::vector<plan::ReceiverFilter>& filters) {
  if (filters == filters_) return;
  filters_ = filters;
  done_.clear();
  undone_.clear();
  matrix_ = plan::FilterMatrix::from(filters_, senders(), receivers());
  Q_EMIT changed();
}

Result<void> FilterDraft::edit(const std::function<Result<void>(plan::FilterMatrix&)>& change) {
  plan::FilterMatrix after = matrix_;
  if (auto done = change(after); !done) return done;
  if (after == matrix_) return {};
  matrix_ = std::move(after);
  done_.push_back(std::exchange(filters_, matrix_.filters()));
  if (done_.size() > kMostSteps) done_.erase(done_.begin());
  undone_.clear();
  Q_EMIT changed();
  Q_EMIT edited();
  return {};
}

void FilterDraft::undo() {
  step(done_, undone_);
}

void FilterDraft::redo() {
  step(undone_, done_);
}

void FilterDraft::step(std::vector<Filters>& from, std::vector<Filters>& to) {
  if (from.empty()) return;
  to.push_back(std::exchange(filters_, std::move(from.back())));
  from.pop_back();
  matrix_ = plan::FilterMatrix::from(filters_, senders(), receivers());
  Q_EMIT changed();
  Q_EMIT edited();
}

void FilterDraft::edit_freely(const std::function<void(plan::FilterMatrix&)>& change) {
  (void)edit([&change](plan::FilterMatrix& matrix) -> Result<void> {
    change(matrix);
    return {};
  });
}

}  // namespace n2nq::services
