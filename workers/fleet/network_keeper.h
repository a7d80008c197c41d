// Measures the round trip of the network to the broker's host, by ICMP echo, or by how long a TCP connection to the
// broker's port takes where echoes are not let out or not answered. A few at first, then one a second; one at a time.
// Thread: the control loop's. States: idle -> waiting for an answer -> pausing -> waiting ...; held from hold() to
// go_on(), while something else fills the way; stopped by stop().
#pragma once

#include <cstdint>
#include <optional>

#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "workers/fleet/icmp_echo.h"
#include "workers/fleet/round_trips.h"

namespace n2nq::fleet {

class NetworkKeeper final : private net::EventLoop::Handler {
 public:
  struct Pace {
    uint64_t first = 5;  // so many, first_period_ns apart
    int64_t first_period_ns = 50'000'000;
    int64_t period_ns = 1'000'000'000;
    int64_t patience_ns = 1'000'000'000;      // for an answer
    int64_t first_patience_ns = 500'000'000;  // as long as there was none at all
    uint64_t unanswered_until_closed = 2;     // echoes in a row from the first on: then ICMP counts as closed
  };

  NetworkKeeper(net::EventLoop& loop, const net::Endpoint& broker, RoundTrips& into, Pace pace);
  NetworkKeeper(net::EventLoop& loop, const net::Endpoint& broker, RoundTrips& into)
      : NetworkKeeper(loop, broker, into, Pace{}) {}
  ~NetworkKeeper() override;

  void start();
  // Nothing is asked, and what is under way is neither answered nor lost.
  void hold();
  void go_on();
  void stop();

 private:
  void on_events(uint32_t events) override;
  void on_due();
  void ask();
  void ask_by_echo();
  void ask_by_connecting();
  void hear_echo();
  void hear_connection();
  void answered(int64_t round_trip_ns);
  void unanswered();
  void pause();
  void leave_icmp();
  void forget();  // what is under way
  void let_go();  // of the descriptor in use

  static constexpr int kReadsPerTurn = 64;

  net::EventLoop& loop_;
  net::Endpoint broker_;
  RoundTrips& into_;
  Pace pace_;
  net::Timer timer_;
  net::Timer read_on_;  // what one turn left
  std::optional<IcmpEcho> echo_;
  Fd connecting_;
  bool running_ = false;
  bool held_ = false;
  bool waiting_ = false;
  uint16_t sequence_ = 0;
  int64_t asked_ns_ = 0;       // monotonic
  int64_t asked_wall_ns_ = 0;  // the same moment, as the kernel stamps answers
};

}  // namespace n2nq::fleet
