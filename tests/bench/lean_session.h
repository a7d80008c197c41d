// What the lean clients of the bench share: the plan of one measurement, joining the bus, and the counters the sender
// thread and the receiver thread show each other. The wire is the whole of docs/protocol.md that a sender and a
// receiver without wishes need; everything else a worker does (logs, checks, telemetry) is left out on purpose.
#pragma once

#include <atomic>
#include <cstdint>
#include <future>
#include <vector>

#include "broker/base/fd.h"
#include "broker/base/result.h"
#include "broker/wire/frames.h"
#include "tests/bench/now.h"

namespace n2nq::bench {

struct Plan {
  uint16_t port = 0;
  wire::Mode mode = wire::Mode::broadcaster;
  uint32_t senders = 1;
  uint32_t receivers = 1;
  uint32_t payload_bytes = 50;
  int64_t delay_ns = 0;  // between two messages of one sender; 0 = saturated
  int64_t duration_ns = 0;
  int64_t warmup_ns = 0;  // from the start, part of the duration, not measured
  uint64_t window = 0;    // saturated: messages under way at most
  int64_t deadline_ns = 0;

  bool saturated() const { return delay_ns == 0; }
  uint32_t frame_bytes() const { return static_cast<uint32_t>(wire::kDataHeaderBytes) + payload_bytes; }
  uint64_t warmup_messages() const {  // of each sender, paced
    return saturated() ? 0 : static_cast<uint64_t>((warmup_ns + delay_ns - 1) / delay_ns);
  }
  uint64_t messages_per_sender() const {  // paced
    return static_cast<uint64_t>((duration_ns + delay_ns - 1) / delay_ns);
  }
};

struct Shared {
  // Written by the receivers: deliveries in all, and messages that no longer count against the window (broadcaster:
  // those the slowest receiver has).
  alignas(64) std::atomic<uint64_t> delivered = 0;
  std::atomic<uint64_t> collected = 0;
  // Written by the senders: asleep until `collected` reaches `wake_at`.
  alignas(64) std::atomic<uint64_t> wake_at = kAwake;
  std::atomic<bool> failed = false;
  Fd wake;  // eventfd of the senders
  std::promise<int64_t> started;
  // The span that is measured is over: saturated senders stop, paced ones say DONE.
  std::atomic<bool> span_over = false;

  static constexpr uint64_t kAwake = ~uint64_t{0};

  Shared();
  void publish(uint64_t all, uint64_t slowest);
  void end_span();
  bool given_up(const Plan& plan) const {
    return failed.load(std::memory_order_relaxed) || now_ns() > plan.deadline_ns;
  }
};

// One service of the bus, joined: HELLO went out, WELCOME came in, the socket is non-blocking from here on.
struct Link {
  Fd fd;
  uint32_t number = 0;
  std::vector<uint8_t> partial;  // the begin of a frame whose rest is still under way
};
Result<std::vector<Link>> join_all(const Plan& plan, wire::Role role);

// Sends a small frame whole; the kernel has room for it or the bench fails.
Result<void> send_whole(const Link& link, const wire::Bytes& bytes);
// The broker's ERROR as ours.
Error refusal(wire::Frame frame);

}  // namespace n2nq::bench
