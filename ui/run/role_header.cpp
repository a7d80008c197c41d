#include "ui/run/role_header.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kIconSize = 16;

figures::Hue hue_of(Role role) {
  switch (role) {
    case Role::sender:
      return figures::Hue::sender;
    case Role::broker:
      return figures::Hue::queue;
    case Role::receiver:
      break;
  }
  return figures::Hue::receiver;
}

const char* icon_of(Role role) {
  return role == Role::sender ? "sender" : role == Role::broker ? "queue" : "receiver";
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

RoleHeader::RoleHeader(Role role, QWidget* parent)
    : QWidget(parent),
      role_(role),
      icon_(new QLabel(this)),
      title_(new QLabel(role_title(role), this)),
      status_(new QLabel(this)),
      button_(new QPushButton(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(theme::kGrid);
  layout->addWidget(icon_);
  layout->addWidget(title_);
  layout->addWidget(status_, 1);
  layout->addWidget(button_);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  status_->setWordWrap(true);
  status_->setFont(theme::text_font(theme::TextSize::small));
  status_->setAccessibleName(tr("%1 status").arg(role_title(role)));
  status_->setTextFormat(Qt::PlainText);
  connect(button_, &QPushButton::clicked, this, &RoleHeader::on_pressed);
  paint_colors();
  show_button();
}

void RoleHeader::set_blocked(const QString& reason) {
  if (reason == blocked_) return;
  blocked_ = reason;
  show_button();
}

void RoleHeader::show_status(const run::RoleStatus& status) {
  const QString text = QString::fromStdString(status.text);
  if (text != status_->text()) status_->setText(text);
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

void RoleHeader::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) paint_colors();
}

void RoleHeader::paint_colors() {
  const QColor hue = theme::color(hue_of(role_));
  QPalette of_title;
  of_title.setColor(QPalette::WindowText, hue);
  title_->setPalette(of_title);
  QPalette of_status;
  of_status.setColor(QPalette::WindowText, theme::muted_text());
  status_->setPalette(of_status);
  icon_->setPixmap(theme::icon(icon_of(role_), hue).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

}  // namespace n2nq::ui

#include "moc_role_header.cpp"
