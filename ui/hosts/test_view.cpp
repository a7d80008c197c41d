#include "ui/hosts/test_view.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/hosts/host_model.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using run::TestStep;
using theme::kGrid;
using theme::qt;

constexpr int kIconSize = 2 * kGrid;

QString steps_with(const run::HostTest& test, TestStep::Mark mark) {
  QStringList names;
  for (const TestStep& step : test.steps())
    if (step.mark == mark) names += qt(step.name);
  return names.join(QStringLiteral(", "));
}

// What does not work is named, whatever else there is to say.
QString heading(const QString& name, const run::HostTest& test) {
  if (!test.over()) return TestView::tr("Test of %1").arg(name);
  const QString bad = steps_with(test, TestStep::Mark::bad);
  if (!bad.isEmpty()) return TestView::tr("Test of %1: failed: %2").arg(name, bad);
  const QString amiss = steps_with(test, TestStep::Mark::warning);
  if (!amiss.isEmpty()) return TestView::tr("Test of %1: passed with a warning: %2").arg(name, amiss);
  return TestView::tr("Test of %1: %2").arg(name, qt(run::to_text(test.mark())));
}

}  // namespace

TestView::TestView(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), hint_(new QLabel(this)), grid_(new QGridLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kGrid);
  column->addWidget(title_);
  column->addWidget(hint_);
  column->addLayout(grid_);
  column->addStretch(1);
  grid_->setHorizontalSpacing(kGrid);
  grid_->setVerticalSpacing(kGrid / 2);
  grid_->setColumnStretch(2, 1);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  title_->setTextFormat(Qt::PlainText);
  title_->setAccessibleName(tr("Test of the host"));
  title_->setWordWrap(true);
  hint_->setWordWrap(true);
  hint_->setForegroundRole(QPalette::PlaceholderText);
}

void TestView::set_shown(size_t count) {
  while (lines_.size() < count) {
    const int row = static_cast<int>(lines_.size());
    Line line{.icon = new QLabel(this), .name = new QLabel(this), .text = new QLabel(this)};
    line.icon->setFixedWidth(kIconSize);
    line.name->setTextFormat(Qt::PlainText);
    line.text->setTextFormat(Qt::PlainText);
    line.text->setWordWrap(true);
    line.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid_->addWidget(line.icon, row, 0, Qt::AlignTop);
    grid_->addWidget(line.name, row, 1, Qt::AlignTop);
    grid_->addWidget(line.text, row, 2);
    lines_.push_back(line);
  }
  for (size_t i = 0; i < lines_.size(); i++)
    for (QLabel* label : {lines_[i].icon, lines_[i].name, lines_[i].text}) label->setVisible(i < count);
}

void TestView::show_test(const QString& name, const run::HostTest* test) {
  title_->setVisible(!name.isEmpty());
  title_->setText(test == nullptr ? tr("%1 has not been tested yet").arg(name) : heading(name, *test));
  hint_->setText(name.isEmpty() ? tr("Select a host to see its fields and its test.")
                                : tr("Test (Ctrl+T) shows step by step what works, and how to fix what does not."));
  hint_->setVisible(test == nullptr);
  set_shown(test == nullptr ? 0 : test->steps().size());
  for (size_t i = 0; test != nullptr && i < test->steps().size(); i++) show_line(i, test->steps()[i]);
}

void TestView::show_line(size_t index, const TestStep& step) {
  Line& line = lines_[index];
  line.shown = step;
  const QString name = qt(step.name);
  line.name->setText(name);
  line.text->setAccessibleName(tr("Test step %1").arg(name));
  const QString mark = qt(run::to_text(step.mark));
  line.text->setText(step.text.empty() ? mark : qt(step.text));
  line.text->setAccessibleDescription(mark);
  line.icon->setToolTip(mark);
  paint(line);
}

void TestView::paint(Line& line) const {
  const auto status = status_of(line.shown.mark);
  const bool under_way = line.shown.mark == TestStep::Mark::under_way;
  if (status)
    line.icon->setPixmap(theme::icon(*status).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
  else if (under_way)
    line.icon->setPixmap(theme::icon("right").pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
  else
    line.icon->clear();
  QPalette colors;
  colors.setColor(QPalette::WindowText,
                  status || under_way ? palette().color(QPalette::WindowText) : theme::muted_text());
  line.name->setPalette(colors);
  line.text->setPalette(colors);
}

void TestView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  for (Line& line : lines_) paint(line);
}

}  // namespace n2nq::ui

#include "moc_test_view.cpp"
