// Takes log records from one event loop to the log writer without a lock: a ring of bytes, one producer thread, one
// consumer thread. Full means that the service waits, not that a line is lost.
// Threads: try_push() and refused() the producer's; drain() the consumer's.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "broker/base/fd.h"
#include "workers/log/log_record.h"

namespace n2nq::log {

// What the consumer sleeps on, shared by its queues.
class LogWake {
 public:
  LogWake();

  // Any thread: the consumer's next (or present) wait() ends.
  void notify();
  // Consumer: until notify() or the timeout.
  void wait(int timeout_ms);

 private:
  Fd fd_;
};

// A payload as it lies in the ring: in one piece, or in two where the ring ends.
struct LogPayload {
  std::span<const uint8_t> first;
  std::span<const uint8_t> second;
};

class LogQueue {
 public:
  static constexpr size_t kDefaultBytes = 8 * 1024 * 1024;

  // `bytes` is rounded up to a power of two, 4 KiB at least.
  explicit LogQueue(size_t bytes = kDefaultBytes);

  // False: no room. Nothing was taken; keep the record, leave that service alone, and try again once room_fd() says so.
  // A payload beyond largest_content() is cut to that, and flagged.
  bool try_push(const LogRecord& record, std::span<const uint8_t> payload);

  // An eventfd that is written after a refused push, when there is room for it and a quarter of the ring is free. Watch
  // it edge-triggered from the start (EventLoop::kRead); it need not be read. May be written once too often, never too
  // seldom.
  int room_fd() const { return room_fd_.get(); }
  size_t largest_content() const { return capacity_ / 4; }
  size_t capacity() const { return capacity_; }
  uint64_t refused() const { return refused_; }

  // Before the producer starts: whom to wake whenever another quarter has been filled, and on a refused push. Null:
  // nobody.
  void set_wake(LogWake* wake) { wake_ = wake; }

  // Hands over records until the ring is empty or `at_most_bytes` are through; returns the bytes handed over.
  size_t drain(size_t at_most_bytes, const std::function<void(const LogRecord&, const LogPayload&)>& take);

 private:
  void copy_in(uint64_t at, const void* from, size_t bytes);
  void copy_out(uint64_t at, void* to, size_t bytes) const;
  LogPayload payload_at(uint64_t at, size_t bytes) const;
  bool make_room(size_t needed);
  void wake_at_a_quarter(uint64_t before, uint64_t after);
  void publish_head(uint64_t head);

  size_t capacity_;
  std::unique_ptr<uint8_t[]> ring_;
  Fd room_fd_;
  LogWake* wake_ = nullptr;

  // Both count bytes up for ever; their difference is what lies in the ring. Each on a cache line of its own.
  alignas(64) std::atomic<uint64_t> tail_ = 0;  // written by the producer
  uint64_t head_seen_ = 0;                      // producer's: the head as last read
  uint64_t refused_ = 0;
  alignas(64) std::atomic<uint64_t> head_ = 0;    // written by the consumer
  alignas(64) std::atomic<uint64_t> wanted_ = 0;  // bytes that a refused push waits for; 0 = nobody waits
};

}  // namespace n2nq::log
