// The figures of a run under way: collects from the loops once a tick, makes telemetry lines of it, and once a second
// an interval of the histogram log. Thread: the control loop's. States: stopped, ticking; finish() ends it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "broker/net/event_loop.h"
#include "broker/net/timer.h"
#include "workers/control/telemetry_builder.h"
#include "workers/fleet/control_desk.h"
#include "workers/fleet/fleet_role.h"
#include "workers/fleet/round_trips.h"

namespace n2nq::fleet {

class LiveFigures {
 public:
  LiveFigures(net::EventLoop& loop, const WorkerOptions& options, const FleetContext& context, control::Role role,
              FleetRole& figures, RoundTrips& round_trips, ControlDesk& desk);

  // Before anything else: whether the histogram log can be written. The error names the file.
  Result<void> prepare() const;
  void watch_log(const log::LogWriter* writer) { log_writer_ = writer; }
  // How this worker's clock stands to the broker's; nothing while there is nothing to say of it.
  void ask_clock(std::function<std::optional<control::ClockFigures>()> clock) { clock_ = std::move(clock); }
  void start();
  // The run began: the histogram log starts here.
  void begin(int64_t wall_ns, int64_t machine_ns);
  void forget_controller() { telemetry_.forget_controller(); }
  // Collects once more, writes what is left, then calls `then`; the text is what went wrong with the histogram log.
  void finish(std::function<void(Result<void>)> then);

 private:
  void tick();
  void collected();
  void collect_again();
  int64_t time_of_figures() const;
  void write_telemetry();
  void write_hlog(int64_t now_ns);
  control::ProcessFigures process_figures();
  void take_tcp(const TcpSums& tcp);

  static constexpr int64_t kHlogPeriodNs = 1'000'000'000;
  static constexpr int64_t kTcpPeriodNs = 1'000'000'000;  // as often as the other round trips

  const WorkerOptions& options_;
  const FleetContext& context_;
  control::Role role_;
  FleetRole& figures_;
  RoundTrips& round_trips_;
  int64_t tcp_taken_ns_ = 0;
  ControlDesk& desk_;
  control::TelemetryBuilder telemetry_;
  const log::LogWriter* log_writer_ = nullptr;
  std::function<std::optional<control::ClockFigures>()> clock_;
  net::Timer timer_;
  bool collecting_ = false;
  std::function<void(Result<void>)> then_;

  std::optional<measure::HlogWriter> hlog_;
  Result<void> hlog_state_;
  int64_t hlog_origin_ns_ = 0;
  int64_t hlog_interval_from_ns_ = 0;
};

}  // namespace n2nq::fleet
