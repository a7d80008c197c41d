#include "ui/run/runs_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <utility>

#include "ui/run/plan_line_edit.h"
#include "ui/run/runs_editor.h"
#include "ui/theme/theme.h"
#include "ui/theme/wrong_field.h"

namespace n2nq::ui {
namespace {

QString help() {
  return RunsField::tr(
      "Several runs in a row: the settings in which each differs, separated by |; empty means one run.");
}

}  // namespace

RunsField::RunsField(plan::PlanEditor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), edit_(new PlanLineEdit(this)), runs_(new RunsEditor(editor, this)) {
  auto* label = new QLabel(tr("Runs"), this);
  label->setBuddy(edit_);
  label->setToolTip(help());
  edit_->setAccessibleName(tr("Runs"));
  edit_->setAccessibleDescription(help());
  edit_->setToolTip(help());
  edit_->setPlaceholderText(tr("one run, or pick what differs"));
  auto* open = new QPushButton(tr("Vary…"), this);
  open->setAccessibleName(tr("Vary settings"));
  open->setToolTip(tr("Opens the settings in which the runs differ, by their names."));
  open->setAutoDefault(false);
  connect(open, &QPushButton::clicked, this, [this, open] { runs_->open(*open); });
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::kSpace2);
  row->addWidget(label);
  row->addWidget(edit_, 1);
  row->addWidget(open);
  connect(edit_, &QLineEdit::textEdited, this, &RunsField::take);
  connect(edit_, &PlanLineEdit::discarded, this, &RunsField::discard);
}

void RunsField::discard() {
  set_trouble({});
  edit_->setText(shown_);
}

void RunsField::show_file(const plan::PlanFile& file) {
  const QString text = QString::fromStdString(plan::to_text(file.runs));
  if (text == shown_) return;
  shown_ = text;
  // What is typed is not tidied under the cursor.
  const auto typed = plan::parse_runs(edit_->text().toStdString(), file.base);
  if (!typed || *typed != file.runs) edit_->setText(text);
  set_trouble({});
}

void RunsField::set_locked(const QString& reason) {
  edit_->setEnabled(reason.isEmpty());
  runs_->set_locked(reason);
  locked_ = reason;
  say();
}

std::optional<plan::PlanProblem> RunsField::trouble() const {
  if (trouble_.isEmpty()) return std::nullopt;
  return plan::PlanProblem{.key = "runs", .text = trouble_.toStdString()};
}

void RunsField::take(const QString& text) {
  auto runs = plan::parse_runs(text.toStdString(), editor_.plan());
  if (!runs) {
    set_trouble(QString::fromStdString(runs.error().text));
    return editor_.hold_text(this, "runs", [this] { discard(); });
  }
  set_trouble({});
  if (*runs == editor_.file().runs) return;
  editor_.edit("runs", [&](plan::PlanFile& file) { file.runs = std::move(*runs); });
}

void RunsField::set_trouble(const QString& trouble) {
  edit_->set_discardable(!trouble.isEmpty());
  if (trouble.isEmpty()) editor_.let_go_of_text(this);
  if (trouble == trouble_) return;
  trouble_ = trouble;
  say();
  Q_EMIT trouble_changed();
}

void RunsField::show_problem(const QString& problem) {
  problem_ = problem;
  say();
}

void RunsField::say() {
  const QString before = std::exchange(wrong_, trouble_.isEmpty() ? problem_ : trouble_);
  theme::say_wrong(*edit_, wrong_, locked_, help());
  if (wrong_ != before) Q_EMIT wrong_changed();
}

}  // namespace n2nq::ui

#include "moc_runs_field.cpp"
