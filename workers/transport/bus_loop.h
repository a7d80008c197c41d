// What the connections of one event loop share: the read buffer, the clock, the list of those that left bytes unread,
// and the order in which they join. At most kHandshakes are between connecting and WELCOME at a time, so that a large
// fleet overruns neither a listen backlog nor the broker's limit. One thread, the loop's.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/base/ring.h"
#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "workers/measure/worker_clock.h"
#include "workers/transport/frame_splitter.h"

namespace n2nq::transport {

class BusConnection;

class BusLoop {
 public:
  static constexpr size_t kHandshakes = 64;
  static constexpr int64_t kNever = INT64_MAX;

  // A connection without WELCOME at `give_up_ns` (machine clock) is given up; kNever: try for ever.
  BusLoop(net::EventLoop& events, measure::WorkerClock clock, int64_t give_up_ns);

  net::EventLoop& events() { return events_; }
  ReadBuffer& buffer() { return buffer_; }
  const measure::WorkerClock& clock() const { return clock_; }
  int64_t give_up_ns() const { return give_up_ns_; }

  // Joining: a connection enlists once, gets connect() when it is its turn, and says when that handshake is over (after
  // WELCOME, or failed); then it may ask for another turn later.
  void enlist(BusConnection& connection);
  void enlist_again(BusConnection& connection, int64_t when_ns);
  void handshake_over();

  // Calls connection.read_on() in the next turn.
  void read_again(BusConnection& connection);
  // At the end of each turn of the event loop.
  void turn_end();

  // Calls connection.close_now() at `when_ns`, unless it is closed by then.
  void close_at(BusConnection& connection, int64_t when_ns);

 private:
  struct Later {
    int64_t when_ns;
    BusConnection* connection;
    bool operator>(const Later& other) const { return when_ns > other.when_ns; }
  };

  void admit();
  void wake_sleepers();
  void give_up();
  void close_due();

  net::EventLoop& events_;
  measure::WorkerClock clock_;
  int64_t give_up_ns_;
  ReadBuffer buffer_;
  net::Timer later_timer_;
  net::Timer give_up_timer_;
  net::Timer close_timer_;
  Ring<BusConnection*> candidates_;
  std::vector<Later> sleeping_;  // min-heap
  Ring<Later> closing_;          // ascending: every deadline is the same span away
  size_t handshakes_ = 0;
  bool admitting_ = false;
  std::vector<BusConnection*> unread_;
  std::vector<BusConnection*> unread_now_;
  std::vector<BusConnection*> joining_;  // all that ever enlisted; those without WELCOME are given up together
};

}  // namespace n2nq::transport
