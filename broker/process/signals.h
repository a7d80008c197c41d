// SIGTERM and SIGINT as events of a loop. Make it before any thread starts: it blocks them for all. Thread: the loop's.
#pragma once

#include <functional>

#include "broker/net/event_loop.h"
#include "broker/net/fd.h"

namespace n2nq::process {

class Signals final : private net::EventLoop::Handler {
 public:
  Signals(net::EventLoop& loop, std::function<void(int signal)> on_signal);
  ~Signals() override;

 private:
  void on_events(uint32_t events) override;

  net::EventLoop& loop_;
  std::function<void(int)> on_signal_;
  net::Fd fd_;
};

}  // namespace n2nq::process
