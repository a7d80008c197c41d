#include "ui/campaigns/campaign_bar.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/run/growing_label.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/status_label.h"

namespace n2nq::ui {
namespace {

using theme::kGrid;

constexpr int kProgressSteps = 1000;

}  // namespace

CampaignBar::CampaignBar(QWidget* parent)
    : QWidget(parent),
      start_(new QPushButton(theme::icon("start"), tr("Start"), this)),
      stop_(new QPushButton(theme::icon("stop"), tr("Stop"), this)),
      state_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      runs_(new GrowingLabel(tr("Runs completed"), this)),
      left_(new GrowingLabel(tr("Campaign time left"), this)),
      message_(new theme::StatusLabel(this)) {
  start_->setAccessibleName(tr("Start campaign"));
  stop_->setAccessibleName(tr("Stop campaign"));
  for (QPushButton* button : {start_, stop_}) button->setAutoDefault(false);
  state_->setAccessibleName(tr("Campaign state"));
  state_->setTextFormat(Qt::PlainText);
  state_->setWordWrap(true);
  progress_->setAccessibleName(tr("Campaign progress"));
  progress_->setToolTip(tr("How many of the campaign's runs are completed."));
  progress_->setRange(0, kProgressSteps);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(kGrid);
  QSizePolicy kept = progress_->sizePolicy();
  kept.setRetainSizeWhenHidden(true);  // what stands beside it stays where it is
  progress_->setSizePolicy(kept);
  runs_->setToolTip(tr("Completed runs, out of all runs of the campaign."));
  left_->setToolTip(tr("How long the remaining runs will take, by their schedules."));
  message_->set_name(tr("Campaign message"));
  auto* controls = new QHBoxLayout;
  controls->setSpacing(kGrid);
  controls->addWidget(start_);
  controls->addWidget(stop_);
  controls->addWidget(state_, 1);
  auto* figures = new QHBoxLayout;
  figures->setSpacing(2 * kGrid);
  figures->addWidget(progress_, 1);
  figures->addWidget(runs_);
  figures->addWidget(left_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, kGrid / 2, 0, 0);
  column->setSpacing(kGrid / 2);
  column->addLayout(controls);
  column->addLayout(figures);
  column->addWidget(message_);
  start_->installEventFilter(this);
  connect(start_, &QPushButton::clicked, this, &CampaignBar::start);
  connect(stop_, &QPushButton::clicked, this, [this] {
    if (!say_later_.isActive()) Q_EMIT stop();
  });
  say_later_.setSingleShot(true);
  connect(&say_later_, &QTimer::timeout, this, &CampaignBar::show_stop);
  show_stop();
}

bool CampaignBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == start_ && event->type() == QEvent::MouseButtonPress && !start_->isEnabled()) Q_EMIT start_in_vain();
  return QWidget::eventFilter(watched, event);
}

void CampaignBar::show_state(const BarState& state) {
  const QWidget* had_focus = focusWidget();
  const QString start = state.start.isEmpty() ? tr("Start") : state.start;
  if (start_->text() != start) start_->setText(start);
  start_->setEnabled(!state.start.isEmpty() && state.blocked.isEmpty());
  start_->setToolTip(state.blocked.isEmpty() ? state.start_help : theme::plain_tip(state.blocked));
  stop_->setEnabled(state.stops);
  set_kills(state.stops && state.kills);
  if (!state.stops)
    stop_->setToolTip(tr("This campaign is not running."));
  else if (!say_later_.isActive())
    show_stop();
  state_->setText(state.state);
  progress_->setVisible(state.progress.has_value());
  progress_->setValue(std::clamp(static_cast<int>(state.progress.value_or(0) * kProgressSteps), 0, kProgressSteps));
  runs_->show_figure(state.runs);
  left_->show_figure(state.left);
  if (state.status)
    message_->show_text(*state.status, state.message.toHtmlEscaped());
  else
    message_->show_plain(state.message.isEmpty() ? QString(" ") : state.message);
  // Qt hands the keys of what was disabled to its neighbour, which nobody chose.
  if (had_focus != nullptr && !had_focus->isEnabled()) setFocus(Qt::OtherFocusReason);
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
