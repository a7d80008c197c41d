#include "ui/hosts/test_view.h"

#include <QGridLayout>

#include "app/text/quantity.h"
#include "ui/theme/chip.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui {
namespace {

using run::TestStep;
using theme::Label;
using theme::qt;
using theme::TextSize;
using theme::Tone;

constexpr int kLeastStepText = 120;

enum StepColumn { kStepMark, kStepName, kStepText, kStepDuration };

QString steps_with(const run::SteppedTest& test, TestStep::Mark mark) {
  QStringList names;
  for (const TestStep& step : test.steps())
    if (step.mark == mark) names += qt(step.name);
  return names.join(QStringLiteral(", "));
}

// What does not work is named, whatever else there is to say.
QString heading(const QString& name, const run::SteppedTest& test) {
  if (!test.over()) return TestView::tr("Test of %1").arg(name);
  const QString bad = steps_with(test, TestStep::Mark::bad);
  if (!bad.isEmpty()) return TestView::tr("Test of %1: failed: %2").arg(name, bad);
  const QString amiss = steps_with(test, TestStep::Mark::warning);
  if (!amiss.isEmpty()) return TestView::tr("Test of %1: passed with a warning: %2").arg(name, amiss);
  return TestView::tr("Test of %1: %2").arg(name, qt(run::to_text(test.mark())));
}

// In a word; empty where there is nothing to say yet.
std::pair<Tone, QString> word_of(TestStep::Mark mark) {
  switch (mark) {
    case TestStep::Mark::good:
      return {Tone::good, TestView::tr("works")};
    case TestStep::Mark::warning:
      return {Tone::warning, TestView::tr("warning")};
    case TestStep::Mark::bad:
      return {Tone::bad, TestView::tr("failed")};
    case TestStep::Mark::under_way:
      return {Tone::info, TestView::tr("testing")};
    case TestStep::Mark::waiting:
    case TestStep::Mark::not_tried:
      break;
  }
  return {};
}

}  // namespace

TestView::TestView(const QString& subject, const QString& state_help, QWidget* parent)
    : QWidget(parent),
      title_(new Label({}, TextSize::title, Tone::plain, this)),
      state_(new theme::Chip(this)),
      hint_(new Label({}, TextSize::body, Tone::muted, this)),
      grid_(new QGridLayout) {
  auto* head = theme::inner_row(theme::kSpace2);
  head->addWidget(title_, 1);
  head->addWidget(state_, 0, Qt::AlignTop);
  auto* column = theme::column_in(this, theme::kSpace3);
  column->addLayout(head);
  column->addWidget(hint_);
  column->addLayout(grid_);
  column->addStretch(1);
  grid_->setHorizontalSpacing(theme::kSpace3);
  grid_->setVerticalSpacing(theme::kSpace2);
  grid_->setColumnStretch(kStepText, 1);
  title_->setAccessibleName(tr("Test of the %1").arg(subject));
  title_->setWordWrap(true);
  title_->setMinimumWidth(kLeastStepText);
  hint_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  hint_->setWordWrap(true);
  state_->setAccessibleName(tr("State of the %1").arg(subject));
  state_->setToolTip(state_help);
}

void TestView::add_line() {
  const int row = static_cast<int>(lines_.size());
  const Line line{.mark = new theme::Chip(this),
                  .name = new Label({}, TextSize::body, Tone::plain, this),
                  .text = new Label({}, TextSize::body, Tone::plain, this),
                  .duration = new Label({}, TextSize::caption, Tone::muted, this)};
  line.text->setWordWrap(true);
  line.text->setMinimumWidth(kLeastStepText);
  line.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  line.duration->setToolTip(tr("How long this step took."));
  line.duration->set_figures();
  grid_->addWidget(line.mark, row, kStepMark, Qt::AlignTop);
  grid_->addWidget(line.name, row, kStepName, Qt::AlignTop);
  grid_->addWidget(line.text, row, kStepText);
  grid_->addWidget(line.duration, row, kStepDuration, Qt::AlignTop | Qt::AlignRight);
  lines_.push_back(line);
}

void TestView::set_shown(size_t count) {
  while (lines_.size() < count) add_line();
  for (size_t i = 0; i < lines_.size(); i++) {
    for (QWidget* widget : {static_cast<QWidget*>(lines_[i].name), static_cast<QWidget*>(lines_[i].text),
                            static_cast<QWidget*>(lines_[i].duration)})
      widget->setVisible(i < count);
    if (i >= count) lines_[i].mark->hide();
  }
}

void TestView::show_test(const QString& name, const run::SteppedTest* test, const TestState& state,
                         const QString& hint) {
  title_->setVisible(!name.isEmpty());
  title_->setText(test == nullptr ? tr("%1 has not been tested yet").arg(name) : heading(name, *test));
  hint_->setText(hint);
  hint_->setVisible(test == nullptr);
  state_->show_text(state.tone, state.text);
  state_->setVisible(!name.isEmpty());
  set_shown(test == nullptr ? 0 : test->steps().size());
  for (size_t i = 0; test != nullptr && i < test->steps().size(); i++) show_line(i, test->steps()[i]);
}

void TestView::show_line(size_t index, const TestStep& step) {
  const Line& line = lines_[index];
  const QString name = qt(step.name);
  const auto [tone, word] = word_of(step.mark);
  const QString mark = qt(run::to_text(step.mark));
  line.mark->setVisible(!word.isEmpty());
  line.mark->show_text(tone, word);
  line.mark->setAccessibleName(tr("Mark of step %1").arg(name));
  line.mark->setToolTip(mark);
  line.name->setText(name);
  line.text->setAccessibleName(tr("Test step %1").arg(name));
  line.text->setText(step.text.empty() ? mark : qt(step.text));
  line.text->setAccessibleDescription(mark);
  line.duration->setText(step.duration_ns == 0 ? QString() : qt(text::duration(static_cast<double>(step.duration_ns))));
  for (Label* label : {line.name, line.text}) label->set_tone(word.isEmpty() ? Tone::muted : Tone::plain);
}

}  // namespace n2nq::ui

#include "moc_test_view.cpp"
