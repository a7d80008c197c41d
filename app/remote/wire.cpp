#include "app/remote/wire.h"

#include <utility>

namespace n2nq::remote {

void Wire::attach(threads::PostBox& box, std::function<void()> notice) {
  const std::lock_guard lock(mutex_);
  box_ = &box;
  notice_ = std::move(notice);
}

void Wire::detach() {
  {
    const std::lock_guard lock(mutex_);
    box_ = nullptr;
    notice_ = nullptr;
    wishes_.cancelled = true;
  }
  wake_->wake();
}

void Wire::write(const char* data, qsizetype size) {
  {
    const std::lock_guard lock(mutex_);
    wishes_.input.append(data, size);
  }
  wake_->wake();
}

void Wire::end_input() {
  {
    const std::lock_guard lock(mutex_);
    wishes_.input_ends = true;
  }
  wake_->wake();
}

void Wire::signal(int number) {
  {
    const std::lock_guard lock(mutex_);
    wishes_.signals.push_back(number);
  }
  wake_->wake();
}

void Wire::be_gentle() {
  const std::lock_guard lock(mutex_);
  wishes_.gentle = true;
}

void Wire::ping_every(std::chrono::milliseconds interval, const QByteArray& line) {
  {
    const std::lock_guard lock(mutex_);
    wishes_.ping_interval = interval;
    wishes_.ping = line;
  }
  wake_->wake();
}

Wire::News Wire::take_news() {
  News news;
  {
    const std::lock_guard lock(mutex_);
    noted_ = false;
    std::swap(news, news_);
  }
  if (!news.out.isEmpty() || !news.err.isEmpty()) wake_->wake();  // there is room again
  return news;
}

Wire::Wishes Wire::take_wishes() {
  const std::lock_guard lock(mutex_);
  Wishes wishes = wishes_;
  wishes_.input.clear();
  wishes_.signals.clear();
  return wishes;
}

qsizetype Wire::room() const {
  const std::lock_guard lock(mutex_);
  return kMostWaiting - news_.out.size() - news_.err.size();
}

void Wire::put_out(const char* data, qsizetype size) {
  const std::lock_guard lock(mutex_);
  news_.out.append(data, size);
  note();
}

void Wire::put_err(const char* data, qsizetype size) {
  const std::lock_guard lock(mutex_);
  news_.err.append(data, size);
  note();
}

void Wire::put_end(ExecEnd end) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(ended_, true)) return;
  news_.end = std::move(end);
  note();
}

void Wire::note() {
  if (box_ == nullptr || std::exchange(noted_, true)) return;
  box_->put(notice_);
}

}  // namespace n2nq::remote
