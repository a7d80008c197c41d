#include "ui/run/limit_line.h"

#include <QComboBox>
#include <QToolButton>
#include <algorithm>

#include "app/figures/metric.h"
#include "app/plan/exact_text.h"
#include "ui/run/plan_line_edit.h"
#include "ui/theme/buttons.h"
#include "ui/theme/layouts.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

constexpr int kValueCharacters = 10;
// As people look for them.
constexpr plan::Relation kShownRelations[] = {plan::Relation::at_most, plan::Relation::at_least, plan::Relation::below,
                                              plan::Relation::above, plan::Relation::equal};

struct LineWords {
  const char *which, *metric, *metric_tip, *relation, *relation_tip, *remove_tip;
};
constexpr LineWords kOfPlan{"Plan limit %1",
                            "%1 figure",
                            "The figure that is judged once a second, after warm-up.",
                            "%1 side",
                            "Whether the figure may not rise above, or not fall below, the value.",
                            "Removes the limit from the plan."};
constexpr LineWords kOfSearch{"Limit %1",
                              "%1 metric",
                              "The figure of each run that the limit applies to.",
                              "%1 comparison",
                              "How the figure must compare with the value: <= at most, >= at least.",
                              "Removes the limit from the search. Can be undone."};

QString capital(QString text) {
  text.front() = text.front().toUpper();
  return text;
}

void choose(QComboBox& combo, const std::string& word) {
  const QString data = theme::qt(word);
  if (combo.findData(data) < 0) combo.addItem(data.isEmpty() ? QStringLiteral("?") : data, data);
  combo.setCurrentIndex(combo.findData(data));
}

std::string chosen(const QComboBox& combo) {
  return theme::utf8(combo.currentData().toString());
}

}  // namespace

LimitLine::LimitLine(plan::LimitUse use, int number, QWidget* parent)
    : QWidget(parent),
      metric_(new QComboBox(this)),
      relation_(new QComboBox(this)),
      // An edit of a search is undone by its page.
      value_(use == plan::LimitUse::plan ? new QLineEdit(this) : new PlanLineEdit(this)),
      action_(new QComboBox(this)),
      remove_(new QToolButton(this)) {
  const bool of_plan = use == plan::LimitUse::plan;
  note_ = of_plan ? new theme::StatusLabel(this, theme::TextSize::caption) : new theme::StatusLabel(parent);
  const LineWords& words = of_plan ? kOfPlan : kOfSearch;
  const QString which = tr(words.which).arg(number);
  add_choices(use);
  metric_->setAccessibleName(tr(words.metric).arg(which));
  relation_->setAccessibleName(tr(words.relation).arg(which));
  value_->setAccessibleName(tr("%1 value").arg(which));
  action_->setAccessibleName(tr("%1 action").arg(which));
  remove_->setAccessibleName(tr("Remove %1").arg(which.toLower()));
  note_->set_name(tr("%1 note").arg(which));
  metric_->setToolTip(tr(words.metric_tip));
  relation_->setToolTip(tr(words.relation_tip));
  action_->setToolTip(
      tr("What a run does that exceeds the limit. Where it stops, the senders send no more, and messages in flight are "
         "still delivered."));
  remove_->setToolTip(tr(words.remove_tip));
  remove_->setIcon(theme::icon("remove"));
  remove_->setFocusPolicy(Qt::TabFocus);
  theme::make_flat(*remove_);
  value_->setMinimumWidth(kValueCharacters * fontMetrics().averageCharWidth());
  auto* row = theme::inner_row(theme::kSpace2);
  row->addWidget(metric_, 2);
  row->addWidget(relation_);
  row->addWidget(value_, 1);
  row->addWidget(action_);
  row->addWidget(remove_);
  auto* column = theme::column_in(this, theme::kSpace1);
  column->addLayout(row);
  action_->setVisible(of_plan);
  if (of_plan) {
    column->addWidget(note_);
    // What is wrong comes and goes while one types: nothing below it moves.
    QSizePolicy keeps_room = note_->sizePolicy();
    keeps_room.setRetainSizeWhenHidden(true);
    note_->setSizePolicy(keeps_room);
    show_problem({});
  }
  connect(metric_, &QComboBox::activated, this, [this] {
    say_form();
    Q_EMIT edited();
  });
  connect(relation_, &QComboBox::activated, this, &LimitLine::edited);
  connect(value_, &QLineEdit::textEdited, this, &LimitLine::edited);
  connect(action_, &QComboBox::activated, this, &LimitLine::edited);
  connect(remove_, &QToolButton::clicked, this, &LimitLine::removed);
  say_form();
}

