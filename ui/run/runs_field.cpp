#include "ui/run/runs_field.h"

#include <QPushButton>
#include <utility>

#include "ui/run/plan_line_edit.h"
#include "ui/run/runs_editor.h"

namespace n2nq::ui {

RunsField::RunsField(plan::PlanEditor& editor, QWidget* parent)
    : PlanLine({.key = "runs",
                .name = tr("Runs"),
                .help = tr("Several runs in a row: the settings in which each differs, separated by |; empty means one "
                           "run."),
                .empty = tr("one run, or pick what differs"),
                .open = tr("Vary…"),
                .open_name = tr("Vary settings"),
                .open_help = tr("Opens the settings in which the runs differ, by their names.")},
               parent),
      editor_(editor),
      runs_(new RunsEditor(editor, this)) {
  connect(&opener(), &QPushButton::clicked, this, [this] { runs_->open(opener()); });
  connect(&edit(), &QLineEdit::textEdited, this, &RunsField::take);
  connect(&edit(), &PlanLineEdit::discarded, this, &RunsField::discard);
}

void RunsField::discard() {
  hold({});
  edit().setText(shown_);
}

void RunsField::show_file(const plan::PlanFile& file) {
  const QString text = QString::fromStdString(plan::to_text(file.runs));
  if (text == shown_) return;
  shown_ = text;
  // What is typed is not tidied under the cursor.
  const auto typed = plan::parse_runs(edit().text().toStdString(), file.base);
  if (!typed || *typed != file.runs) edit().setText(text);
  hold({});
}

void RunsField::set_locked(const QString& reason) {
  PlanLine::set_locked(reason);
  runs_->set_locked(reason);
}

void RunsField::take(const QString& text) {
  auto runs = plan::parse_runs(text.toStdString(), editor_.plan());
  if (!runs) {
    hold(QString::fromStdString(runs.error().text));
    return editor_.hold_text(this, "runs", [this] { discard(); });
  }
  hold({});
  if (*runs == editor_.file().runs) return;
  editor_.edit("runs", [&](plan::PlanFile& file) { file.runs = std::move(*runs); });
}

void RunsField::hold(const QString& trouble) {
  edit().set_discardable(!trouble.isEmpty());
  if (trouble.isEmpty()) editor_.let_go_of_text(this);
  set_trouble(trouble);
}

}  // namespace n2nq::ui

#include "moc_runs_field.cpp"
