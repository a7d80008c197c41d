// What a fleet of senders and one of receivers do differently. Thread: the control loop's, but for what the loops it
// makes do on their own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "broker/base/result.h"
#include "workers/control/commands.h"
#include "workers/control/summary.h"
#include "workers/control/telemetry_builder.h"
#include "workers/fleet/fleet_context.h"
#include "workers/fleet/service_loop.h"
#include "workers/fleet/told.h"
#include "workers/log/log_queue.h"
#include "workers/log/log_writer.h"
#include "workers/measure/hlog.h"

namespace n2nq::fleet {

class FleetRole {
 public:
  virtual ~FleetRole() = default;

  // Once, before anything else. `control`: where the loops send their reports.
  virtual void make_loops(const FleetContext& context, FleetEvents& fleet, net::EventLoop& control,
                          const std::vector<log::LogQueue*>& logs) = 0;
  virtual std::vector<ServiceLoop*> loops() = 0;

  // One receiver's address on a bus without a server, for all loops.
  virtual void take_address(const wire::Address&) {}
  // A sender fleet's CLOCK, for all loops.
  virtual void take_clock(const wire::Clock&) {}
  // What one sender has sent, and which of it nobody answered for, for all loops.
  virtual void take_tally(const wire::Tally&) {}
  // What the bound of this worker's latencies has in it besides its own clock, from all that has been collected.
  virtual void add_bounds(control::ClockFigures&) const {}
  // Pause, resume, request.
  virtual Result<void> obey(const control::Command& command) = 0;

  // Asks every loop what it has measured since the last time; `then` runs when all have answered.
  virtual void collect(std::function<void()> then) = 0;
  // When they did, for the last collect().
  virtual Told told() const = 0;
  // What has been collected since the last call, for the live figures.
  virtual void report(control::TelemetryBuilder& telemetry) = 0;
  virtual TcpSums tcp() const = 0;
  // What the links had carried when they were last collected.
  virtual bus::LinkCounters wire() const = 0;
  // What has been collected since the last call, as one interval. Times are since the start of the log.
  virtual Result<void> write_hlog(measure::HlogWriter& hlog, int64_t start_ns, int64_t length_ns) = 0;

  // The summary line, from all that has been collected.
  virtual std::string summary(const control::Outcome& outcome, const control::ClockFigures& clock,
                              const control::RoundTripFigures& round_trips) const = 0;
  // Whether anything was lost or left unsent. Empty: complete; else what is missing.
  virtual std::string shortfall() const = 0;
  // For the `# end` line of a service's log.
  virtual std::string log_end(uint32_t slot) const = 0;
};

}  // namespace n2nq::fleet
