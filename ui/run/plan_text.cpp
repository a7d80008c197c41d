#include "ui/run/plan_text.h"

#include "ui/run/plan_line_edit.h"

namespace n2nq::ui {

PlanText::PlanText(PlanLineEdit* edit, plan::PlanEditor& editor, PlanBinding binding, QString what)
    : QObject(edit), edit_(edit), editor_(editor), binding_(std::move(binding)), what_(std::move(what)) {
  connect(edit_, &QLineEdit::textEdited, this, &PlanText::take);
  connect(edit_, &QLineEdit::editingFinished, this, &PlanText::tidy);
  connect(edit_, &PlanLineEdit::discarded, this, &PlanText::discard);
}

void PlanText::discard() {
  set_trouble({});
  edit_->setText(shown_);
}

void PlanText::show_plan(const plan::RunPlan& plan) {
  const QString text = binding_.text(plan);
  // Unchanged: what stands there means just this, or is being mended.
  if (text == shown_) return;
  shown_ = text;
  edit_->setText(text);
  if (!edit_->hasFocus()) edit_->setCursorPosition(0);  // where it is too narrow, its beginning is in sight
  set_trouble({});
}

void PlanText::take(const QString& text) {
  plan::RunPlan plan = editor_.plan();
  if (const auto set = binding_.set(plan, text); !set) {
    set_trouble(QString::fromStdString(set.error().text));
    return editor_.hold_text(this, what_.toStdString(), [this] { discard(); });
  }
  set_trouble({});
  shown_ = binding_.text(plan);
  if (plan == editor_.plan()) return;
  editor_.edit(what_.toStdString(), [&plan](plan::PlanFile& file) { file.base = std::move(plan); });
}

// Nobody typed it: nothing to take back.
void PlanText::take_again() {
  take(edit_->text());
  editor_.let_go_of_text(this);
}

void PlanText::tidy() {
  if (trouble_.isEmpty() && edit_->text() != shown_) edit_->setText(shown_);
}

void PlanText::set_trouble(const QString& trouble) {
  edit_->set_discardable(!trouble.isEmpty());
  if (trouble.isEmpty()) editor_.let_go_of_text(this);
  if (trouble == trouble_) return;
  trouble_ = trouble;
  Q_EMIT trouble_changed();
}

}  // namespace n2nq::ui

#include "moc_plan_text.cpp"
