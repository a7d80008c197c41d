// How much goes through to the broker: fills a connection of its own for a second, or up to so many bytes, and waits
// until the broker has taken all of it. Before the run only; the broker refuses it later. Thread: the control loop's.
// States: joining -> filling -> waiting for the echo -> over.
#pragma once

#include <cstdint>
#include <functional>

#include "broker/net/timer.h"
#include "workers/control/events.h"
#include "workers/fleet/fleet_context.h"
#include "workers/transport/bus_connection.h"

namespace n2nq::fleet {

class BandwidthLook final : private transport::BusEvents {
 public:
  static constexpr uint64_t kMostBytes = uint64_t{64} << 20;
  static constexpr int64_t kFillNs = 1'000'000'000;
  static constexpr int64_t kPatienceNs = 6'000'000'000;  // for all of it

  // `then` comes once, from the loop; from then on nothing goes out any more.
  BandwidthLook(net::EventLoop& loop, const FleetContext& context, std::function<void(control::BandwidthFigures)> then,
                int64_t patience_ns = kPatienceNs);

  void start();

 private:
  void on_welcome(const wire::Welcome& welcome) override;
  void on_begin(const wire::Begin&) override {}
  void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override;
  void on_writable() override;
  void on_closed() override { finish("the broker closed the connection"); }
  void on_lost(const transport::Loss& loss) override { finish(loss.text); }

  void fill();
  void finish(const std::string& trouble);

  // For what the kernel holds unsent: enough to keep any way busy until this thread's next turn.
  static constexpr int kUnsentBytes = 1 << 20;

  int64_t patience_ns_;
  transport::BusLoop bus_;
  transport::BusConnection connection_;
  net::Timer deadline_;
  std::function<void(control::BandwidthFigures)> then_;
  wire::Bytes frame_;  // the same again and again
  uint64_t sent_ = 0;
  int64_t began_ns_ = 0;
  bool asked_ = false;  // for the echo
};

}  // namespace n2nq::fleet
