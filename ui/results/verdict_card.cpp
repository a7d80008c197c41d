#include "ui/results/verdict_card.h"

#include <algorithm>

#include "ui/results/interval_bar.h"
#include "ui/theme/chip.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/message_line.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui {
namespace {

using analysis::Better;
using compare::MetricComparison;
using theme::qt;
using theme::Tone;

constexpr size_t kMostSentences = 3;

// Of two sides whether the second is better; of more, whatever differs.
Tone tone_of(const compare::Verdict& verdict) {
  const auto& first = verdict.found.front();
  if (verdict.is_doubtful()) return Tone::warning;
  if (verdict.found.size() > 1) return std::ranges::all_of(verdict.found, compare::too_few) ? Tone::muted : Tone::info;
  if (!first.b_to_a || first.b_to_a->undecided()) return Tone::muted;
  if (!first.b_to_a->differs()) return Tone::info;
  return (first.b_to_a->ratio > 1) == (first.metric->better == Better::higher) ? Tone::good : Tone::bad;
}

// For who has runs that show no difference.
QString what_would_tell(const analysis::RunComparison& found) {
  constexpr double kTold = 1.1;
  const auto needed = analysis::runs_needed(found, kTold);
  if (!needed)
    return VerdictCard::tr(
               "More than %1 runs of each would be needed to tell a difference of 10 %: make the runs longer, "
               "or the computer quieter")
        .arg(analysis::kMostRunsNeeded);
  if (found.low * kTold >= 1 && found.high <= kTold) return VerdictCard::tr("A difference of 10 % or more is excluded");
  const size_t fewest = std::min(found.runs_a, found.runs_b);
  return VerdictCard::tr("About %1 runs of each would tell a difference of 10 %").arg(std::max(*needed, fewest + 1));
}

// As a title: what the verdict beside it says already is not said again.
QString title_of(const MetricComparison& found) {
  QString text = qt(found.statement);
  if (const QString said = QStringLiteral(": no statement"); text.endsWith(said)) text.chop(said.size());
  if (!text.isEmpty()) text.front() = text.front().toUpper();
  return text;
}

// Where the sentences of all sides would take the room of the pictures.
QString summary_of(const std::vector<MetricComparison>& found, const QString& first, const figures::Metric& metric) {
  return VerdictCard::tr("%1 of %2 sides differ from %3 at %4. The sentence of each is under All figures.")
      .arg(std::ranges::count_if(found, compare::is_different))
      .arg(found.size())
      .arg(first, qt(metric.said.empty() ? metric.name : metric.said));
}

}  // namespace

VerdictCard::VerdictCard(QWidget* parent)
    : theme::Card(parent),
      verdict_(new theme::Chip(this)),
      statement_(new theme::Label({}, theme::TextSize::title, Tone::plain, this)),
      bar_(new IntervalBar(this)),
      doubt_(new theme::MessageLine(tr("Doubt"), this)),
      remarks_(new theme::Label({}, theme::TextSize::body, Tone::muted, this)) {
  verdict_->setAccessibleName(tr("Verdict of the comparison"));
  statement_->setAccessibleName(tr("Statement"));
  remarks_->setAccessibleName(tr("Remarks"));
  for (QLabel* label : {static_cast<QLabel*>(statement_), static_cast<QLabel*>(remarks_)}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  auto* row = theme::inner_row(theme::kSpace3);
  row->addWidget(verdict_, 0, Qt::AlignTop);
  row->addWidget(statement_, 1);
  body()->setSpacing(theme::kSpace2);
  body()->addLayout(row);
  body()->addWidget(doubt_);
  body()->addWidget(bar_);
  body()->addWidget(remarks_);
  say({});
}

void VerdictCard::say(const QString& text) {
  verdict_->hide();
  bar_->show_rows({}, {}, {}, Better::lower);
  doubt_->hide();
  remarks_->hide();
  statement_->setText(text);
}

void VerdictCard::show_comparison(const ShownComparison& comparison, const figures::Metric& metric,
                                  const QStringList& left_out) {
  const auto& sides = comparison.sides;
  const compare::Verdict verdict = compare::verdict_of(metric, sides);
  const auto& found = verdict.found;
  QStringList statements, remarks = left_out;
  for (const std::string& one : comparison.remarks) remarks.append(qt(one));
  const QString first = sides.empty() ? QString() : qt(sides.front().name);
  for (size_t i = 0; i < found.size(); i++)
    statements.append(found.size() == 1
                          ? title_of(found[i])
                          : tr("%1 against %2: %3").arg(qt(sides[i + 1].name), first, qt(found[i].statement)));
  if (std::ranges::any_of(found, compare::too_few) && metric.quantity != figures::Quantity::messages)
    remarks.prepend(tr("A statement needs %1 or more runs on each side").arg(analysis::kLeastRuns));
  if (found.size() == 1 && found.front().b_to_a && !found.front().b_to_a->differs())
    remarks.prepend(what_would_tell(*found.front().b_to_a));
  if (found.size() > kMostSentences) statements = {summary_of(found, first, metric)};
  if (sides.size() == 1)
    statements.append(tr("All of these are repeats of one plan. Put some of them on a new side to compare them."));
  statement_->setText(statements.join(u'\n'));
  std::vector<IntervalBar::Row> rows;
  for (size_t i = 0; i < found.size(); i++)
    if (found[i].b_to_a) rows.push_back({.side = qt(sides[i + 1].name), .against_first = *found[i].b_to_a});
  const auto by_itself = sides.empty() ? std::nullopt : compare::against_itself(metric, sides.front());
  bar_->show_rows(first, std::move(rows), by_itself, metric.better, metric.reads);
  const compare::Doubt& doubt = verdict.doubt;
  doubt_->show_text(doubt.holds ? theme::Status::info : theme::Status::warning, qt(doubt.text()).toHtmlEscaped());
  doubt_->setVisible(doubt.doubtful > 0);
  verdict_->setVisible(!verdict.word.empty());
  if (!verdict.word.empty()) verdict_->show_text(tone_of(verdict), qt(verdict.word), true);
  remarks_->setText(remarks.join(QStringLiteral(" · ")));
  remarks_->setVisible(!remarks.isEmpty());
}

}  // namespace n2nq::ui

#include "moc_verdict_card.cpp"
