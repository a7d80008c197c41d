#include "ui/campaigns/limit_row.h"

#include <QComboBox>
#include <QGridLayout>
#include <QToolButton>
#include <algorithm>

#include "app/compare/limit.h"
#include "ui/campaigns/form_parts.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;
using theme::qt;
using theme::utf8;

constexpr compare::Relation kRelations[] = {compare::Relation::at_most, compare::Relation::at_least,
                                            compare::Relation::below, compare::Relation::above,
                                            compare::Relation::equal};

// What a file has stays as it is, known or not.
void choose(QComboBox& combo, const QString& word) {
  if (combo.findData(word) < 0) combo.addItem(word.isEmpty() ? QStringLiteral("?") : word, word);
  combo.setCurrentIndex(combo.findData(word));
}

}  // namespace

LimitRow::LimitRow(int number, QGridLayout& grid, int row, QWidget* parent)
    : QObject(parent),
      number_(number),
      all_(new QWidget(parent)),
      metric_(new QComboBox(all_)),
      relation_(new QComboBox(all_)),
      value_(new PlanLineEdit(all_)),
      remove_(new QToolButton(all_)),
      note_(new theme::StatusLabel(parent)) {
  const QString which = tr("Limit %1").arg(number);
  for (const figures::Metric& metric : figures::metrics()) {
    metric_->addItem(qt(metric.name), qt(metric.name));
    metric_->setItemData(metric_->count() - 1, qt(metric.label), Qt::ToolTipRole);
  }
  for (const compare::Relation relation : kRelations)
    relation_->addItem(qt(compare::to_text(relation)), qt(compare::to_text(relation)));
  metric_->setAccessibleName(tr("%1 metric").arg(which));
  relation_->setAccessibleName(tr("%1 comparison").arg(which));
  value_->setAccessibleName(tr("%1 value").arg(which));
  metric_->setToolTip(tr("The figure of each run that the limit applies to."));
  relation_->setToolTip(tr("How the figure must compare with the value: <= at most, >= at least."));
  value_->setToolTip(tr("A duration such as 5ms for a latency, a number for everything else."));
  remove_->setIcon(theme::icon("remove"));
  remove_->setAutoRaise(true);
  remove_->setFocusPolicy(Qt::TabFocus);
  remove_->setAccessibleName(tr("Remove limit %1").arg(number));
  remove_->setToolTip(tr("Removes the limit from the search. Can be undone."));
  note_->set_name(tr("%1 note").arg(which));
  auto* fields = row_in(*all_);
  fields->addWidget(metric_, 3);
  fields->addWidget(relation_);
  fields->addWidget(value_, 2);
  fields->addWidget(remove_);
  grid.addWidget(all_, row, 1);
  grid.addWidget(note_, row, 2, Qt::AlignVCenter);
  connect(metric_, &QComboBox::activated, this, &LimitRow::say);
  connect(relation_, &QComboBox::activated, this, &LimitRow::say);
  connect(value_, &QLineEdit::textEdited, this, &LimitRow::say);
  connect(remove_, &QToolButton::clicked, this, &LimitRow::removed);
}

// They may be what has just been clicked.
LimitRow::~LimitRow() {
  for (QWidget* widget : {all_, static_cast<QWidget*>(note_)}) {
    widget->hide();
    widget->deleteLater();
  }
}

void LimitRow::show_form(const campaign::LimitForm& form) {
  choose(*metric_, qt(form.metric));
  choose(*relation_, qt(form.relation));
  set_text(*value_, qt(form.value));
  const figures::Metric* metric = figures::find_metric(form.metric);
  const bool latency = metric == nullptr || metric->quantity == figures::Quantity::duration_ns;
  value_->setPlaceholderText(latency ? tr("5 ms") : tr("0"));
}

void LimitRow::show_problem(const QString& problem) {
  note_->show_text(theme::Status::bad, problem.toHtmlEscaped());
}

void LimitRow::show_help(const QString& needs) {
  const auto* metric = figures::find_metric(utf8(metric_->currentData().toString()));
  const QString label = metric == nullptr ? QString() : qt(metric->label);
  note_->show_plain(needs.isEmpty() ? label : tr("value missing (%1)").arg(needs));
}

void LimitRow::focus_value() {
  value_->setFocus();
}

void LimitRow::say() {
  Q_EMIT edited(tr("limit %1").arg(number_), {.metric = utf8(metric_->currentData().toString()),
                                              .relation = utf8(relation_->currentData().toString()),
                                              .value = utf8(value_->text())});
}

}  // namespace n2nq::ui

#include "moc_limit_row.cpp"
