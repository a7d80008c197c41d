#include "ui/logs/rules_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <utility>

#include "ui/logs/controls.h"
#include "ui/logs/log_preferences.h"
#include "ui/logs/mark_look.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr std::pair<logs::Mark, const char*> kMarks[] = {{logs::Mark::bad, QT_TR_NOOP("error")},
                                                         {logs::Mark::warning, QT_TR_NOOP("warning")},
                                                         {logs::Mark::info, QT_TR_NOOP("information")},
                                                         {logs::Mark::good, QT_TR_NOOP("good")}};

QToolButton* text_button(const char* icon, const QString& text, const QString& tip) {
  auto* button = make_button(icon, text, {});
  button->setText(text);
  button->setToolTip(tip);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  return button;
}

}  // namespace

RulesBar::RulesBar(QWidget* parent)
    : QWidget(parent),
      grid_(new QGridLayout),
      p99_(make_note()),
      add_(text_button("add", tr("Add rule"), tr("Adds a rule below the others."))) {
  auto* defaults =
      text_button("undo", tr("Default rules"), tr("Replaces all rules by those that came with the bench."));
  auto* close = make_button("close", tr("Close the rules"), tr("Esc"));
  auto* head = new QWidget;
  auto* row = make_row(head);
  row->addWidget(new theme::Label(tr("Marked lines"), theme::TextSize::title));
  row->addWidget(p99_, 1);
  for (QWidget* widget : {add_, defaults, close}) row->addWidget(widget);
  grid_->setContentsMargins(theme::kSpace3, 0, theme::kSpace3, theme::kSpace2);
  grid_->setHorizontalSpacing(theme::kSpace2);
  grid_->setVerticalSpacing(theme::kSpace1);
  grid_->setColumnStretch(3, 2);
  grid_->setColumnStretch(5, 1);
  auto* column = theme::column_in(this, 0);
  column->addWidget(head);
  column->addLayout(grid_);
  show_rules();

  auto& preferences = LogPreferences::shared();
  connect(&preferences, &LogPreferences::rules_changed, this, [this] {
    if (!keeping_) show_rules();
  });
  connect(add_, &QToolButton::clicked, this, [this] {
    add_row({});
    rows_.back().condition->setFocus();
  });
  connect(defaults, &QToolButton::clicked, this, [&preferences] { preferences.choose(logs::default_rules()); });
  connect(close, &QToolButton::clicked, this, &RulesBar::closed);
}

void RulesBar::open() {
  show();
  if (!rows_.empty()) return rows_.front().condition->setFocus();
  add_->setFocus();
}

void RulesBar::show_p99(const QString& text) {
  p99_->setText(text.isEmpty()
                    ? tr("The first rule that a line matches marks it.")
                    : tr("The first rule that a line matches marks it. p99 of this log: about %1.").arg(text));
}

void RulesBar::show_rules() {
  while (!rows_.empty()) remove_row(rows_.size() - 1);
  for (const logs::LineRule& rule : LogPreferences::shared().rules()) add_row(rule);
}

void RulesBar::add_row(const logs::LineRule& rule) {
  const QString number = QString::number(rows_.size() + 1);
  Row row{.on = new QCheckBox,
          .number = new theme::Label(number, theme::TextSize::caption, theme::Tone::muted),
          .mark = new QComboBox,
          .condition = new QLineEdit(theme::qt(rule.condition)),
          .remove = make_button("remove", tr("Remove rule %1").arg(number), {}),
          .trouble = make_note()};
  row.on->setChecked(rule.on);
  row.on->setAccessibleName(tr("Rule %1 is used").arg(number));
  row.on->setToolTip(tr("Whether the rule marks lines."));
  for (const auto& [mark, word] : kMarks) row.mark->addItem(tr(word), static_cast<int>(mark));
  show_marks(*row.mark);
  row.mark->setCurrentIndex(row.mark->findData(static_cast<int>(rule.mark)));
  row.number->setBuddy(row.mark);
  row.mark->setAccessibleName(tr("Mark of rule %1").arg(number));
  row.mark->setToolTip(tr("How the lines are marked: by a sign and its colour."));
  row.condition->setAccessibleName(tr("Condition of rule %1").arg(number));
  row.condition->setPlaceholderText(tr("latency > p99, flags = again, text, /expression/"));
  row.condition->setToolTip(tr(
      "As in the filter; p99 stands for that of the latencies of the log. A text or an /expression/ is looked for in "
      "lines that are no messages."));
  const int at = grid_->rowCount();
  int column = 0;
  for (QWidget* widget :
       {static_cast<QWidget*>(row.on), static_cast<QWidget*>(row.number), static_cast<QWidget*>(row.mark),
        static_cast<QWidget*>(row.condition), static_cast<QWidget*>(row.remove), static_cast<QWidget*>(row.trouble)})
    grid_->addWidget(widget, at, column++);
  connect(row.on, &QCheckBox::toggled, this, &RulesBar::keep);
  connect(row.mark, &QComboBox::currentIndexChanged, this, &RulesBar::keep);
  connect(row.condition, &QLineEdit::textChanged, this, &RulesBar::show_troubles);
  connect(row.condition, &QLineEdit::editingFinished, this, &RulesBar::keep);
  connect(row.remove, &QToolButton::clicked, this, [this, remove = row.remove] {
    for (size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].remove == remove) return remove_row(i), keep(), show_rules();
  });
  rows_.push_back(row);
  add_->setEnabled(rows_.size() < logs::kMostRules);
  show_troubles();
}

// In the colours of the palette that is in force.
void RulesBar::show_marks(QComboBox& marks) {
  for (int i = 0; i < marks.count(); ++i)
    marks.setItemIcon(i, theme::icon(status_of(static_cast<logs::Mark>(marks.itemData(i).toInt()))));
}

void RulesBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    for (const Row& row : rows_) show_marks(*row.mark);
}

void RulesBar::remove_row(size_t row) {
  const Row& gone = rows_[row];
  for (QWidget* widget : {static_cast<QWidget*>(gone.on), static_cast<QWidget*>(gone.number),
                          static_cast<QWidget*>(gone.mark), static_cast<QWidget*>(gone.condition),
                          static_cast<QWidget*>(gone.remove), static_cast<QWidget*>(gone.trouble)}) {
    widget->disconnect(this);
    widget->hide();
    widget->deleteLater();
  }
  rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(row));
  add_->setEnabled(rows_.size() < logs::kMostRules);
}

std::vector<logs::LineRule> RulesBar::rules() const {
  std::vector<logs::LineRule> rules;
  for (const Row& row : rows_)
    rules.push_back({.on = row.on->isChecked(),
                     .mark = static_cast<logs::Mark>(row.mark->currentData().toInt()),
                     .condition = theme::utf8(row.condition->text().trimmed())});
  return rules;
}

// Of one that is not complete nothing is kept.
void RulesBar::keep() {
  std::vector<logs::LineRule> kept = rules();
  std::erase_if(kept, [](const logs::LineRule& rule) { return rule.condition.empty(); });
  keeping_ = true;
  LogPreferences::shared().choose(std::move(kept));
  keeping_ = false;
}

void RulesBar::show_troubles() {
  const auto all = rules();
  for (size_t i = 0; i < rows_.size(); ++i) {
    const bool typed = !all[i].condition.empty();
    const QString trouble = typed ? theme::qt(logs::trouble_of(all[i])) : QString();
    rows_[i].trouble->setText(trouble);
  }
}

}  // namespace n2nq::ui

#include "moc_rules_bar.cpp"
