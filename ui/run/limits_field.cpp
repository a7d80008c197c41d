#include "ui/run/limits_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <utility>

#include "ui/run/limits_editor.h"
#include "ui/run/plan_line_edit.h"
#include "ui/run/plan_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrong_field.h"

namespace n2nq::ui {

LimitsField::LimitsField(plan::PlanEditor& editor, QWidget* parent)
    : QWidget(parent),
      edit_(new PlanLineEdit(this)),
      open_(new QPushButton(tr("Edit…"), this)),
      text_(new PlanText(edit_, editor, binding_of("limits"), tr("limits"))),
      limits_(new LimitsEditor(editor, this)) {
  auto* label = new QLabel(tr("Limits"), this);
  label->setBuddy(edit_);
  label->setToolTip(help_of("limits"));
  edit_->setAccessibleName(tr("Limits"));
  edit_->setAccessibleDescription(help_of("limits"));
  edit_->setPlaceholderText(tr("none, or p99 <= 5 ms; lost <= 0"));
  open_->setAccessibleName(tr("Edit limits"));
  open_->setToolTip(tr("Opens the limits one by one."));
  open_->setAutoDefault(false);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::kSpace2);
  row->addWidget(label);
  row->addWidget(edit_, 1);
  row->addWidget(open_);
  set_locked({});
  connect(open_, &QPushButton::clicked, this, [this] { open_editor(*open_); });
  connect(text_, &PlanText::trouble_changed, this, [this] {
    say();
    Q_EMIT trouble_changed();
  });
}

void LimitsField::show_plan(const plan::RunPlan& plan) {
  text_->show_plan(plan);
}

void LimitsField::show_problem(const QString& problem) {
  problem_ = problem;
  say();
}

void LimitsField::say() {
  const QString before = std::exchange(wrong_, text_->trouble().isEmpty() ? problem_ : text_->trouble());
  theme::say_wrong(*edit_, wrong_, locked_, help_of("limits"));
  if (wrong_ != before) Q_EMIT wrong_changed();
}

void LimitsField::set_locked(const QString& reason) {
  edit_->setEnabled(reason.isEmpty());
  locked_ = reason;
  say();
  limits_->set_locked(reason);
}

std::optional<plan::PlanProblem> LimitsField::trouble() const {
  if (text_->trouble().isEmpty()) return std::nullopt;
  return plan::PlanProblem{.key = "limits", .text = text_->trouble().toStdString()};
}

void LimitsField::open_editor(const QWidget& anchor, const std::string& metric) {
  limits_->open(anchor, metric);
}

}  // namespace n2nq::ui

#include "moc_limits_field.cpp"
