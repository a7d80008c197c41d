// Calls once it is time for what is due next in a run, in times of the run's own clock. UI thread.
#pragma once

#include <QTimer>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace n2nq::run {

class DueTimer {
 public:
  explicit DueTimer(std::function<void()> due) : due_(std::move(due)) {
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { due_(); });
  }

  // An hour at most: whoever is called looks again.
  void wait(int64_t left_ns) {
    constexpr int64_t kMs = 1'000'000;
    constexpr int64_t kLongestMs = 3'600'000;
    timer_.start(std::chrono::milliseconds(std::clamp<int64_t>((left_ns + kMs - 1) / kMs, 0, kLongestMs)));
  }
  void stop() { timer_.stop(); }

 private:
  std::function<void()> due_;
  QTimer timer_;
};

}  // namespace n2nq::run
