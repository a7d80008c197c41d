#include "ui/campaigns/campaign_bar.h"

#include <QApplication>
#include <QEvent>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <algorithm>

#include "ui/theme/buttons.h"
#include "ui/theme/chip.h"
#include "ui/theme/focus_hold.h"
#include "ui/theme/layouts.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

using theme::Label;
using theme::TextSize;
using theme::Tone;

constexpr int kProgressSteps = 1000;

}  // namespace

// One figure of a campaign: what it is, and its value, large where it is short. Takes no room while there is nothing to
// say.
class FactTile : public QWidget {
 public:
  explicit FactTile(const QString& accessible_name, QWidget* parent)
      : QWidget(parent),
        what_(new Label({}, TextSize::caption, Tone::muted, this)),
        value_(new Label({}, TextSize::headline, Tone::plain, this)) {
    value_->setAccessibleName(accessible_name);
    value_->set_figures();
    value_->setWordWrap(true);
    auto* column = theme::column_in(this, 0);
    column->addWidget(what_);
    column->addWidget(value_, 1);
    hide();
  }

  void show_fact(const QString& what, const QString& value, Tone tone = Tone::plain) {
    what_->setText(what);
    value_->set_size(value.size() <= kShort ? TextSize::headline : TextSize::title);
    value_->set_tone(tone);
    value_->setText(value);
  }

  bool says_something() const { return !value_->text().isEmpty(); }

 private:
  static constexpr qsizetype kShort = 16;  // characters

  Label* what_;
  Label* value_;
};

CampaignBar::CampaignBar(QWidget* parent)
    : theme::Card(parent),
      compare_(new QPushButton(theme::icon("compare"), tr("Compare"), this)),
      start_(new QPushButton(theme::icon("start"), tr("Start"), this)),
      stop_(new QPushButton(theme::icon("stop"), tr("Stop"), this)),
      name_(new Label({}, TextSize::title, Tone::plain, this)),
      word_(new theme::Chip(this)),
      state_(new Label({}, TextSize::body, Tone::muted, this)),
      progress_(new QProgressBar(this)),
      runs_(new FactTile(tr("Runs completed"), this)),
      left_(new FactTile(tr("Campaign time left"), this)),
      outcome_(new FactTile(tr("Outcome of the campaign"), this)),
      message_(new theme::StatusLabel(this)) {
  build_head();
  build_facts();
  body()->addWidget(state_);
  body()->addWidget(message_);
  message_->set_name(tr("Campaign message"));
  compare_->hide();
  start_->installEventFilter(this);
  connect(start_, &QPushButton::clicked, this, &CampaignBar::start);
  connect(compare_, &QPushButton::clicked, this, &CampaignBar::compare);
  connect(stop_, &QPushButton::clicked, this, [this] {
    if (!say_later_.isActive()) Q_EMIT stop();
  });
  say_later_.setSingleShot(true);
  connect(&say_later_, &QTimer::timeout, this, &CampaignBar::show_stop);
  show_stop();
}

void CampaignBar::build_head() {
  compare_->setAccessibleName(tr("Compare points"));
  compare_->setToolTip(tr("Compare: the runs of each point as a side, by every figure, with what each side promises."));
  start_->setAccessibleName(tr("Start campaign"));
  stop_->setAccessibleName(tr("Stop campaign"));
  for (QPushButton* button : {compare_, start_, stop_}) button->setAutoDefault(false);
  theme::make_danger(*stop_);
  name_->setAccessibleName(tr("Campaign shown"));
  word_->setAccessibleName(tr("Word of the campaign state"));
  word_->setToolTip(tr("Whether it is running, can be resumed, or has finished."));
  state_->setAccessibleName(tr("Campaign state"));
  for (Label* label : {name_, state_}) label->setWordWrap(true);
  auto* row = theme::inner_row(theme::kSpace2);
  row->addWidget(name_, 1);
  row->addWidget(word_);
  row->addWidget(compare_);
  row->addWidget(start_);
  row->addWidget(stop_);
  body()->addLayout(row);
}

