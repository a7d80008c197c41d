#include "ui/run/limits_field.h"

#include <QPushButton>

#include "ui/run/limits_editor.h"
#include "ui/run/plan_line_edit.h"
#include "ui/run/plan_text.h"

namespace n2nq::ui {

LimitsField::LimitsField(plan::PlanEditor& editor, QWidget* parent)
    : PlanLine({.key = "limits",
                .name = tr("Limits"),
                .help = help_of("limits"),
                .empty = tr("none, or p99 <= 5 ms; lost <= 0"),
                .open = tr("Edit…"),
                .open_name = tr("Edit limits"),
                .open_help = tr("Opens the limits one by one.")},
               parent),
      text_(new PlanText(&edit(), editor, binding_of("limits"), tr("limits"))),
      limits_(new LimitsEditor(editor, this)) {
  connect(&opener(), &QPushButton::clicked, this, [this] { open_editor(opener()); });
  connect(text_, &PlanText::trouble_changed, this, [this] { set_trouble(text_->trouble()); });
}

void LimitsField::show_plan(const plan::RunPlan& plan) {
  text_->show_plan(plan);
}

void LimitsField::set_locked(const QString& reason) {
  PlanLine::set_locked(reason);
  limits_->set_locked(reason);
}

void LimitsField::open_editor(const QWidget& anchor, const std::string& metric) {
  limits_->open(anchor, metric);
}

}  // namespace n2nq::ui

#include "moc_limits_field.cpp"
