#include "ui/theme/toast_clock.h"

#include <QApplication>
#include <QWidget>
#include <utility>

namespace n2nq::ui::theme {

ToastClock::ToastClock(QWidget& toast, std::function<void()> over)
    : QObject(&toast), toast_(toast), over_(std::move(over)) {
  timer_.setInterval(kTick);
  connect(&timer_, &QTimer::timeout, this, &ToastClock::tick);
}

void ToastClock::start() {
  ticks_ = 0;
  timer_.start();
}

void ToastClock::stop() {
  timer_.stop();
}

void ToastClock::tick() {
  if (!is_running() || is_being_read() || !toast_.isVisible() || !toast_.isActiveWindow()) return;
  if (++ticks_ < kTicks) return;
  stop();
  over_();
}

bool ToastClock::is_being_read() const {
  const QWidget* focus = QApplication::focusWidget();
  return toast_.underMouse() || (focus != nullptr && (focus == &toast_ || toast_.isAncestorOf(focus)));
}

}  // namespace n2nq::ui::theme

#include "moc_toast_clock.cpp"
