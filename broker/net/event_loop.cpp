#include "broker/net/event_loop.h"

#include <sys/eventfd.h>

#include <cerrno>

#include "broker/base/assert.h"

namespace n2nq::net {

EventLoop::EventLoop() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  N2NQ_ASSERT(epoll_.valid() && wake_.valid());
  add(wake_.get(), EPOLLIN | EPOLLET, nullptr);
}

void EventLoop::add(int fd, uint32_t events, Handler* handler) {
  epoll_event event{.events = events, .data = {.ptr = handler}};
  N2NQ_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0);
}

void EventLoop::remove(int fd, Handler* handler) {
  N2NQ_ASSERT(::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr) == 0);
  for (int i = batch_at_; i < batch_size_; i++)
    if (batch_[i].data.ptr == handler) batch_[i].data.ptr = nullptr;
}

void EventLoop::run() {
  while (!stopping_.load(std::memory_order_relaxed)) {
    const int timeout = keep_turning_ || has_posted_.load(std::memory_order_acquire) ? 0 : -1;
    keep_turning_ = false;
    batch_size_ = ::epoll_wait(epoll_.get(), batch_, kBatch, timeout);
    N2NQ_ASSERT(batch_size_ >= 0 || errno == EINTR);
    wakeups_++;
    for (batch_at_ = 0; batch_at_ < batch_size_; batch_at_++) {
      auto* handler = static_cast<Handler*>(batch_[batch_at_].data.ptr);
      if (handler != nullptr) handler->on_events(batch_[batch_at_].events);
    }
    batch_size_ = 0;
    run_posted();
    if (turn_end_) turn_end_();
  }
  stopping_.store(false, std::memory_order_relaxed);
}

void EventLoop::stop() {
  stopping_.store(true, std::memory_order_relaxed);
  wake();
}

void EventLoop::post(std::function<void()> task) {
  {
    const std::lock_guard lock(posted_mutex_);
    posted_.push_back(std::move(task));
  }
  has_posted_.store(true, std::memory_order_release);
  wake();
}

void EventLoop::wake() {
  // Edge-triggered: each write is a new edge, so the counter is never read. A full counter (2^64) cannot be reached.
  const uint64_t one = 1;
  N2NQ_ASSERT(::write(wake_.get(), &one, sizeof one) == sizeof one);
}

void EventLoop::run_posted() {
  if (!has_posted_.exchange(false, std::memory_order_acq_rel)) return;
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(posted_mutex_);
    tasks.swap(posted_);
  }
  for (auto& task : tasks) task();
}

}  // namespace n2nq::net
