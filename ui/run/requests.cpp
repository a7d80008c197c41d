#include "ui/run/requests.h"

namespace n2nq::ui {

Requests::Requests(plan::PlanEditor& editor, run::RunSequence& sequence, QObject* parent)
    : QObject(parent), editor_(editor), sequence_(sequence) {
  connect(&draft_, &FilterDraft::edited, this, [this] { editor_.set_draft(draft_.filters()); });
  connect(&draft_, &FilterDraft::reverted, this, [this] { editor_.set_draft(editor_.plan().queue.requests.filters); });
}

// A run of the plan may ask with filters of its own; the draft is of the plan's.
void Requests::show_plan(const plan::RunPlan& plan) {
  on_ = plan.queue.requests.on;
  const auto& asked = plan.queue.requests.filters;
  if (asked == editor_.plan().queue.requests.filters)
    draft_.set_asked(asked, editor_.draft().value_or(asked));
  else
    draft_.set_asked(asked);
}

void Requests::make() {
  if (!draft_.unsent() || !on_) return;
  const auto filters = draft_.filters();
  if (sequence_.active() && sequence_.session() != nullptr) sequence_.session()->make_request(filters);
  editor_.edit("filters", [&](plan::PlanFile& file) { file.base.queue.requests.filters = filters; });
  editor_.set_draft(filters);  // in the plan now, also where it was there already
  Q_EMIT made();
}

}  // namespace n2nq::ui

#include "moc_requests.cpp"
