#include "ui/run/role_header.h"

#include <QApplication>
#include <QHBoxLayout>

#include "app/text/quantity.h"
#include "ui/theme/buttons.h"
#include "ui/theme/chip.h"
#include "ui/theme/label.h"
#include "ui/theme/layouts.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

using theme::Tone;

Tone tone_of_role(Role role) {
  return role == Role::sender ? Tone::sender : role == Role::broker ? Tone::queue : Tone::receiver;
}

Tone tone_of_status(const run::RoleStatus& status) {
  using run::RolePhase;
  if (status.phase == RolePhase::over) return run::ended_badly(status.doing) ? Tone::bad : Tone::muted;
  if (status.phase == RolePhase::running) return status.doing == run::Doing::running ? Tone::good : Tone::warning;
  if (status.phase == RolePhase::stopping) return Tone::warning;
  return status.phase == RolePhase::idle ? Tone::muted : Tone::info;
}

// A word or two. A short sentence stands there as it is; a longer one is in the tip, and in what is read aloud.
QString word_of(const run::RoleStatus& status, uint32_t services) {
  constexpr size_t kShort = 18;
  if (status.doing == run::Doing::running && services > 0)
    return RoleHeader::tr("%1 running").arg(QString::fromStdString(text::count(services)));
  if (!is_over(status.doing) && !status.text.empty() && status.text.size() <= kShort)
    return QString::fromStdString(status.text);
  return QString::fromStdString(to_text(status.doing));
}

bool startable(run::RolePhase phase) {
  return phase == run::RolePhase::idle || phase == run::RolePhase::over;
}

}  // namespace

const char* role_word(Role role) {
  return role == Role::sender ? "senders" : role == Role::broker ? "queue" : "receivers";
}

const char* role_title(Role role) {
  return role == Role::sender ? "Senders" : role == Role::broker ? "Queue" : "Receivers";
}

const char* role_title(Role role, plan::Mode mode) {
  if (mode != plan::Mode::request_reply || role == Role::broker) return role_title(role);
  return role == Role::sender ? "Requesters" : "Repliers";
}

void RoleHeader::show_mode(plan::Mode mode) {
  title_->setText(tr(role_title(role_, mode)));
}

figures::Hue hue_of(Role role) {
  return role == Role::sender   ? figures::Hue::sender
         : role == Role::broker ? figures::Hue::queue
                                : figures::Hue::receiver;
}

RoleHeader::RoleHeader(Role role, QWidget* parent)
    : QWidget(parent),
      role_(role),
      title_(new theme::Label(tr(role_title(role)), theme::TextSize::title, tone_of_role(role), this)),
      status_(new theme::Chip(this)),
      button_(new QPushButton(this)) {
  auto* layout = theme::row_in(this, theme::kSpace2);
  layout->addWidget(title_);
  layout->addWidget(status_);
  layout->addStretch(1);
  layout->addWidget(button_);
  status_->setAccessibleName(tr("%1 status").arg(role_title(role)));
  theme::make_flat(*button_);
  connect(button_, &QPushButton::clicked, this, &RoleHeader::on_pressed);
  show_status({});
  show_button();
}

void RoleHeader::set_blocked(const QString& reason) {
  if (reason == blocked_) return;
  blocked_ = reason;
  show_button();
}

void RoleHeader::show_status(const run::RoleStatus& status, uint32_t services) {
  const QString whole = QString::fromStdString(status.text.empty() ? to_text(status.doing) : status.text);
  status_->show_text(tone_of_status(status), word_of(status, services));
  const QString said = tr("State of the %1: %2").arg(role_word(role_), whole);
  status_->setToolTip(theme::plain_tip(said));
  status_->setAccessibleDescription(said);
  if (status.phase == phase_) return;
  phase_ = status.phase;
  show_button();
}

void RoleHeader::add_button(QWidget* button) {
  auto* row = static_cast<QHBoxLayout*>(layout());
  row->insertWidget(row->count() - 1, button);
}

void RoleHeader::on_pressed() {
  if (startable(phase_)) {
    since_start_.start();
    Q_EMIT start();
  } else if (!since_start_.isValid() || since_start_.hasExpired(QApplication::doubleClickInterval())) {
    Q_EMIT stop();
  }
}

void RoleHeader::show_button() {
  const QString word = role_word(role_);
  const bool start = startable(phase_);
  button_->setText(start ? tr("Start") : tr("Stop"));
  button_->setIcon(theme::icon(start ? "start" : "stop"));
  button_->setAccessibleName((start ? tr("Start %1") : tr("Stop %1")).arg(word));
  button_->setEnabled(phase_ != run::RolePhase::stopping && (!start || blocked_.isEmpty()));
  if (start && !blocked_.isEmpty())
    button_->setToolTip(theme::plain_tip(blocked_));
  else if (start)
    button_->setToolTip(role_ == Role::broker ? tr("Starts the queue; it waits for senders and receivers.")
                                              : tr("Starts the %1; they wait for the other roles.").arg(word));
  else if (role_ == Role::sender)
    button_->setToolTip(tr("The senders stop sending; messages in flight are still delivered, then the run ends."));
  else if (role_ == Role::receiver)
    button_->setToolTip(tr("The receivers leave the run."));
  else
    button_->setToolTip(tr("The queue ends the run."));
}

}  // namespace n2nq::ui

#include "moc_role_header.cpp"
