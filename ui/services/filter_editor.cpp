#include "ui/services/filter_editor.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

#include "app/text/quantity.h"
#include "ui/services/filter_draft.h"
#include "ui/services/filter_list.h"
#include "ui/services/filter_matrix_view.h"
#include "ui/services/filter_summary.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"
#include "ui/theme/undo_keys.h"

namespace n2nq::ui {
namespace {

using theme::qt;

int64_t pairs_wanted(const plan::FilterMatrix& matrix) {
  int64_t wanted = 0;
  for (uint32_t receiver = 1; receiver <= matrix.receivers(); receiver++) {
    for (uint32_t sender = 1; sender <= matrix.senders(); sender++) wanted += matrix.wanted(receiver, sender) ? 1 : 0;
  }
  return wanted;
}

}  // namespace

FilterEditor::FilterEditor(FilterDraft& draft, QWidget* parent)
    : theme::Card(parent),
      draft_(draft),
      tabs_(new QTabWidget(this)),
      list_(new FilterList(draft)),
      matrix_(new FilterMatrixView(draft)),
      revert_(new QPushButton(theme::icon("revert"), QStringLiteral("Revert"))),
      sum_(new theme::Label({}, theme::TextSize::body, theme::Tone::muted, this)),
      state_(new theme::Label({}, theme::TextSize::body, theme::Tone::plain, this)) {
  build_tabs();
  sum_->setAccessibleName(QStringLiteral("Sum of the filters"));
  sum_->setWordWrap(true);
  state_->setAccessibleName(QStringLiteral("Filters state"));
  state_->setWordWrap(true);
  state_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* below = theme::inner_row(theme::kSpace4);
  below->addWidget(sum_, 3);
  below->addWidget(state_, 2);
  body()->setSpacing(0);
  body()->addWidget(tabs_, 1);
  body()->addLayout(below);
  auto* escape = new QShortcut(Qt::Key_Escape, this);
  escape->setContext(Qt::WidgetWithChildrenShortcut);
  connect(escape, &QShortcut::activated, this, &FilterEditor::closed);
  connect(&draft, &FilterDraft::changed, this, &FilterEditor::say_sum);
  for (const auto changed : {&FilterDraft::changed, &FilterDraft::asked_changed})
    connect(&draft, changed, this, &FilterEditor::say_state);
  say_sum();
  say_state();
}

void FilterEditor::build_tabs() {
  tabs_->setDocumentMode(true);
  theme::make_tabs_flat(*tabs_->tabBar());
  tabs_->setAccessibleName(QStringLiteral("Filters as text or as a matrix"));
  tabs_->tabBar()->setAccessibleName(QStringLiteral("Filters as text or as a matrix tabs"));
  tabs_->addTab(list_, QStringLiteral("Text"));
  tabs_->addTab(matrix_, QStringLiteral("Matrix"));
  tabs_->setTabToolTip(0, QStringLiteral("Rules for receivers, with ranges of sizes and message numbers."));
  tabs_->setTabToolTip(1, QStringLiteral("A cell for each sender and receiver."));
  theme::make_flat(*revert_);
  revert_->setAccessibleName(QStringLiteral("Revert filters"));
  revert_->setToolTip(QStringLiteral("Reverts the filters to those in use by the receivers."));
  auto* corner = new QWidget;
  auto* close = theme::icon_button("close", "Close filters",
                                   "Keeps the filters as edited; Make request sends them (Esc).", corner);
  auto* row = theme::row_in(corner, theme::kSpace1);
  row->addWidget(revert_);
  row->addWidget(close);
  tabs_->setCornerWidget(corner);
  setFocusProxy(close);
  connect(revert_, &QPushButton::clicked, &draft_, &FilterDraft::revert);
  connect(close, &QToolButton::clicked, this, &FilterEditor::closed);
}

void FilterEditor::set_plan(const plan::RunPlan& plan) {
  matrix_->set_plan(plan);
}

void FilterEditor::show_rates(const ToldRates& sent, const ToldRates& received) {
  if (!isVisible() && !sent.empty()) return;
  list_->set_received(received);
  matrix_->set_told(sent, received);
}

void FilterEditor::say_sum() {
  const plan::FilterMatrix& matrix = draft_.matrix();
  const int64_t all = int64_t{matrix.senders()} * matrix.receivers();
  const QString unheard = FilterSummary::unheard_text(matrix);
  sum_->setText(QStringLiteral("%1 senders to %2 receivers: %3 of %4 routes selected.")
                    .arg(qt(text::count(matrix.senders())), qt(text::count(matrix.receivers())),
                         qt(text::count(pairs_wanted(matrix))), qt(text::count(all))) +
                (unheard.isEmpty() ? QString() : u' ' + unheard));
}

void FilterEditor::say_state() {
  const bool unsent = draft_.unsent();
  revert_->setEnabled(unsent);
  state_->setText(unsent ? QStringLiteral("Not sent yet.") : QStringLiteral("The receivers use these filters."));
}

bool FilterEditor::event(QEvent* event) {
  return theme::claims(*event, theme::is_undo_or_redo) || theme::Card::event(event);
}

void FilterEditor::keyPressEvent(QKeyEvent* event) {
  if (theme::is_undo(*event))
    draft_.undo();
  else if (theme::is_redo(*event))
    draft_.redo();
  else
    theme::Card::keyPressEvent(event);
}

}  // namespace n2nq::ui

#include "moc_filter_editor.cpp"
