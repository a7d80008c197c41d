#include "ui/services/filter_draft.h"

#include <utility>

namespace n2nq::ui {
namespace {

constexpr size_t kMostSteps = 100;

}  // namespace

FilterDraft::FilterDraft(QObject* parent) : QObject(parent), history_(kMostSteps), matrix_(0, 0) {}

void FilterDraft::set_size(uint32_t senders, uint32_t receivers) {
  if (senders == matrix_.senders() && receivers == matrix_.receivers()) return;
  matrix_ = plan::FilterMatrix::from(filters(), senders, receivers);
  Q_EMIT changed();
}

void FilterDraft::set_filters(const std::vector<plan::ReceiverFilter>& filters) {
  if (filters == this->filters()) return;
  history_ = History(kMostSteps, filters);
  matrix_ = plan::FilterMatrix::from(filters, senders(), receivers());
  Q_EMIT changed();
}

void FilterDraft::set_asked(const std::vector<plan::ReceiverFilter>& asked) {
  if (asked != asked_) set_asked(asked, asked);
}

void FilterDraft::set_asked(const std::vector<plan::ReceiverFilter>& asked,
                            const std::vector<plan::ReceiverFilter>& draft) {
  const bool other = asked != asked_;
  asked_ = asked;
  set_filters(draft);
  if (other) Q_EMIT asked_changed();
}

void FilterDraft::revert() {
  set_filters(asked_);
  Q_EMIT reverted();
}

Result<void> FilterDraft::edit(const std::function<Result<void>(plan::FilterMatrix&)>& change) {
  plan::FilterMatrix after = matrix_;
  if (auto done = change(after); !done) return done;
  if (after == matrix_) return {};
  matrix_ = std::move(after);
  history_.add(matrix_.filters(), {});
  Q_EMIT changed();
  Q_EMIT edited();
  return {};
}

void FilterDraft::undo() {
  if (history_.before() == nullptr) return;
  history_.undo();
  show_step();
}

void FilterDraft::redo() {
  if (history_.after() == nullptr) return;
  history_.redo();
  show_step();
}

void FilterDraft::show_step() {
  matrix_ = plan::FilterMatrix::from(filters(), senders(), receivers());
  Q_EMIT changed();
  Q_EMIT edited();
}

void FilterDraft::edit_freely(const std::function<void(plan::FilterMatrix&)>& change) {
  (void)edit([&change](plan::FilterMatrix& matrix) -> Result<void> {
    change(matrix);
    return {};
  });
}

}  // namespace n2nq::ui

#include "moc_filter_draft.cpp"
