// A fleet of senders: makes its loops, gathers what they measured, and sums it up. Thread: the control loop's.
#pragma once

#include <vector>

#include "workers/fleet/fleet_role.h"
#include "workers/fleet/loop_group.h"
#include "workers/sender/sender_loop.h"

namespace n2nq::sender {

class SenderFleet final : public fleet::FleetRole {
 public:
  explicit SenderFleet(const SenderOptions& options);

  void make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                  const std::vector<log::LogQueue*>& logs) override;
  std::vector<fleet::ServiceLoop*> loops() override { return loops_.all(); }
  fleet::TcpSums tcp() const override { return loops_.tcp(); }
  bus::LinkCounters wire() const override { return loops_.wire(); }
  fleet::Told told() const override { return loops_.told(); }
  void take_address(const wire::Address& address) override;
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
  void take(SenderLoop& loop, const SenderReport& report);
  fleet::MeasuredLatencies measures() const {
    return {
        .role = control::Role::sender, .answers = options_.times_answers(), .replies = options_.reply_from.has_value()};
  }
  measure::LatencySummary summary_of(Latency latency) const { return measure::summarize(measured_.latencies[latency]); }
  control::ServiceRow row(const SenderCounters& now, const SenderCounters& before) const;

  const SenderOptions& options_;
  fleet::MessagePool pool_;
  std::vector<SenderCounters> counters_;  // of each service
  std::vector<SenderCounters> reported_;  // as the telemetry last had them
  SenderInterval measured_;               // since BEGIN
  SenderInterval since_report_;
  SenderInterval since_hlog_;
  int64_t repliers_bound_ns_ = 0;                // by how much the repliers' clocks may be wrong
  std::vector<bus::ForeignOutlet::Peer> peers_;  // on a bus without a server
  fleet::LoopGroup<SenderLoop> loops_;
};

}  // namespace n2nq::sender
