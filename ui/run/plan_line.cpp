#include "ui/run/plan_line.h"

#include <QLabel>
#include <QPushButton>
#include <utility>

#include "ui/run/plan_line_edit.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrong_field.h"

namespace n2nq::ui {

PlanLine::PlanLine(Words words, QWidget* parent)
    : QWidget(parent),
      words_(std::move(words)),
      edit_(new PlanLineEdit(this)),
      opener_(new QPushButton(words_.open, this)) {
  auto* label = new QLabel(words_.name, this);
  label->setBuddy(edit_);
  label->setToolTip(words_.help);
  edit_->setAccessibleName(words_.name);
  edit_->setPlaceholderText(words_.empty);
  opener_->setAccessibleName(words_.open_name);
  opener_->setToolTip(words_.open_help);
  opener_->setAutoDefault(false);
  auto* row = theme::row_in(this, theme::kSpace2);
  row->addWidget(label);
  row->addWidget(edit_, 1);
  row->addWidget(opener_);
  say();
}

void PlanLine::show_problem(const QString& problem) {
  problem_ = problem;
  say();
}

void PlanLine::set_locked(const QString& reason) {
  edit_->setEnabled(reason.isEmpty());
  locked_ = reason;
  say();
}

std::optional<plan::PlanProblem> PlanLine::trouble() const {
  if (trouble_.isEmpty()) return std::nullopt;
  return plan::PlanProblem{.key = words_.key, .text = trouble_.toStdString()};
}

void PlanLine::set_trouble(const QString& trouble) {
  if (trouble == trouble_) return;
  trouble_ = trouble;
  say();
  Q_EMIT trouble_changed();
}

void PlanLine::say() {
  const QString before = std::exchange(wrong_, trouble_.isEmpty() ? problem_ : trouble_);
  theme::say_wrong(*edit_, wrong_, locked_, words_.help);
  if (wrong_ != before) Q_EMIT wrong_changed();
}

}  // namespace n2nq::ui

#include "moc_plan_line.cpp"
