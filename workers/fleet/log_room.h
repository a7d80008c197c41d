// A loop's way into its log queue, and the call when a full one has room again. Without a queue nothing is logged.
// Thread: the loop's.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "broker/net/event_loop.h"
#include "workers/log/log_queue.h"

namespace n2nq::fleet {

// A line that waits for room.
struct Unlogged {
  log::LogRecord record;
  std::vector<uint8_t> content;  // as far as the log keeps it
};

class LogRoom final : private net::EventLoop::Handler {
 public:
  LogRoom(net::EventLoop& loop, log::LogQueue* queue, std::function<void()> on_room)
      : loop_(loop), queue_(queue), on_room_(std::move(on_room)) {
    if (queue_ != nullptr) loop_.add(queue_->room_fd(), net::EventLoop::kRead, this);
  }
  ~LogRoom() override {
    if (queue_ != nullptr) loop_.remove(queue_->room_fd(), this);
  }
  LogRoom(const LogRoom&) = delete;
  LogRoom& operator=(const LogRoom&) = delete;

  bool exists() const { return queue_ != nullptr; }
  bool push(const log::LogRecord& record, std::span<const uint8_t> payload) {
    return queue_->try_push(record, log::logged_part(payload));
  }

 private:
  void on_events(uint32_t) override { on_room_(); }

  net::EventLoop& loop_;
  log::LogQueue* queue_;
  std::function<void()> on_room_;
};

}  // namespace n2nq::fleet
