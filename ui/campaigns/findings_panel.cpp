#include "ui/campaigns/findings_panel.h"

#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <utility>

#include "app/findings/measure.h"
#include "app/findings/study.h"
#include "ui/theme/card.h"
#include "ui/theme/chip.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui {
namespace {

using findings::Judged;
using findings::Outcome;
using theme::Label;
using theme::qt;
using theme::TextSize;
using theme::Tone;

constexpr int kLeastWidth = 280;

// Its colour, and a sign of its own before the word.
std::pair<Tone, QString> sign_of(Outcome outcome) {
  const QString word = qt(to_text(outcome));
  switch (outcome) {
    case Outcome::agrees:
      return {Tone::good, QString::fromUtf8("\u2713 ") + word};
    case Outcome::differs:
      return {Tone::warning, QString::fromUtf8("\u2260 ") + word};
    case Outcome::unknown:
      break;
  }
  return {Tone::muted, QStringLiteral("? ") + word};
}

// `study`: "thesis".
QString help_of(Outcome outcome, const QString& study) {
  switch (outcome) {
    case Outcome::agrees:
      return FindingsPanel::tr("This campaign's runs show what the %1 found.").arg(study);
    case Outcome::differs:
      return FindingsPanel::tr(
                 "This campaign's runs rule out what the %1 found. They may show another effect, or none: an interval "
                 "that includes 1 stands for none.")
          .arg(study);
    case Outcome::unknown:
      break;
  }
  return FindingsPanel::tr("This campaign's runs neither show nor rule out what the %1 found.").arg(study);
}

Label* text_label(const QString& text, TextSize size, Tone tone, QWidget* parent) {
  auto* label = new Label(text, size, tone, parent);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  return label;
}

QString source_text(const findings::Finding& finding) {
  const QString section = FindingsPanel::tr("section %1").arg(qt(finding.section));
  return finding.figures.empty() ? section : qt(findings::figures_text(finding)) + ", " + section;
}

QString summary_of(const findings::CaseFindings& found) {
  return FindingsPanel::tr("%1: %2 agree, %3 differ, %4 inconclusive")
      .arg(qt(findings::title_of(found.study_case)))
      .arg(found.count(Outcome::agrees))
      .arg(found.count(Outcome::differs))
      .arg(found.count(Outcome::unknown));
}

QString remarks_of(const findings::CaseFindings& found) {
  QStringList lines;
  for (const std::string& remark : found.remarks) lines << qt(remark);
  return lines.join(QChar('\n'));
}

}  // namespace

FindingsPanel::FindingsPanel(const std::string& store, QWidget* parent)
    : QWidget(parent),
      reader_(new findings::FindingsReader(store, this)),
      summary_(text_label({}, TextSize::title, Tone::plain, this)),
      area_(new QScrollArea(this)) {
  summary_->setAccessibleName(tr("Summary of findings"));
  area_->setAccessibleName(tr("Findings of the study"));
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidgetResizable(true);
  area_->viewport()->setAutoFillBackground(false);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setFocusPolicy(Qt::StrongFocus);  // read with the arrow keys
  setMinimumWidth(kLeastWidth);
  auto* column = theme::column_in(this, theme::kSpace2);
  column->addWidget(summary_);
  column->addWidget(area_, 1);
  hide();
  connect(reader_, &findings::FindingsReader::judged, this,
          [this](qint64 campaign, const std::optional<findings::CaseFindings>& found) {
            if (campaign == campaign_) show_findings(found);
          });
  connect(reader_, &findings::FindingsReader::trouble, this, &FindingsPanel::trouble);
}

void FindingsPanel::look_at(const campaign::SharedLook& look) {
  const int64_t before = std::exchange(campaign_, look == nullptr ? 0 : look->row.id);
  if (campaign_ != before) show_findings(std::nullopt);
  if (look != nullptr) reader_->judge(look);
}

QWidget* FindingsPanel::card_of(const Judged& one) {
  const QString outcome = qt(to_text(one.judgement.outcome));
  auto* card = new theme::Card;
  card->setAccessibleName(tr("%1: %2").arg(outcome, qt(one.finding.text)));
  auto* sign = new theme::Chip(card);
  const auto [tone, text] = sign_of(one.judgement.outcome);
  sign->show_text(tone, text);
  sign->setAccessibleName(tr("%1: finding %2").arg(outcome, source_text(one.finding)));
  sign->setToolTip(help_of(one.judgement.outcome, qt(findings::study_word(one.finding.study_case))));
  auto* head = theme::inner_row(theme::kSpace2);
  head->addWidget(sign, 0, Qt::AlignTop);
  head->addWidget(text_label(qt(one.finding.text), TextSize::body, Tone::plain, card), 1);
  auto* reason = new QWidget(card);
  auto* column = theme::column_in(reason, theme::kSpace1);
  column->addWidget(
      text_label(tr("Ours (%1): %2").arg(qt(findings::label_of(one.finding.rule.metric)), qt(one.judgement.ours)),
                 TextSize::body, Tone::muted, reason));
  column->addWidget(
      text_label(tr("%1: %2").arg(qt(findings::study_head(one.finding.study_case)), source_text(one.finding)),
                 TextSize::caption, Tone::muted, reason));
  head->addWidget(fold_of(one.finding, *reason, card), 0, Qt::AlignTop);
  card->body()->addLayout(head);
  card->body()->addWidget(reason);
  return card;
}

// What ours are, or why they are inconclusive, is there for whoever asks; it stays open while the campaign goes on.
QWidget* FindingsPanel::fold_of(const findings::Finding& finding, QWidget& reason, QWidget* card) {
  auto* fold = new QToolButton(card);
  fold->setCheckable(true);
  fold->setAutoRaise(true);
  fold->setFocusPolicy(Qt::StrongFocus);
  fold->setAccessibleName(tr("Why: %1").arg(qt(finding.text)));
  const auto unfold = [this, fold, &reason, id = finding.id](bool open) {
    if (open)
      open_.insert(id);
    else
      open_.erase(id);
    fold->setIcon(theme::icon(open ? "up" : "down"));
    fold->setToolTip(open ? tr("Folds away what this campaign has.") : tr("Shows what this campaign has, and why."));
    reason.setVisible(open);
  };
  fold->setChecked(open_.contains(finding.id));
  unfold(fold->isChecked());
  connect(fold, &QToolButton::toggled, &reason, unfold);
  return fold;
}

void FindingsPanel::show_findings(const std::optional<findings::CaseFindings>& found) {
  setVisible(found.has_value());
  const bool same = found && shown_ && found->study_case == shown_->study_case && found->quick == shown_->quick;
  shown_ = found;
  if (!same) open_.clear();
  if (!found) return;
  const int before = same ? area_->verticalScrollBar()->value() : 0;
  summary_->setText(summary_of(*found));
  auto* rows = new QWidget;
  auto* column = theme::column_in(rows, theme::kCardApart);
  for (const Judged& one : found->all) column->addWidget(card_of(one));
  if (!found->remarks.empty()) column->addWidget(text_label(remarks_of(*found), TextSize::caption, Tone::muted, rows));
  column->addStretch(1);
  area_->setWidget(rows);
  rows->setAutoFillBackground(false);
  area_->verticalScrollBar()->setValue(before);
  Q_EMIT judged();
}

}  // namespace n2nq::ui

#include "moc_findings_panel.cpp"
