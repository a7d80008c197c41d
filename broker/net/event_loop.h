// One thread's event loop over epoll, edge-triggered: a descriptor is registered once and never modified, so that
// steady state makes no epoll_ctl call. A handler that leaves bytes unread must remember so and call keep_turning().
// Thread: everything runs on the thread of run(), except post() and stop().
#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"

namespace n2nq::net {

class EventLoop {
 public:
  // One handler a descriptor: remove() drops what is pending for the handler, so a second descriptor of the same one
  // would lose its edge.
  class Handler {
   public:
    virtual ~Handler() = default;
    // `events` are epoll's bits. Called on the loop's thread, never after remove().
    virtual void on_events(uint32_t events) = 0;
  };

  static constexpr uint32_t kReadWrite = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  static constexpr uint32_t kRead = EPOLLIN | EPOLLRDHUP | EPOLLET;

  EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void add(int fd, uint32_t events, Handler* handler);
  // Before the descriptor is closed. The handler gets no further call, not even from the batch under way.
  void remove(int fd, Handler* handler);

  // Called after each batch of events: the place to write what the batch produced.
  void on_turn_end(std::function<void()> hook) { turn_end_ = std::move(hook); }
  // The next turn starts without waiting for events.
  void keep_turning() { keep_turning_ = true; }

  // Runs until stop(). Posted functions run between batches.
  void run();
  void stop();
  // Any thread: runs `task` on the loop's thread soon.
  void post(std::function<void()> task);

  uint64_t wakeups() const { return wakeups_; }

 private:
  void wake();
  void run_posted();

  static constexpr int kBatch = 256;
  Fd epoll_;
  Fd wake_;
  epoll_event batch_[kBatch];
  int batch_at_ = 0;
  int batch_size_ = 0;
  bool keep_turning_ = false;
  std::atomic<bool> stopping_ = false;
  uint64_t wakeups_ = 0;
  std::function<void()> turn_end_;
  std::mutex posted_mutex_;
  std::vector<std::function<void()>> posted_;
  std::atomic<bool> has_posted_ = false;
};

}  // namespace n2nq::net
