// SIGTERM and SIGINT as events of a loop. Make it before any thread starts: it blocks them for all. Thread: the loop's.
#pragma once

#include <functional>

#include "broker/base/fd.h"
#include "broker/net/event_loop.h"

namespace n2nq::process {

class Signals final : private net::EventLoop::Handler {
 public:
  Signals(net::EventLoop& loop, std::function<void(int signal)> on_signal);
  ~Signals() override;

 private:
  void on_events(uint32_t events) override;

  net::EventLoop& loop_;
  std::function<void(int)> on_signal_;
  Fd fd_;
};

}  // namespace n2nq::process
