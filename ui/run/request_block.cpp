#include "ui/run/request_block.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/theme/theme.h"

namespace n2nq::ui {

RequestBlock::RequestBlock(FilterDraft& draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      summary_(new FilterSummary(draft, this)),
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
  connect(&draft_, &FilterDraft::changed, this, &RequestBlock::show_state);
  connect(&draft_, &FilterDraft::asked_changed, this, &RequestBlock::show_state);
  show_state();
}

void RequestBlock::build_buttons() {
  revert_->setAccessibleName(tr("Revert filters"));
  revert_->setToolTip(tr("Reverts the filters to those in use by the receivers."));
  make_->setAccessibleName(tr("Make request"));
  connect(summary_, &FilterSummary::edit_requested, this, &RequestBlock::edit);
  connect(make_, &QPushButton::clicked, this, &RequestBlock::make_request);
  connect(revert_, &QPushButton::clicked, this, [this] { draft_.revert(); });
}

void RequestBlock::set_running(bool running) {
  if (running == running_) return;
  running_ = running;
  show_state();
}

void RequestBlock::show_state() {
  const bool unsent = draft_.unsent();
  unsent_->setVisible(unsent);
  revert_->setVisible(unsent);
  make_->setEnabled(unsent);
  make_->setToolTip(running_ ? tr("Receivers use these filters from now on (Ctrl+R).")
                             : tr("Receivers will use these filters (Ctrl+R)."));
}

}  // namespace n2nq::ui

#include "moc_request_block.cpp"
