// The routers on the way of the messages, by connections to where they go that may only go so far, all from one port,
// as networks choose a way by addresses and ports: one after the other, over at the first that is answered there, or
// after several that nobody answers. Thread: the control loop's. States: idle -> trying a hop -> ... -> over.
#pragma once

#include <cstdint>
#include <functional>

#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "broker/net/timer.h"
#include "workers/control/events.h"

namespace n2nq::fleet {

class TcpTrace final : private net::EventLoop::Handler {
 public:
  // `source_port`: 0, or one that cannot be had: the kernel chooses. `then` comes once, from the loop.
  TcpTrace(net::EventLoop& loop, const net::Endpoint& to, uint16_t source_port,
           std::function<void(control::PathFigures)> then);
  ~TcpTrace() override;

  void start();

 private:
  static constexpr size_t kMostHops = 30;
  static constexpr size_t kMostSilent = 4;  // in a row
  static constexpr int64_t kHopNs = 500'000'000;

  void on_events(uint32_t events) override;
  void try_hop();
  bool connect();
  void hop_over(control::PathFigures::Hop hop, bool reached = false);
  void let_go();
  void finish();

  net::EventLoop& loop_;
  net::Endpoint to_;
  uint16_t source_port_;
  std::function<void(control::PathFigures)> then_;
  net::Timer timer_;
  Fd fd_;
  int64_t asked_ns_ = 0;
  size_t silent_ = 0;    // at the end
  bool barred_ = false;  // a firewall, or a router that knows no way
  control::PathFigures path_;
};

}  // namespace n2nq::fleet
