#include "ui/run/filter_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include "ui/services/filter_draft.h"
#include "ui/services/filter_editor.h"
#include "ui/theme/theme.h"
#include "ui/theme/undo_keys.h"

namespace n2nq::ui {

FilterPage::FilterPage(FilterDraft& draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      back_(new QPushButton(theme::icon("left"), tr("Back to the run"), this)),
      state_(new QLabel(this)),
      revert_(new QPushButton(theme::icon("revert"), tr("Revert"), this)),
      make_(new QPushButton(theme::icon("send"), tr("Make request"), this)),
      editor_(new FilterEditor(draft, this)) {
  back_->setAccessibleName(tr("Back to the run"));
  back_->setToolTip(tr("Keeps the filters as edited; Make request sends them."));
  auto* escape = new QShortcut(Qt::Key_Escape, this);
  escape->setContext(Qt::WidgetWithChildrenShortcut);
  connect(escape, &QShortcut::activated, this, &FilterPage::done);
  connect(back_, &QPushButton::clicked, this, &FilterPage::done);
  auto* row = new QHBoxLayout;
  row->setSpacing(theme::kSpace2);
  row->addWidget(back_);
  row->addWidget(state_, 1);
  row->addWidget(revert_);
  row->addWidget(make_);
  revert_->setAccessibleName(tr("Revert filters"));
  revert_->setToolTip(tr("Reverts the filters to those in use by the receivers."));
  make_->setAccessibleName(tr("Make request"));
  make_->setToolTip(tr("Receivers use these filters from now on (Ctrl+R)."));
  connect(revert_, &QPushButton::clicked, this, [this] { draft_.revert(); });
  connect(make_, &QPushButton::clicked, this, &FilterPage::make_request);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(theme::kSpace3, 0, theme::kSpace3, theme::kSpace3);
  layout->setSpacing(theme::kSpace2);
  state_->setAccessibleName(tr("Filters state"));
  layout->addLayout(row);
  layout->addWidget(editor_, 1);
  setFocusProxy(back_);
  connect(&draft_, &FilterDraft::changed, this, &FilterPage::show_state);
  connect(&draft_, &FilterDraft::asked_changed, this, &FilterPage::show_state);
  show_state();
}

void FilterPage::show_plan(const plan::RunPlan& plan) {
  editor_->set_plan(plan);
}

void FilterPage::show_rates(const std::vector<double>& of_senders) {
  if (isVisible() || of_senders.empty()) editor_->set_rates(of_senders);
}

void FilterPage::show_state() {
  const bool unsent = draft_.unsent();
  revert_->setEnabled(unsent);
  make_->setEnabled(unsent);
  state_->setText(unsent ? tr("Not sent yet.") : tr("The receivers use these filters."));
}

bool FilterPage::event(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride || !theme::is_undo_or_redo(*static_cast<QKeyEvent*>(event)))
    return QWidget::event(event);
  event->accept();
  return true;
}

void FilterPage::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo(*event))
    draft_.undo();
  else if (theme::is_redo(*event))
    draft_.redo();
  else
    QWidget::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_filter_page.cpp"
