#include "workers/log/log_queue.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "broker/base/assert.h"

namespace n2nq::log {
namespace {

constexpr size_t kSmallestRing = 4096;
constexpr size_t kAlign = 8;

size_t entry_bytes(size_t content) {
  return sizeof(LogRecord) + sizeof(uint64_t) + (content + kAlign - 1) / kAlign * kAlign;
}

void write_event(int fd) {
  const uint64_t one = 1;
  N2NQ_ASSERT(::write(fd, &one, sizeof one) == sizeof one);
}

}  // namespace

LogWake::LogWake() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  N2NQ_ASSERT(fd_.valid());
}

void LogWake::notify() {
  write_event(fd_.get());
}

void LogWake::wait(int timeout_ms) {
  pollfd wait{.fd = fd_.get(), .events = POLLIN, .revents = 0};
  ::poll(&wait, 1, timeout_ms);
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t n = ::read(fd_.get(), &count, sizeof count);  // nothing to read after a timeout
}

LogQueue::LogQueue(size_t bytes)
    : capacity_(std::bit_ceil(std::max(bytes, kSmallestRing))),
      ring_(std::make_unique_for_overwrite<uint8_t[]>(capacity_)),
      room_fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  N2NQ_ASSERT(room_fd_.valid());
}

bool LogQueue::try_push(const LogRecord& record, std::span<const uint8_t> payload) {
  LogRecord entry = record;
  if (payload.size() > largest_content()) {
    payload = payload.first(largest_content());
    entry.flags |= kLogCut;
  }
  const size_t needed = entry_bytes(payload.size());
  if (!make_room(needed)) {
    refused_++;
    return false;
  }
  const uint64_t tail = tail_.load(std::memory_order_relaxed);
  const uint64_t content = payload.size();
  copy_in(tail, &entry, sizeof entry);
  copy_in(tail + sizeof entry, &content, sizeof content);
  copy_in(tail + sizeof entry + sizeof content, payload.data(), payload.size());
  tail_.store(tail + needed, std::memory_order_release);
  wake_at_a_quarter(tail, tail + needed);
  return true;
}

void LogQueue::wake_at_a_quarter(uint64_t before, uint64_t after) {
  const uint64_t quarter = capacity_ / 4;
  if (wake_ != nullptr && before / quarter != after / quarter) wake_->notify();
}

bool LogQueue::make_room(size_t needed) {
  const uint64_t tail = tail_.load(std::memory_order_relaxed);
  if (capacity_ - (tail - head_seen_) >= needed) return true;
  head_seen_ = head_.load(std::memory_order_acquire);
  if (capacity_ - (tail - head_seen_) >= needed) return true;
  // Say that we wait, then look again: the consumer moves the head, then looks whether somebody waits. In the one order
  // of all sequentially consistent operations one of the two sees the other, so that no wake-up is lost.
  wanted_.store(needed, std::memory_order_seq_cst);
  head_seen_ = head_.load(std::memory_order_seq_cst);
  // The wish stays even if there is room now: it may be another service's too. One event too many does no harm.
  if (capacity_ - (tail - head_seen_) >= needed) return true;
  if (wake_ != nullptr) wake_->notify();
  return false;
}

size_t LogQueue::drain(size_t at_most_bytes, const std::function<void(const LogRecord&, const LogPayload&)>& take) {
  const uint64_t start = head_.load(std::memory_order_relaxed);
  const uint64_t tail = tail_.load(std::memory_order_acquire);
  uint64_t head = start;
  while (head != tail && head - start < at_most_bytes) {
    LogRecord record;
    uint64_t content = 0;
    copy_out(head, &record, sizeof record);
    copy_out(head + sizeof record, &content, sizeof content);
    take(record, payload_at(head + sizeof record + sizeof content, content));
    head += entry_bytes(content);
    // Given back in pieces, so that a waiting service goes on before the whole ring is through.
    if (head - head_.load(std::memory_order_relaxed) >= capacity_ / 16) publish_head(head);
  }
  publish_head(head);
  return head - start;
}

void LogQueue::publish_head(uint64_t head) {
  head_.store(head, std::memory_order_seq_cst);
  const uint64_t wanted = wanted_.load(std::memory_order_seq_cst);
  if (wanted == 0) return;
  const uint64_t in_use = tail_.load(std::memory_order_relaxed) - head;
  if (capacity_ - in_use < std::max<uint64_t>(wanted, capacity_ / 4)) return;
  wanted_.store(0, std::memory_order_seq_cst);  // before the event, so that a wish of now is answered by it
  write_event(room_fd_.get());
}

void LogQueue::copy_in(uint64_t at, const void* from, size_t bytes) {
  const size_t offset = at & (capacity_ - 1);
  const size_t first = std::min(bytes, capacity_ - offset);
  if (first > 0) std::memcpy(ring_.get() + offset, from, first);
  if (bytes > first) std::memcpy(ring_.get(), static_cast<const uint8_t*>(from) + first, bytes - first);
}

void LogQueue::copy_out(uint64_t at, void* to, size_t bytes) const {
  const size_t offset = at & (capacity_ - 1);
  const size_t first = std::min(bytes, capacity_ - offset);
  std::memcpy(to, ring_.get() + offset, first);
  if (bytes > first) std::memcpy(static_cast<uint8_t*>(to) + first, ring_.get(), bytes - first);
}

LogPayload LogQueue::payload_at(uint64_t at, size_t bytes) const {
  const size_t offset = at & (capacity_ - 1);
  const size_t first = std::min(bytes, capacity_ - offset);
  return {.first = {ring_.get() + offset, first}, .second = {ring_.get(), bytes - first}};
}

}  // namespace n2nq::log
