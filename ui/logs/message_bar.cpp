#include "ui/logs/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/logs/controls.h"

namespace n2nq::logs {
namespace {

constexpr int kIcon = 2 * theme::kGrid;

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QWidget(parent), icon_(new QLabel), text_(new QLabel) {
  text_->setObjectName("message");
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = make_button("close", tr("Dismiss"), {});
  auto* row = make_row(this);
  row->addWidget(icon_);
  row->addWidget(text_, 1);
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &MessageBar::put_away);
  hide();
}

void MessageBar::say(theme::Status status, const QString& text) {
  icon_->setPixmap(theme::icon(status).pixmap(kIcon, kIcon));
  text_->setText(text);
  text_->setAccessibleName(text);
  show();
}

void MessageBar::put_away() {
  text_->clear();
  hide();
}

}  // namespace n2nq::logs
