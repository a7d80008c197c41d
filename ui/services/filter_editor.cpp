#include "ui/services/filter_editor.h"

#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/text/quantity.h"
#include "ui/services/filter_draft.h"
#include "ui/services/filter_list.h"
#include "ui/services/filter_matrix_view.h"
#include "ui/services/filter_summary.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/theme.h"

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
    : QWidget(parent),
      draft_(draft),
      matrix_(new FilterMatrixView(draft)),
      sum_(new theme::Label({}, theme::TextSize::body, theme::Tone::muted, this)) {
  auto* tabs = new QTabWidget(this);
  tabs->setDocumentMode(true);
  theme::make_tabs_flat(*tabs->tabBar());
  tabs->setAccessibleName(QStringLiteral("Filters as text or as a matrix"));
  tabs->tabBar()->setAccessibleName(QStringLiteral("Filters as text or as a matrix tabs"));
  tabs->addTab(new FilterList(draft, tabs), QStringLiteral("Text"));
  tabs->addTab(matrix_, QStringLiteral("Matrix"));
  tabs->setTabToolTip(0, QStringLiteral("Rules for receivers, with ranges of sizes and message numbers."));
  tabs->setTabToolTip(1, QStringLiteral("A cell for each sender and receiver."));
  sum_->setAccessibleName(QStringLiteral("Sum of the filters"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(tabs, 1);
  column->addWidget(sum_);
  connect(&draft, &FilterDraft::changed, this, &FilterEditor::say_sum);
  say_sum();
}

void FilterEditor::set_plan(const plan::RunPlan& plan) {
  matrix_->set_plan(plan);
}

void FilterEditor::set_rates(std::vector<double> per_s) {
  matrix_->set_rates(std::move(per_s));
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

}  // namespace n2nq::ui

#include "moc_filter_editor.cpp"
