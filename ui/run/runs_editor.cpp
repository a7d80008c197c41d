#include "ui/run/runs_editor.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/plan/plan_fields.h"
#include "app/plan/plan_limits.h"
#include "ui/run/field_names.h"
#include "ui/run/vary_line.h"
#include "ui/theme/buttons.h"
#include "ui/theme/label.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

constexpr int kRunsWidth = 620;

// The settings in which any of the runs differs, in the order of the plan.
std::vector<std::string> varied_keys(const std::vector<plan::Overrides>& runs) {
  std::vector<std::string> keys;
  for (const plan::PlanField& field : plan::settable_fields())
    for (const plan::Overrides& run : runs)
      if (std::ranges::find(run, field.key, &plan::Override::key) != run.end() &&
          std::ranges::find(keys, field.key) == keys.end())
        keys.emplace_back(field.key);
  return keys;
}

bool sets_to_nothing(const std::vector<plan::Overrides>& runs, size_t i, const std::string& key) {
  return i < runs.size() && std::ranges::find(runs[i], plan::Override{.key = key, .value = {}}) != runs[i].end();
}

}  // namespace

RunsEditor::RunsEditor(plan::PlanEditor& editor, QWidget* parent)
    : theme::Popover(
          tr("Runs"),
          tr("Several runs in a row: the settings in which they differ, with the value in each run. The first values "
             "make the first run, the second ones the second; an empty value is that of the form."),
          parent),
      editor_(editor),
      add_(theme::push_button("add", tr("Add setting"), tr("Adds another setting in which the runs differ."), this,
                              tr("Add varied setting"))),
      said_(new theme::Label({}, theme::TextSize::caption, theme::Tone::muted, this)),
      trouble_(new theme::StatusLabel(this, theme::TextSize::caption)) {
  setMinimumWidth(kRunsWidth);
  said_->setAccessibleName(tr("Number of runs"));
  trouble_->set_name(tr("Runs note"));
  trouble_->hide();
  connect(add_, &QPushButton::clicked, this, [this] {
    add().focus_field();
    fit();
  });
  body().addWidget(trouble_);
  body().addWidget(said_);
  body().addWidget(add_, 0, Qt::AlignLeft);
  connect(&editor_, &plan::PlanEditor::changed, this, [this] {
    if (isVisible() && editor_.file().runs != taken_) load();
  });
}

RunsEditor::~RunsEditor() = default;

VaryLine& RunsEditor::add() {
  auto& line = *lines_.emplace_back(std::make_unique<VaryLine>(static_cast<int>(lines_.size()) + 1, this));
  line.setEnabled(!locked_);
  body().insertWidget(static_cast<int>(lines_.size()) - 1, &line);
  line.show();
  connect(&line, &VaryLine::edited, this, &RunsEditor::take);
  // It goes from within its own signal.
  connect(
      &line, &VaryLine::removed, this,
      [this, gone = &line] {
        std::erase_if(lines_, [gone](const auto& one) { return one.get() == gone; });
        take();
      },
      Qt::QueuedConnection);
  return line;
}

void RunsEditor::load() {
  lines_.clear();
  taken_ = editor_.file().runs;
  for (const std::string& key : varied_keys(taken_)) {
    std::vector<std::string> values;
    for (const plan::Overrides& run : taken_) {
      const auto change = std::ranges::find(run, key, &plan::Override::key);
      values.push_back(change == run.end() ? std::string() : change->value);
    }
    add().show_setting(key, values);
  }
  if (lines_.empty()) add();
  say(taken_);
}

Result<std::vector<plan::Overrides>> RunsEditor::read() const {
  size_t count = 0;
  for (const auto& line : lines_) count = std::max(count, line->values().size());
  if (count > plan::kMaxRuns) return fail("there are more than " + std::to_string(plan::kMaxRuns) + " runs");
  std::vector<plan::Overrides> runs(count);
  std::vector<std::string> keys;
  for (const auto& line : lines_) {
    const std::string key = line->key();
    const auto values = line->values();
    if (values.empty()) continue;
    const plan::PlanField* field = plan::find_field(key);
    if (field == nullptr)
      return fail(key.empty() ? "choose the setting that the values are for"
                              : "\"" + key + "\" is not a setting; did you mean " +
                                    theme::utf8(field_name(std::string(plan::nearest_key(key)))) + "?");
    if (std::ranges::find(keys, key) != keys.end()) return fail(theme::utf8(field_name(key)) + " is given twice");
    keys.push_back(key);
    for (size_t i = 0; i < values.size(); i++) {
      if (values[i].empty()) {
        // Set to nothing in a file, as it may be: it is not the value of the form.
        if (sets_to_nothing(taken_, i, key)) runs[i].push_back({.key = key, .value = {}});
        continue;
      }
      plan::RunPlan plan = editor_.plan();
      if (auto set = field->set(plan, nlohmann::json(values[i])); !set) return std::unexpected(set.error());
      runs[i].push_back({.key = key, .value = plan::given_text(*field, plan)});
    }
  }
  for (plan::Overrides& run : runs) plan::put_in_order(run);
  return runs;
}

void RunsEditor::take() {
  const auto runs = read();
  if (runs) {
    taken_ = *runs;
    if (taken_ != editor_.file().runs) editor_.edit("runs", [this](plan::PlanFile& file) { file.runs = taken_; });
  }
  say(runs);
}

void RunsEditor::say(const Result<std::vector<plan::Overrides>>& runs) {
  trouble_->show_text(theme::Status::bad, runs ? QString() : QString::fromStdString(runs.error().text).toHtmlEscaped());
  trouble_->setVisible(!runs);
  if (runs) said_->setText(runs->size() < 2 ? tr("One run") : tr("%1 runs").arg(runs->size()));
  fit();
}

void RunsEditor::open(const QWidget& anchor) {
  load();
  open_beside(anchor);
  lines_.front()->focus_field();
}

void RunsEditor::set_locked(const QString& reason) {
  theme::Popover::set_locked(reason);
  locked_ = !reason.isEmpty();
  add_->setEnabled(!locked_);
  for (const auto& line : lines_) line->setEnabled(!locked_);
}

}  // namespace n2nq::ui

#include "moc_runs_editor.cpp"
