#include "ui/run/limits_editor.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/run/limit_line.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kLimitsWidth = 560;
constexpr const char* kUsualMetric = "p99";

}  // namespace

LimitsEditor::LimitsEditor(plan::PlanEditor& editor, QWidget* parent)
    : Popover(
          tr("Limits"),
          tr("Judged once a second during the run, after warm-up. A figure that exceeds its limit turns red; the run's "
             "log and the result say when it did."),
          parent),
      editor_(editor),
      add_(new QPushButton(theme::icon("add"), tr("Add limit"), this)) {
  setMinimumWidth(kLimitsWidth);
  add_->setAccessibleName(tr("Add plan limit"));
  add_->setToolTip(tr("Adds a limit for another figure."));
  add_->setAutoDefault(false);
  connect(add_, &QPushButton::clicked, this, [this] {
    add(nullptr, kUsualMetric).focus_value();
    fit();
  });
  body().addWidget(add_, 0, Qt::AlignLeft);
  connect(&editor_, &plan::PlanEditor::changed, this, [this] {
    if (isVisible() && editor_.plan().limits != taken_) load();
  });
}

LimitsEditor::~LimitsEditor() = default;

LimitLine& LimitsEditor::add(const plan::RunLimit* limit, const std::string& metric) {
  auto& line = *lines_.emplace_back(std::make_unique<LimitLine>(static_cast<int>(lines_.size()) + 1, metric, this));
  if (limit != nullptr) line.show_limit(*limit);
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

void LimitsEditor::load() {
  lines_.clear();
  taken_ = editor_.plan().limits;
  for (const plan::RunLimit& limit : taken_) add(&limit, limit.metric);
  fit();
}

// Those that are whole; the others say what is wrong.
std::vector<plan::RunLimit> LimitsEditor::read() {
  std::vector<plan::RunLimit> limits;
  for (const auto& line : lines_) {
    line->show_trouble({});
    if (line->is_empty()) continue;
    const auto limit = line->limit();
    if (limit) limits.push_back(*limit);
    if (limit && plan::limit_given_twice(limits)) {
      limits.pop_back();
      line->show_trouble(tr("There is already such a limit for this figure."));
    }
    if (!limit) line->show_trouble(QString::fromStdString(limit.error().text));
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
      std::ranges::find_if(lines_, [&metric](const auto& line) { return line->metric_name() == metric; });
  LimitLine* line = found != lines_.end() ? found->get() : nullptr;
  if (line == nullptr && !locked_ && (!metric.empty() || lines_.empty()))
    line = &add(nullptr, metric.empty() ? kUsualMetric : metric);
  open_beside(anchor);
  if (line != nullptr) line->focus_value();
}

void LimitsEditor::set_locked(const QString& reason) {
  Popover::set_locked(reason);
  locked_ = !reason.isEmpty();
  add_->setEnabled(!locked_);
  for (const auto& line : lines_) line->setEnabled(!locked_);
}

}  // namespace n2nq::ui

#include "moc_limits_editor.cpp"
