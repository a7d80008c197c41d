#include "ui/run/request_block.h"

#include "ui/theme/buttons.h"
#include "ui/theme/chip.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {

RequestBlock::RequestBlock(FilterDraft& draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      summary_(new FilterSummary(draft, this)),
      unsent_(new theme::Chip(this)),
      revert_(new QPushButton(theme::icon("revert"), tr("Revert"), this)) {
  unsent_->setAccessibleName(tr("Request state"));
  unsent_->show_text(theme::Tone::warning, tr("not sent"));
  unsent_->setToolTip(tr("The filters were edited, and the receivers do not use them yet."));
  theme::make_flat(*revert_);
  auto* state = theme::inner_row(theme::kSpace2);
  state->addWidget(new theme::Label(tr("Filters"), theme::TextSize::caption, theme::Tone::muted, this));
  state->addWidget(unsent_);
  state->addStretch(1);
  state->addWidget(revert_);
  auto* layout = theme::column_in(this, theme::kSpace1);
  layout->addLayout(state);
  layout->addWidget(summary_);
  setFocusProxy(summary_);
  revert_->setAccessibleName(tr("Revert filters"));
  revert_->setToolTip(tr("Reverts the filters to those in use by the receivers."));
  connect(summary_, &FilterSummary::edit_requested, this, &RequestBlock::edit);
  connect(revert_, &QPushButton::clicked, this, [this] { draft_.revert(); });
  connect(&draft_, &FilterDraft::changed, this, &RequestBlock::show_state);
  connect(&draft_, &FilterDraft::asked_changed, this, &RequestBlock::show_state);
  show_state();
}

void RequestBlock::set_open(bool open) {
  open_ = open;
  show_state();
}

void RequestBlock::show_state() {
  const bool unsent = draft_.unsent();
  unsent_->setVisible(unsent);
  revert_->setVisible(unsent && !open_);
}

}  // namespace n2nq::ui

#include "moc_request_block.cpp"
