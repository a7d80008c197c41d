// The routers on the way to a host, by datagrams that may only go so far (traceroute), without privileges:
// the kernel hands on what routers answer. Two rounds of at most a second; over sooner where all is known. Thread: the
// control loop's. States: idle -> asking -> over.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "broker/net/timer.h"
#include "workers/control/events.h"

namespace n2nq::fleet {

class PathLook final : private net::EventLoop::Handler {
 public:
  // `then` comes once, from the loop.
  PathLook(net::EventLoop& loop, const net::Endpoint& to, std::function<void(control::PathFigures)> then);
  ~PathLook() override;

  void start();

 private:
  static constexpr size_t kMostHops = 30;
  static constexpr int kRounds = 2;
  static constexpr int64_t kRoundNs = 1'000'000'000;

  struct Hop {
    int64_t asked_ns = 0;
    bool answered = false;
    bool reached = false;  // it was the host itself that answered
    control::PathFigures::Hop figures{};
  };

  void on_events(uint32_t events) override;
  void ask();
  bool send(size_t hop);
  bool read_answer();
  void take_answer(size_t hop, const std::string& who, bool reached);
  bool all_known() const;
  size_t last_hop() const;  // the first at which the host answered, or that of the last router
  void finish();

  net::EventLoop& loop_;
  net::Endpoint to_;
  std::function<void(control::PathFigures)> then_;
  net::Timer timer_;
  Fd fd_;
  std::array<Hop, kMostHops> hops_{};  // by the number of hops that its datagrams may go, less one
  int rounds_ = 0;
  std::string trouble_;
};

}  // namespace n2nq::fleet
