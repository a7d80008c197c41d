#include "ui/theme/progress_line.h"

#include <QPainter>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/tokens.h"

namespace n2nq::ui::theme {

ProgressLine::ProgressLine(const QString& accessible_name, QWidget* parent) : QProgressBar(parent) {
  setAccessibleName(accessible_name);
  setRange(0, kSteps);
  setValue(0);
  setTextVisible(false);
  setFixedHeight(kSpace1);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProgressLine::show_share(double share) {
  setValue(static_cast<int>(std::lround(share * kSteps)));
}

void ProgressLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const QRectF whole(rect());
  const double round = whole.height() / 2;
  painter.setBrush(surface(Surface::line));
  painter.drawRoundedRect(whole, round, round);
  if (value() <= minimum()) return;
  QRectF done = whole;
  done.setWidth(std::max(whole.height(), whole.width() * value() / kSteps));
  if (isRightToLeft()) done.moveRight(whole.right());
  painter.setBrush(surface(Surface::accent));
  painter.drawRoundedRect(done, round, round);
}

}  // namespace n2nq::ui::theme

#include "moc_progress_line.cpp"
