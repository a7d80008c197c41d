#include "ui/run/request_block.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace n2nq::ui {
RequestBlock::RequestBlock(QWidget* parent)
    : QWidget(parent),
      summary_(new FilterSummary(this)),
      unsent_(new QLabel(tr("not sent"), this)),
      revert_(new QPushButton(theme::icon("revert"), tr("Revert"), this)),
      make_(new QPushButton(theme::icon("send"), tr("Make request"), this)) {
  unsent_->setAccessibleName(tr("Request state"));
  QFont bold = unsent_->font();
  bold.setBold(true);
  unsent_->setFont(bold);
  auto* state = new QHBoxLayout;
  state->addWidget(unsent_);
  state->addStretch(1);
  state->addWidget(revert_);
  state->addWidget(make_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(theme::kGrid / 2);
  layout->addWidget(summary_);
  layout->addLayout(state);
  setFocusProxy(make_);
  build_buttons();
  show_draft();
}

void RequestBlock::build_buttons() {
  revert_->setAccessibleName(tr("Revert filters"));
  revert_->setToolTip(tr("Reverts the filters to those in use by the receivers."));
  make_->setAccessibleName(tr("Make request"));
  connect(summary_, &FilterSummary::edit_requested, this, &RequestBlock::edit);
  connect(make_, &QPushButton::clicked, this, &RequestBlock::make_request);
  connect(revert_, &QPushButton::clicked, this, &RequestBlock::revert);
}

void RequestBlock::revert() {
  set_draft(asked_);
  Q_EMIT reverted();
}

void RequestBlock::show_asked(const std::vector<plan::ReceiverFilter>& filters) {
  if (filters != asked_) show_asked(filters, filters);
}

void RequestBlock::show_asked(const std::vector<plan::ReceiverFilter>& filters,
                              const std::vector<plan::ReceiverFilter>& draft) {
  if (filters == asked_ && draft == draft_) return;
  asked_ = filters;
  set_draft(draft);
}

void RequestBlock::set_draft(std::vector<plan::ReceiverFilter> draft) {
  draft_ = std::move(draft);
  show_draft();
  Q_EMIT draft_changed();
}

void RequestBlock::set_running(bool running) {
  if (running == running_) return;
  running_ = running;
  show_draft();
}

void RequestBlock::show_draft() {
  summary_->set_filters(draft_);
  unsent_->setVisible(unsent());
  revert_->setVisible(unsent());
  make_->setEnabled(unsent());
  make_->setToolTip(running_ ? tr("Receivers use these filters from now on (Ctrl+R).")
                             : tr("Receivers will use these filters (Ctrl+R)."));
}

}  // namespace n2nq::ui

#include "moc_request_block.cpp"
