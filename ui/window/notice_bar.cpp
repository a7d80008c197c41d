#include "ui/window/notice_bar.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

namespace n2nq::window {
namespace {

constexpr int kIconSize = 16;

}  // namespace

NoticeBar::NoticeBar(theme::Status status, const QString& text, const std::vector<Choice>& choices, QWidget* parent)
    : QFrame(parent),
      status_(status),
      row_(new QHBoxLayout(this)),
      icon_(new QLabel(this)),
      text_(new QLabel(text, this)) {
  setFrameStyle(Box | Plain);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  paint_icon();
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setAccessibleName(tr("Notice"));
  row_->setContentsMargins(2 * theme::kGrid, theme::kGrid / 2, theme::kGrid, theme::kGrid / 2);
  row_->setSpacing(theme::kGrid);
  row_->addWidget(icon_);
  row_->addWidget(text_, 1);
  for (const Choice& choice : choices) add_button(choice);
}

void NoticeBar::close_bar() {
  closed_ = true;
  hide();
  deleteLater();
}

QString NoticeBar::text() const {
  return text_->text();
}

void NoticeBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) paint_icon();
}

void NoticeBar::paint_icon() {
  icon_->setPixmap(theme::icon(status_).pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
}

void NoticeBar::add_button(const Choice& choice) {
  auto* button = new QPushButton(choice.text, this);
  button->setAccessibleName(choice.text);
  button->setToolTip(choice.help);
  row_->addWidget(button);
  if (choice.chosen) asks_ = true;
  if (choice.later) {
    button->setEnabled(false);
    QTimer::singleShot(QApplication::doubleClickInterval(), button, [button] { button->setEnabled(true); });
  }
  connect(button, &QPushButton::clicked, this, [this, chosen = choice.chosen] {
    close_bar();
    if (chosen) chosen();
  });
}

}  // namespace n2nq::window