void CampaignBar::build_facts() {
  progress_->setAccessibleName(tr("Campaign progress"));
  progress_->setToolTip(tr("How many of the campaign's runs are completed."));
  progress_->setRange(0, kProgressSteps);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(theme::kSpace1);
  runs_->setToolTip(tr("Completed runs, out of all runs of the campaign."));
  left_->setToolTip(tr("How long the remaining runs will take, by their schedules."));
  outcome_->setToolTip(tr("What the runs so far come to."));
  auto* facts = theme::inner_row(theme::kSpace5);
  facts->addWidget(runs_, 1);
  facts->addWidget(left_, 1);
  facts->addWidget(outcome_, 2);
  body()->addLayout(facts);
  body()->addWidget(progress_);
}

void CampaignBar::press_start() {
  if (start_->isEnabled())
    start_->click();
  else
    Q_EMIT start_in_vain();
}

void CampaignBar::set_low(bool low) {
  low_ = low;
  show_tiles();
}

void CampaignBar::show_tiles() {
  for (FactTile* fact : {runs_, left_, outcome_}) fact->setVisible(!low_ && fact->says_something());
}

// With lines that wrap.
QSize CampaignBar::minimumSizeHint() const {
  QSize least = layout()->minimumSize();
  if (layout()->hasHeightForWidth() && width() > least.width())
    least.setHeight(layout()->minimumHeightForWidth(width()));
  return least;
}

void CampaignBar::resizeEvent(QResizeEvent* event) {
  theme::Card::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) updateGeometry();
}

bool CampaignBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == start_ && event->type() == QEvent::MouseButtonPress && !start_->isEnabled()) Q_EMIT start_in_vain();
  return QWidget::eventFilter(watched, event);
}

void CampaignBar::show_state(const BarState& state) {
  const theme::FocusHold hold(*this);
  const QString start = state.start.isEmpty() ? tr("Start") : state.start;
  if (start_->text() != start) start_->setText(start);
  start_->setEnabled(!state.start.isEmpty() && state.blocked.isEmpty());
  start_->setToolTip(state.blocked.isEmpty() ? state.start_help : theme::plain_tip(state.blocked));
  compare_->setVisible(state.compares);
  stop_->setEnabled(state.stops);
  set_kills(state.stops && state.kills);
  if (!state.stops)
    stop_->setToolTip(tr("This campaign is not running."));
  else if (!say_later_.isActive())
    show_stop();
  theme::make_primary(*start_, start_->isEnabled());
  show_facts(state);
  if (state.status)
    message_->show_text(*state.status, state.message.toHtmlEscaped());
  else
    message_->show_plain(state.message);
  message_->setVisible(!state.message.isEmpty());
}

void CampaignBar::show_facts(const BarState& state) {
  name_->setText(state.name);
  word_->show_text(state.word_status ? theme::tone_of(*state.word_status) : Tone::muted, state.word);
  word_->setVisible(!state.word.isEmpty());
  state_->setText(state.state);
  progress_->setVisible(state.progress.has_value());
  progress_->setValue(std::clamp(static_cast<int>(state.progress.value_or(0) * kProgressSteps), 0, kProgressSteps));
  runs_->show_fact(tr("Runs completed"), state.runs);
  left_->show_fact(tr("Time left"), state.left);
  outcome_->show_fact(state.outcome.what, state.outcome.value, state.outcome.tone);
  show_tiles();
}

void CampaignBar::set_kills(bool kills) {
  if (kills == kills_) return;
  kills_ = kills;
  if (kills) return say_later_.start(QApplication::doubleClickInterval());
  say_later_.stop();
  show_stop();
}

void CampaignBar::show_stop() {
  stop_->setText(kills_ ? tr("Kill now") : tr("Stop"));
  stop_->setIcon(theme::icon(kills_ ? "kill" : "stop"));
  stop_->setToolTip(kills_ ? tr("Ends all processes immediately; messages in flight are lost.")
                           : tr("Ends the current run early and saves its result; you can resume the campaign later."));
}

}  // namespace n2nq::ui

#include "moc_campaign_bar.cpp"
