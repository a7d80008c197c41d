#include "ui/theme/page_message.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <utility>

#include "ui/theme/lower_edge.h"

namespace n2nq::theme {
namespace {

constexpr int kIconSize = 2 * kGrid;

}  // namespace

PageMessage::PageMessage(QWidget* page)
    : QFrame(page),
      edge_(new LowerEdge(*this, *page, [this] { return wanted_width(); })),
      icon_(new QLabel(this)),
      text_(new QLabel(this)),
      action_(new QPushButton(this)),
      close_(new QToolButton(this)) {
  setFrameStyle(Box | Plain);  // told from what is below
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  text_->setTextFormat(Qt::PlainText);
  action_->setToolTip(tr("Undoes what the message describes."));
  close_->setAutoRaise(true);
  close_->setFocusPolicy(Qt::TabFocus);
  close_->setAccessibleName(tr("Dismiss"));
  close_->setToolTip(tr("Dismisses this message."));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kGrid, kGrid / 2, kGrid / 2, kGrid / 2);
  row->setSpacing(kGrid);
  row->addWidget(icon_);
  row->addWidget(text_, 1);
  row->addWidget(action_);
  row->addWidget(close_);
  connect(close_, &QToolButton::clicked, this, &QWidget::hide);
  connect(action_, &QPushButton::clicked, this, [this] {
    hide();
    if (const auto chosen = std::exchange(chosen_, {})) chosen();
  });
  hide();
}

void PageMessage::say(Status status, const QString& text) {
  offer(status, text, {}, {});
}

void PageMessage::offer(Status status, const QString& text, const QString& action, std::function<void()> chosen) {
  status_ = status;
  chosen_ = std::move(chosen);
  text_->setText(text);
  text_->setAccessibleName(text);
  action_->setText(action);
  action_->setAccessibleName(action);
  action_->setVisible(!action.isEmpty());
  take_theme();
  show();
  edge_->place();
}

void PageMessage::keep_above(QWidget* other) {
  edge_->keep_above(other);
}

// All of it in lines as they are.
int PageMessage::wanted_width() const {
  const QSize text = text_->fontMetrics().size(0, text_->text());
  return layout()->totalSizeHint().width() - text_->sizeHint().width() + text.width() + kGrid;
}

void PageMessage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return hide();
  QFrame::keyPressEvent(event);
}

void PageMessage::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) take_theme();
}

void PageMessage::take_theme() {
  icon_->setPixmap(icon(status_).pixmap(kIconSize, kIconSize));
  close_->setIcon(icon("close"));
}

}  // namespace n2nq::theme
