// A fleet of receivers: makes its loops, gathers what they measured, and sums it up. Thread: the control loop's.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "workers/fleet/fleet_role.h"
#include "workers/fleet/loop_group.h"
#include "workers/receiver/fleet_seen.h"
#include "workers/receiver/receiver_loop.h"

namespace n2nq::receiver {

class ReceiverFleet final : public fleet::FleetRole {
 public:
  explicit ReceiverFleet(const ReceiverOptions& options);
  ~ReceiverFleet() override { workplace_.stop(); }

  void make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                  const std::vector<log::LogQueue*>& logs) override;
  std::vector<fleet::ServiceLoop*> loops() override { return loops_.all(); }
  fleet::TcpSums tcp() const override { return loops_.tcp(); }
  bus::LinkCounters wire() const override { return loops_.wire(); }
  fleet::Told told() const override { return loops_.told(); }
  void take_tally(const wire::Tally& tally) override;
  void take_clock(const wire::Clock& clock) override;
  void add_bounds(control::ClockFigures& clock) const override;
  Result<void> obey(const control::Command& command) override;
  void collect(std::function<void()> then) override;
  void report(control::TelemetryBuilder& telemetry) override;
  Result<void> write_hlog(measure::HlogWriter& hlog, int64_t start_ns, int64_t length_ns) override;
  std::string summary(const control::Outcome& outcome, const control::ClockFigures& clock,
                      const control::RoundTripFigures& round_trips) const override;
  std::string shortfall() const override;
  std::string log_end(uint32_t slot) const override;

 private:
  void take(ReceiverLoop& loop, ReceiverReport& report);
  fleet::MeasuredLatencies measures() const {
    return {.role = control::Role::receiver, .service_time = options_.service_time.exists()};
  }
  measure::LatencySummary summary_of(Latency latency) const { return measure::summarize(measured_.latencies[latency]); }
  ReceiverCounters total() const;
  control::HadFigures had() const;

  const ReceiverOptions& options_;
  mutable FleetSeen seen_;                           // its tables grow with what is asked
  std::optional<fleet::MessagePool> replies_;        // in request-reply
  std::vector<ReceiverCounters> counters_;           // of each service
  std::vector<ReceiverCounters> reported_;           // as the telemetry last had them
  std::vector<measure::CompactHistogram> services_;  // since BEGIN, warm-up excluded
  ReceiverInterval measured_;                        // since BEGIN
  ReceiverInterval since_report_;
  ReceiverInterval since_hlog_;
  std::map<uint32_t, SenderLosses> losses_;  // by sender, as last collected
  std::map<uint32_t, uint64_t> highest_;     // the same
  std::optional<Tallied> pool_;
  Tallies tallies_;
  int64_t senders_bound_ns_ = 0;  // by how much the senders' clocks may be wrong
  Workplace workplace_;
  fleet::LoopGroup<ReceiverLoop> loops_;
};

}  // namespace n2nq::receiver
