#include "ui/theme/popover.h"

#include <QKeyEvent>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/label.h"
#include "ui/theme/layouts.h"

namespace n2nq::ui::theme {

Popover::Popover(const QString& title, const QString& help, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      locked_(new Label({}, TextSize::caption, Tone::warning, this)),
      body_(new QVBoxLayout) {
  setFrameShape(QFrame::StyledPanel);
  setAccessibleName(tr("%1 editor").arg(title));
  setAccessibleDescription(help);
  locked_->hide();
  locked_->setWordWrap(true);
  auto* said = new Label(help, TextSize::caption, Tone::muted, this);
  said->setWordWrap(true);
  body_->setSpacing(kSpace2);
  auto* layout = column_in(this, kSpace2, {kCardInside, kCardInside, kCardInside, kCardInside});
  layout->addWidget(new Label(title, TextSize::title, Tone::plain, this));
  layout->addWidget(said);
  layout->addWidget(locked_);
  layout->addLayout(body_);
}

void Popover::fit() {
  if (layout() != nullptr) layout()->activate();
  adjustSize();
}

void Popover::open_beside(const QWidget& anchor) {
  anchor_ = &anchor;
  fit();
  place();
  show();
}

// Below what it was opened from, or above where it would leave the screen.
void Popover::place() {
  const QRect screen = anchor_->screen()->availableGeometry();
  const QPoint below = anchor_->mapToGlobal(QPoint(0, anchor_->height() + kSpace1));
  const QPoint above = anchor_->mapToGlobal(QPoint(0, -kSpace1 - height()));
  const bool fits = below.y() + height() <= screen.bottom();
  const QPoint at = fits ? below : above;
  move(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() + 1 - width())),
       std::clamp(at.y(), screen.top(), std::max(screen.top(), screen.bottom() + 1 - height())));
}

void Popover::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  if (anchor_ != nullptr) place();
}

void Popover::set_locked(const QString& reason) {
  locked_->setText(reason);
  locked_->setVisible(!reason.isEmpty());
}

void Popover::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    close();
    return;
  }
  QFrame::keyPressEvent(event);
}

}  // namespace n2nq::ui::theme

#include "moc_popover.cpp"
