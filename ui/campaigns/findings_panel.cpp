#include "ui/campaigns/findings_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <utility>

#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using findings::Judged;
using findings::Outcome;
using theme::kGrid;
using theme::qt;
using theme::Status;

constexpr int kIcon = 16;
constexpr int kLeastWidth = 280;
constexpr const char* kMuted = "muted";  // property of labels that are not said first

Status status_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::agrees:
      return Status::good;
    case Outcome::differs:
      return Status::warning;
    case Outcome::unknown:
      break;
  }
  return Status::info;
}

QLabel* plain_label(const QString& text, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setText(text);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  return label;
}

QLabel* muted_label(const QString& text, QWidget* parent) {
  QLabel* label = plain_label(text, parent);
  label->setProperty(kMuted, true);
  return label;
}

QString figures_text(const findings::Finding& finding) {
  QStringList numbers;
  for (const uint32_t figure : finding.figures) numbers << QString::number(figure);
  return FindingsPanel::tr("figure %1, section %2").arg(numbers.join(", "), qt(finding.section));
}

QString summary_of(const findings::CaseFindings& found) {
  return FindingsPanel::tr("Thesis, case %1: %2 agree, %3 differ, %4 inconclusive")
      .arg(found.thesis_case)
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
      summary_(plain_label({}, this)),
      area_(new QScrollArea(this)) {
  QFont bold = summary_->font();
  bold.setBold(true);
  summary_->setFont(bold);
  summary_->setAccessibleName(tr("Summary of findings"));
  area_->setAccessibleName(tr("Findings of the thesis"));
  area_->setFrameShape(QFrame::NoFrame);
  area_->setWidgetResizable(true);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setFocusPolicy(Qt::StrongFocus);  // read with the arrow keys
  setMinimumWidth(kLeastWidth);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kGrid);
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

QWidget* FindingsPanel::row_of(const Judged& one) {
  const QString outcome = qt(to_text(one.judgement.outcome));
  auto* row = new QWidget;
  row->setAccessibleName(tr("%1: %2").arg(outcome, qt(one.finding.text)));
  auto* sign = new QLabel(row);
  sign->setPixmap(theme::icon(status_of(one.judgement.outcome)).pixmap(kIcon));
  sign->setAccessibleName(outcome);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(kGrid / 2);
  texts->addWidget(plain_label(outcome, row));
  texts->addWidget(plain_label(tr("Thesis: %1").arg(qt(one.finding.text)), row));
  texts->addWidget(plain_label(tr("Ours: %1").arg(qt(one.judgement.ours)), row));
  texts->addWidget(muted_label(figures_text(one.finding), row));
  QFont bold = font();
  bold.setBold(true);
  texts->itemAt(0)->widget()->setFont(bold);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, kGrid, 0);
  line->setSpacing(kGrid);
  line->addWidget(sign, 0, Qt::AlignTop);
  line->addLayout(texts, 1);
  return row;
}

void FindingsPanel::show_findings(const std::optional<findings::CaseFindings>& found) {
  setVisible(found.has_value());
  const bool same = found && shown_ && found->thesis_case == shown_->thesis_case && found->quick == shown_->quick;
  shown_ = found;
  if (!found) return;
  const int before = same ? area_->verticalScrollBar()->value() : 0;
  summary_->setText(summary_of(*found));
  auto* rows = new QWidget;
  auto* column = new QVBoxLayout(rows);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kGrid * 2);
  if (!found->remarks.empty()) column->addWidget(muted_label(remarks_of(*found), rows));
  for (const Judged& one : found->all) column->addWidget(row_of(one));
  column->addStretch(1);
  area_->setWidget(rows);
  colour();
  area_->verticalScrollBar()->setValue(before);
}

void FindingsPanel::colour() {
  for (QLabel* label : findChildren<QLabel*>()) {
    if (!label->property(kMuted).toBool()) continue;
    QPalette pale = palette();
    pale.setColor(QPalette::WindowText, theme::muted_text());
    label->setPalette(pale);
  }
}

void FindingsPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // Signs and pale texts are of the palette that was in force when they were made.
  if (event->type() == QEvent::PaletteChange && shown_) show_findings(shown_);
}

}  // namespace n2nq::ui

#include "moc_findings_panel.cpp"