void LimitLine::Discard::operator()(LimitLine* line) const {
  for (QWidget* widget : {static_cast<QWidget*>(line->note_), static_cast<QWidget*>(line)}) {
    widget->hide();
    widget->deleteLater();
  }
}

void LimitLine::add_choices(plan::LimitUse use) {
  const bool of_plan = use == plan::LimitUse::plan;
  for (const plan::LimitMetric& one : plan::kLimitMetrics) {
    if (!plan::takes(use, one)) continue;
    metric_->addItem(of_plan ? capital(theme::qt(one.label)) : theme::qt(one.name), theme::qt(one.name));
    if (!of_plan)
      metric_->setItemData(metric_->count() - 1, theme::qt(figures::find_metric(one.name)->label), Qt::ToolTipRole);
  }
  for (const plan::Relation relation : kShownRelations) {
    if (!plan::takes(use, relation)) continue;
    const QString sign = theme::qt(to_text(relation));
    relation_->addItem(!of_plan ? sign : relation == plan::Relation::at_most ? tr("at most") : tr("at least"), sign);
  }
  action_->addItem(tr("Run fails"), static_cast<int>(plan::LimitAction::fails));
  action_->addItem(tr("Run fails and stops"), static_cast<int>(plan::LimitAction::stops));
  action_->addItem(tr("Only a warning"), static_cast<int>(plan::LimitAction::warns));
}

void LimitLine::say_form() {
  const auto found = std::ranges::find(plan::kLimitMetrics, chosen(*metric_), &plan::LimitMetric::name);
  const plan::LimitMetric& metric = found == plan::kLimitMetrics.end() ? plan::kLimitMetrics.front() : *found;
  value_->setPlaceholderText(theme::qt(plan::told(plan::limit_value_example(metric))));
  value_->setToolTip(capital(theme::qt(plan::told(plan::limit_value_form(metric)))) + ".");
}

void LimitLine::show_limit(const Texts& limit) {
  choose(*metric_, limit.metric);
  choose(*relation_, limit.relation);
  if (const QString value = theme::qt(limit.value); value_->text() != value) value_->setText(value);
  action_->setCurrentIndex(action_->findData(static_cast<int>(limit.action)));
  say_form();
}

LimitLine::Texts LimitLine::limit() const {
  return {.metric = chosen(*metric_),
          .relation = chosen(*relation_),
          .value = theme::utf8(value_->text()),
          .action = static_cast<plan::LimitAction>(action_->currentData().toInt())};
}

void LimitLine::show_problem(const QString& text) {
  note_->show_text(theme::Status::bad, text.isEmpty() ? QString(QChar::Nbsp) : text.toHtmlEscaped());
  note_->setVisible(!text.isEmpty());
}

void LimitLine::show_help(const QString& needs) {
  const figures::Metric* metric = figures::find_metric(chosen(*metric_));
  const QString label = metric == nullptr ? QString() : theme::qt(metric->label);
  note_->show_plain(needs.isEmpty() ? label : tr("value missing (%1)").arg(needs));
}

void LimitLine::focus_value() {
  value_->setFocus(Qt::OtherFocusReason);
  value_->selectAll();
}

}  // namespace n2nq::ui

#include "moc_limit_line.cpp"
