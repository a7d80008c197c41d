// Counts how long a message has been read: only while it is in sight, its window is active, and neither the pointer nor
// the focus is in it. UI thread.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>

class QWidget;

namespace n2nq::ui::theme {

class ToastClock : public QObject {
  Q_OBJECT

 public:
  static constexpr std::chrono::milliseconds kTick{500};
  static constexpr int kTicks = 12;  // six seconds

  // `over` is called once after that many ticks. Belongs to `toast`.
  ToastClock(QWidget& toast, std::function<void()> over);

  void start();
  void stop();
  bool is_running() const { return timer_.isActive(); }
  void tick();  // once every kTick

 private:
  bool is_being_read() const;

  QWidget& toast_;
  std::function<void()> over_;
  QTimer timer_;
  int ticks_ = 0;
};

}  // namespace n2nq::ui::theme
