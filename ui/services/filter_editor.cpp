#include "ui/services/filter_editor.h"

#include <QLabel>
#include <QTabBar>
#include <QTabWidget>
#include <QVBoxLayout>

#include "app/text/quantity.h"
#include "ui/services/filter_draft.h"
#include "ui/services/filter_list.h"
#include "ui/services/filter_matrix_view.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;

int64_t pairs_wanted(const plan::FilterMatrix& matrix) {
  int64_t wanted = 0;
  for (uint32_t receiver = 1; receiver <= matrix.receivers(); receiver++) {
    for (uint32_t sender = 1; sender <= matrix.senders(); sender++) wanted += matrix.wanted(receiver, sender) ? 1 : 0;
  }
  return wanted;
}

}  // namespace

FilterEditor::FilterEditor(QWidget* parent)
    : QWidget(parent), draft_(new FilterDraft(this)), tabs_(new QTabWidget(this)), sum_(new QLabel(this)) {
  setWindowTitle(QStringLiteral("Who gets whose messages"));
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(QStringLiteral("Filters as text or as a matrix"));
  tabs_->tabBar()->setAccessibleName(QStringLiteral("Filters as text or as a matrix tabs"));
  tabs_->addTab(new FilterList(*draft_, tabs_), QStringLiteral("Text"));
  tabs_->addTab(new FilterMatrixView(*draft_, tabs_), QStringLiteral("Matrix"));
  tabs_->setTabToolTip(0, QStringLiteral("Rules for receivers, with ranges of sizes and message numbers."));
  tabs_->setTabToolTip(1, QStringLiteral("A cell for each sender and receiver."));
  sum_->setAccessibleName(QStringLiteral("Sum of the filters"));
  sum_->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(tabs_, 1);
  column->addWidget(sum_);
  connect(draft_, &FilterDraft::changed, this, &FilterEditor::say_sum);
  connect(draft_, &FilterDraft::edited, this, &FilterEditor::edited);
  say_sum();
}

void FilterEditor::set_size(uint32_t senders, uint32_t receivers) {
  draft_->set_size(senders, receivers);
}

void FilterEditor::set_filters(const std::vector<plan::ReceiverFilter>& filters) {
  draft_->set_filters(filters);
}

const std::vector<plan::ReceiverFilter>& FilterEditor::filters() const {
  return draft_->filters();
}

void FilterEditor::undo() {
  draft_->undo();
}

void FilterEditor::redo() {
  draft_->redo();
}

void FilterEditor::show_text() {
  tabs_->setCurrentIndex(0);
}

void FilterEditor::show_matrix() {
  tabs_->setCurrentIndex(1);
}

void FilterEditor::say_sum() {
  const plan::FilterMatrix& matrix = draft_->matrix();
  const int64_t all = int64_t{matrix.senders()} * matrix.receivers();
  sum_->setText(QStringLiteral("%1 senders to %2 receivers: %3 of %4 routes selected.")
                    .arg(qt(text::count(matrix.senders())), qt(text::count(matrix.receivers())),
                         qt(text::count(pairs_wanted(matrix))), qt(text::count(all))));
}

}  // namespace n2nq::ui

#include "moc_filter_editor.cpp"
