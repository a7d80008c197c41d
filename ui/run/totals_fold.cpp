#include "ui/run/totals_fold.h"

#include <QEvent>
#include <QLayout>
#include <QPushButton>

#include "ui/run/role_header.h"
#include "ui/services/role_aggregates.h"
#include "ui/services/service_table.h"
#include "ui/theme/buttons.h"
#include "ui/theme/theme.h"

namespace n2nq::ui {
namespace {

constexpr int kLeastRows = 5;  // that are seen beside the totals, or the totals give way

QString totals_key(Role role) {
  return QString("run/totals-%1").arg(role_word(role));
}

}  // namespace

TotalsFold::TotalsFold(Role role, const Parts& parts, QWidget& room, QSettings& settings)
    : QObject(&room),
      role_(role),
      parts_(parts),
      room_(room),
      settings_(settings),
      button_(new QPushButton(tr("Totals"))) {
  if (const QVariant wanted = settings.value(totals_key(role)); wanted.isValid()) wanted_ = wanted.toBool();
  theme::make_flat(*button_);
  button_->setAccessibleName(tr("Totals of the %1").arg(role_word(role)));
  connect(button_, &QPushButton::clicked, this, &TotalsFold::toggle);
  parts_.table.add_to_bar(*button_);
  room_.installEventFilter(this);
  fit();
}

void TotalsFold::set_shown(bool shown) {
  if (shown == shown_) return;
  shown_ = shown;
  fit();
}

bool TotalsFold::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) fit();
  return QObject::eventFilter(watched, event);
}

void TotalsFold::toggle() {
  wanted_ = parts_.totals.isHidden();
  settings_.setValue(totals_key(role_), *wanted_);
  fit();
}

// The room does not depend on what is shown in it, as long as the least of it has room: so nothing goes to and fro.
void TotalsFold::fit() {
  const int needed =
      parts_.totals.sizeHint().height() + room_.layout()->spacing() + parts_.table.height_for(kLeastRows);
  const bool open = wanted_.value_or(room_.height() >= needed);
  if (!open && parts_.totals.hasFocus()) button_->setFocus();
  parts_.totals.setVisible(shown_ && open);
  say(open);
}

void TotalsFold::say(bool open) {
  const QString tip =
      (open ? tr("Folds away what all %1 add up to.") : tr("Shows what all %1 add up to.")).arg(role_word(role_));
  if (tip == button_->toolTip()) return;
  button_->setToolTip(tip);
  button_->setIcon(theme::icon(open ? "down" : "right"));
}

}  // namespace n2nq::ui

#include "moc_totals_fold.cpp"
