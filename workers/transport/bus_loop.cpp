#include "workers/transport/bus_loop.h"

#include <algorithm>
#include <functional>

#include "broker/base/assert.h"
#include "workers/transport/bus_connection.h"

namespace n2nq::transport {

BusLoop::BusLoop(net::EventLoop& events, measure::WorkerClock clock, int64_t give_up_ns)
    : events_(events),
      clock_(clock),
      give_up_ns_(give_up_ns),
      later_timer_(events, [this] { wake_sleepers(); }),
      give_up_timer_(events, [this] { give_up(); }),
      close_timer_(events, [this] { close_due(); }) {
  if (give_up_ns_ != kNever) give_up_timer_.arm_at(give_up_ns_);
}

void BusLoop::enlist(BusConnection& connection) {
  joining_.push_back(&connection);
  candidates_.push_back(&connection);
  admit();
}

void BusLoop::enlist_again(BusConnection& connection, int64_t when_ns) {
  sleeping_.push_back({when_ns, &connection});
  std::ranges::push_heap(sleeping_, std::greater{});
  later_timer_.arm_at(sleeping_.front().when_ns);
}

void BusLoop::handshake_over() {
  N2NQ_ASSERT(handshakes_ > 0);
  handshakes_--;
  admit();
}

void BusLoop::admit() {
  if (admitting_) return;  // a handshake that failed at once: the loop below goes on
  admitting_ = true;
  while (handshakes_ < kHandshakes && !candidates_.empty()) {
    BusConnection* connection = candidates_.front();
    candidates_.pop_front();
    handshakes_++;
    connection->connect();
  }
  admitting_ = false;
}

void BusLoop::wake_sleepers() {
  const int64_t now = measure::now_ns();
  while (!sleeping_.empty() && sleeping_.front().when_ns <= now) {
    std::ranges::pop_heap(sleeping_, std::greater{});
    candidates_.push_back(sleeping_.back().connection);
    sleeping_.pop_back();
  }
  if (!sleeping_.empty()) later_timer_.arm_at(sleeping_.front().when_ns);
  admit();
}

void BusLoop::give_up() {
  candidates_.clear();
  sleeping_.clear();
  for (BusConnection* connection : std::vector(joining_)) connection->give_up();
}

void BusLoop::read_again(BusConnection& connection) {
  unread_.push_back(&connection);
  events_.keep_turning();
}

void BusLoop::turn_end() {
  unread_now_.swap(unread_);
  for (BusConnection* connection : unread_now_) connection->read_on();
  unread_now_.clear();
}

void BusLoop::close_at(BusConnection& connection, int64_t when_ns) {
  closing_.push_back({when_ns, &connection});
  if (closing_.size() == 1) close_timer_.arm_at(when_ns);
}

void BusLoop::close_due() {
  const int64_t now = measure::now_ns();
  while (!closing_.empty() && closing_.front().when_ns <= now) {
    BusConnection* connection = closing_.front().connection;
    closing_.pop_front();
    connection->close_now();
  }
  if (!closing_.empty()) close_timer_.arm_at(closing_.front().when_ns);
}

}  // namespace n2nq::transport
