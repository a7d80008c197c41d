#include "ui/run/limits_field.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "ui/run/limits_editor.h"
#include "ui/run/plan_line_edit.h"
#include "ui/run/plan_text.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {

LimitsField::LimitsField(plan::PlanEditor& editor, QWidget* parent)
    : QWidget(parent),
      edit_(new PlanLineEdit(this)),
      open_(new QPushButton(tr("Edit…"), this)),
      line_(new theme::StatusLabel(this, theme::TextSize::caption)),
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
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(theme::kSpace2);
  grid->setVerticalSpacing(theme::kSpace1);
  grid->addWidget(label, 0, 0);
  grid->addWidget(edit_, 0, 1);
  grid->addWidget(open_, 0, 2);
  grid->addWidget(line_, 1, 0, 1, 3);
  line_->hide();
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

void LimitsField::show_problems(const std::vector<plan::PlanProblem>& problems) {
  const auto found = std::ranges::find(problems, "limits", &plan::PlanProblem::key);
  problem_ = found == problems.end() ? QString() : QString::fromStdString(found->text);
  say();
}

void LimitsField::say() {
  const QString text = text_->trouble().isEmpty() ? problem_ : text_->trouble();
  line_->show_text(theme::Status::bad, text.toHtmlEscaped());
  line_->setVisible(!text.isEmpty());
}

void LimitsField::set_locked(const QString& reason) {
  edit_->setEnabled(reason.isEmpty());
  edit_->setToolTip(reason.isEmpty() ? help_of("limits") : reason + "\n" + help_of("limits"));
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
