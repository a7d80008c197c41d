// Measures how this worker's clock stands to the broker's, over a connection of its own: a burst of probes at the
// start, then often until the drift is known, then a few each second, and a burst at the end. Nobody is told an offset
// before half a second of probes has confined the drift. Thread: the control loop's. States: joining -> bursting ->
// keeping -> (last burst) -> over; over at once when the connection is lost.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "broker/net/timer.h"
#include "workers/control/summary.h"
#include "workers/fleet/fleet_context.h"
#include "workers/fleet/round_trips.h"
#include "workers/measure/clock_offset.h"
#include "workers/transport/bus_connection.h"

namespace n2nq::fleet {

class ClockKeeper final : private transport::BusEvents {
 public:
  struct Callbacks {
    std::function<void(const ClockView&)> on_estimate;          // after each burst, once the drift is confined
    std::function<void(const transport::Loss&)> on_unmeasured;  // there will be no estimate at all
  };

  // Round trips of the probes go `into`, but for those that began or ended while that was held.
  ClockKeeper(net::EventLoop& loop, const FleetContext& context, RoundTripSeries& into, Callbacks callbacks);

  void start() { connection_.start(); }
  // Nothing is stamped any more. A last burst, as far as the broker is still there; then `then`.
  void finish(std::function<void()> then);

  // The run begins: what was in force before counts no more.
  void begin();

  bool known() const { return told_.has_value(); }
  control::ClockFigures figures() const;  // without the intervals
  control::ClockFigures figures_with_intervals() const;

 private:
  void on_welcome(const wire::Welcome& welcome) override;
  void on_begin(const wire::Begin&) override {}
  void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override;
  void on_closed() override { over(); }
  void on_lost(const transport::Loss& loss) override;

  void burst(int probes);
  void probe();
  void burst_done();
  void tell(const ClockView& view);
  void widen(const HeldOffset& held);
  HeldOffset widest() const;
  void over();

  static constexpr int kFirstBurst = 16;
  static constexpr int kEachTime = 2;
  // The bound grows with the time since the last probe, fast while the drift is unknown.
  static constexpr int64_t kFirstPeriodNs = 50'000'000;
  static constexpr int64_t kPeriodNs = 250'000'000;
  static constexpr int64_t kSettledNs = 500'000'000;  // after the first burst
  // A CLOCK waits in the broker for up to 100 ms and is a while under way.
  static constexpr int64_t kUnderWayNs = 200'000'000;
  static constexpr int64_t kDriftKnownNs = 3'000'000'000;  // after the first burst
  static constexpr int64_t kLastBurstNs = 500'000'000;     // at most

  const FleetContext& context_;
  RoundTripSeries& round_trips_;
  Callbacks callbacks_;
  transport::BusLoop bus_;
  transport::BusConnection connection_;
  net::Timer again_;
  net::Timer last_deadline_;
  measure::OffsetEstimator estimator_;
  int left_ = 0;  // probes of the burst under way
  int64_t sent_ns_ = 0;
  bool sent_while_held_ = false;
  int64_t first_ns_ = 0;                  // when the first burst was done
  std::vector<ClockView> in_use_;         // with somebody who has not heard of the next one yet
  std::optional<ClockView> told_;         // in force
  std::optional<HeldOffset> widest_;      // since BEGIN, as far as it was meant
  std::optional<int64_t> used_until_ns_;  // nothing is stamped any more
  bool over_ = false;
  std::function<void()> then_;
};

}  // namespace n2nq::fleet
