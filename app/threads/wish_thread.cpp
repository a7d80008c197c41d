#include "app/threads/wish_thread.h"

#include <utility>

namespace n2nq::threads {

WishThread::WishThread() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

WishThread::~WishThread() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void WishThread::finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void WishThread::wish(int kind, Task task) {
  drop(kind);
  wish_again(kind, std::move(task));
}

void WishThread::wish_again(int kind, Task task) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(waiting_, [kind](const Wish& one) { return one.kind == kind; });
    ++last_;
    unanswered_.try_emplace(kind, Wanting{.first = last_, .last = last_}).first->second.last = last_;
    waiting_.push_back({.kind = kind, .number = last_, .task = std::move(task)});
  }
  wake_.notify_one();
}

void WishThread::drop(int kind) {
  const std::lock_guard lock(mutex_);
  unanswered_.erase(kind);
  std::erase_if(waiting_, [kind](const Wish& one) { return one.kind == kind; });
}

bool WishThread::is_busy() const {
  const std::lock_guard lock(mutex_);
  return !unanswered_.empty();
}

bool WishThread::counts(const Wish& wish) const {
  const std::lock_guard lock(mutex_);
  const auto wanting = unanswered_.find(wish.kind);
  return wanting != unanswered_.end() && wish.number >= wanting->second.first;
}

void WishThread::answer(int kind, uint64_t number, const PostBox::Call& call) {
  {
    const std::lock_guard lock(mutex_);
    const auto wanting = unanswered_.find(kind);
    if (wanting == unanswered_.end() || number < wanting->second.first) return;
    if (number == wanting->second.last) unanswered_.erase(wanting);
  }
  if (call) call();
}

void WishThread::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, stop, [this] { return finishing_ || !waiting_.empty(); });
    if (stop.stop_requested() || waiting_.empty()) return;
    Wish wish = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    lock.unlock();
    auto call = wish.task([&] { return !stop.stop_requested() && counts(wish); });
    box_.put([this, kind = wish.kind, number = wish.number, call = std::move(call)] { answer(kind, number, call); });
    wish.task = nullptr;  // with what it holds, outside the mutex
    lock.lock();
  }
}

}  // namespace n2nq::threads
