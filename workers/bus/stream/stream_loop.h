// What the connections of one event loop share: the read buffer, room to put a write together, alarms, and the place
// where they wait to be destroyed, as none may be while a call of its own is under way. One thread, the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "workers/bus/bus.h"
#include "workers/measure/worker_clock.h"

namespace n2nq::bus {

// What bury() takes.
class Mortal {
 public:
  virtual ~Mortal() = default;
};

class Alarm;

class StreamLoop {
 public:
  static constexpr size_t kReadBytes = 256 * 1024;

  explicit StreamLoop(const LoopParts& parts);
  StreamLoop(const StreamLoop&) = delete;
  StreamLoop& operator=(const StreamLoop&) = delete;

  net::EventLoop& events() { return events_; }
  int64_t now() const { return clock_.now(); }  // as the worker stamps
  const net::SocketWishes& sockets() const { return sockets_; }
  uint32_t number() const { return number_; }  // of the loops of its process, from 0

  // Valid until any connection of the loop reads.
  std::span<uint8_t> read_buffer() { return {read_buffer_.get(), kReadBytes}; }
  // To put a write together; whoever uses it clears it first.
  std::vector<uint8_t>& scratch() { return scratch_; }

  // Destroys it in a later turn.
  void bury(std::unique_ptr<Mortal> dead);

 private:
  friend class Alarm;
  void ring();
  void arm();

  net::EventLoop& events_;
  measure::WorkerClock clock_;
  net::SocketWishes sockets_;
  uint32_t number_;
  std::unique_ptr<uint8_t[]> read_buffer_;
  std::vector<uint8_t> scratch_;
  std::set<std::pair<int64_t, Alarm*>> later_;
  std::vector<Alarm*> soon_;
  std::vector<Alarm*> soon_now_;
  std::vector<std::unique_ptr<Mortal>> dead_;
  std::vector<std::unique_ptr<Mortal>> dead_now_;
  bool soon_armed_ = false;
  net::Timer soon_timer_;
  net::Timer later_timer_;
};

// Calls a function once: in the next turn, or at a time of the machine's clock. Setting it again replaces what was set.
class Alarm {
 public:
  Alarm(StreamLoop& loop, std::function<void()> call) : loop_(loop), call_(std::move(call)) {}
  ~Alarm() { cancel(); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  void set_soon();
  void set_in(int64_t ns);
  void cancel();

 private:
  friend class StreamLoop;
  enum class State { off, soon, later };
  StreamLoop& loop_;
  std::function<void()> call_;
  State state_ = State::off;
  int64_t when_ns_ = 0;
};

}  // namespace n2nq::bus
