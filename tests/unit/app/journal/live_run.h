// Live figures that grow as those of a real run do, second by second.
#pragma once

#include "app/live/live_figures.h"
#include "broker/base/clock.h"

namespace n2nq::journal::test {

// Two senders and one receiver; each step is a second with 100 messages a sender, all received.
struct LiveRun {
  live::LiveFigures figures{2, 1};
  uint32_t senders = figures.add_worker(Role::sender, 1, 2);
  uint32_t receivers = figures.add_worker(Role::receiver, 1, 1);
  int64_t seconds = 0;
  measure::Histogram latency{};

  LiveRun() {
    figures.begin(senders, 0);
    figures.begin(receivers, 0);
  }
  void step(int64_t latency_ns = 80'000);
};

}  // namespace n2nq::journal::test
