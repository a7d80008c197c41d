#include "ui/run/limits_editor.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/plan/filter_text.h"
#include "ui/run/plan_binding.h"
#include "ui/theme/buttons.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kLimitsWidth = 620;
constexpr const char* kUsualMetric = "p99";

}  // namespace

LimitsEditor::LimitsEditor(plan::PlanEditor& editor, QWidget* parent)
    : theme::Popover(
          tr("Limits"),
          tr("Judged once a second during the run, after warm-up. A run that exceeds one has failed, unless that "
             "is only a warning; its log and its result say when it was."),
          parent),
      editor_(editor),
      add_(theme::push_button("add", tr("Add limit"), tr("Adds a limit for another figure."), this,
                              tr("Add plan limit"))) {
  setMinimumWidth(kLimitsWidth);
  connect(add_, &QPushButton::clicked, this, [this] {
    add_empty(kUsualMetric).focus_value();
    fit();
  });
  body().addWidget(add_, 0, Qt::AlignLeft);
  connect(&editor_, &plan::PlanEditor::changed, this, [this] {
    if (isVisible() && editor_.plan().limits != taken_) load();
  });
}

LimitsEditor::~LimitsEditor() = default;

LimitLine& LimitsEditor::add(const LimitLine::Texts& limit) {
  const int number = static_cast<int>(lines_.size()) + 1;
  auto& line = *lines_.emplace_back(std::make_unique<LimitLine>(plan::LimitUse::plan, number, this));
  line.show_limit(limit);
  line.setEnabled(!locked_);
  body().insertWidget(body().count() - 1, &line);
  line.show();
  connect(&line, &LimitLine::edited, this, &LimitsEditor::take);
  // It goes from within its own signal.
  connect(
      &line, &LimitLine::removed, this,
      [this, gone = &line] {
        std::erase_if(lines_, [gone](const auto& one) { return one.get() == gone; });
        take();
        fit();
      },
      Qt::QueuedConnection);
  return line;
}

LimitLine& LimitsEditor::add_empty(const std::string& metric) {
  const bool rate = plan::find_limit_metric(plan::LimitUse::plan, metric)->unit == plan::MetricUnit::rate;
  return add({.metric = metric, .relation = rate ? ">=" : "<="});
}

void LimitsEditor::load() {
  lines_.clear();
  taken_ = editor_.plan().limits;
  for (const plan::RunLimit& limit : taken_)
    add({.metric = limit.metric,
         .relation = limit.at_most ? "<=" : ">=",
         .value = theme::utf8(spaced(plan::value_text(limit))),
         .action = limit.action});
  fit();
}

// Those that are whole; the others say what is wrong.
std::vector<plan::RunLimit> LimitsEditor::read() {
  std::vector<plan::RunLimit> limits;
  for (const auto& line : lines_) {
    line->show_problem({});
    const LimitLine::Texts typed = line->limit();
    if (plan::trimmed(typed.value).empty()) continue;
    const auto* metric = plan::find_limit_metric(plan::LimitUse::plan, typed.metric);
    const auto value = plan::parse_limit_value(plan::LimitUse::plan, *metric, typed.value);
    if (!value) {
      line->show_problem(theme::qt(value.error().text));
      continue;
    }
    limits.push_back(
        {.metric = typed.metric, .at_most = typed.relation == "<=", .value = *value, .action = typed.action});
    if (!plan::limit_given_twice(limits)) continue;
    limits.pop_back();
    line->show_problem(tr("There is already such a limit for this figure."));
  }
  return limits;
}

void LimitsEditor::take() {
  taken_ = read();
  if (taken_ != editor_.plan().limits)
    editor_.edit("limits", [this](plan::PlanFile& file) { file.base.limits = taken_; });
  fit();
}

void LimitsEditor::open(const QWidget& anchor, const std::string& metric) {
  load();
  const auto found =
      std::ranges::find_if(lines_, [&metric](const auto& line) { return line->limit().metric == metric; });
  LimitLine* line = found != lines_.end() ? found->get() : nullptr;
  if (line == nullptr && !locked_ && (!metric.empty() || lines_.empty()))
    line = &add_empty(metric.empty() ? kUsualMetric : metric);
  open_beside(anchor);
  if (line != nullptr) line->focus_value();
}

void LimitsEditor::set_locked(const QString& reason) {
  theme::Popover::set_locked(reason);
  locked_ = !reason.isEmpty();
  add_->setEnabled(!locked_);
  for (const auto& line : lines_) line->setEnabled(!locked_);
}

}  // namespace n2nq::ui

#include "moc_limits_editor.cpp"
