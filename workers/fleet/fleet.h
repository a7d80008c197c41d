// Conducts a fleet from start to summary: joins it, says READY, stops it on demand, notices its end, and decides the
// exit code. Thread: main, which runs the control loop; the FleetEvents come from the loops' threads and are posted
// over. States: preparing -> joining -> ready -> running -> finishing; told to stop it goes on, but drains.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "broker/base/exit_code.h"
#include "broker/net/event_loop.h"
#include "broker/process/signals.h"
#include "workers/fleet/clock_keeper.h"
#include "workers/fleet/control_desk.h"
#include "workers/fleet/fleet_context.h"
#include "workers/fleet/fleet_role.h"
#include "workers/fleet/live_figures.h"
#include "workers/fleet/network_keeper.h"
#include "workers/fleet/options.h"
#include "workers/fleet/way_look.h"

namespace n2nq::fleet {

class Fleet final : private FleetEvents {
 public:
  Fleet(wire::Role role_on_wire, std::string noun, const WorkerOptions& options, std::unique_ptr<FleetRole> role);
  ~Fleet() override;

  // Everything; returns the exit code.
  ExitCode run();

 private:
  // Before anything connects.
  Result<void> prepare();
  Result<void> check_descriptors() const;
  Result<void> open_logs();
  void say_ready();
  void hear_hello(const control::Token& token, const control::BusAccess& access);
  Result<void> trust_broker(const std::string& certificate);

  // Joining.
  void join();
  control::BusFacts bus_facts(const Beginning& beginning) const;
  std::optional<net::Endpoint> way_end() const;
  void measure_clock();
  void take_clock(const ClockView& view);
  void try_ready();

  // What it is told.
  ControlDesk::Callbacks desk_callbacks();
  Result<void> obey(const control::Command& command);
  Result<void> look(const control::LookCommand& command);
  void hold_round_trips(bool held);
  void control_lost(const std::string& why);
  void on_signal(int signal);
  void stop(const std::string& why);

  // The end.
  void fail_with(ExitCode code, const std::string& reason);
  void on_all_ended();
  void finish();
  void close_logs();
  ExitCode sum_up();
  std::optional<control::ClockFigures> clock_now() const;

  template <class Task>
  void each_loop(Task task);

  // From the loops' threads.
  void loop_joined(const std::optional<wire::Welcome>& welcome) override;
  void loop_begun(const Beginning& beginning) override;
  void service_lost(uint32_t slot, const transport::Loss& loss) override;
  void service_told(uint32_t slot, const std::string& text) override;
  void peer_announced(const wire::Address& address) override;
  void loop_linked() override;
  void clock_announced(const wire::Clock& clock) override;
  void tally_announced(const wire::Tally& tally) override;
  void told_end(wire::EndReason reason) override;
  void loop_ended() override;

  const WorkerOptions& options_;
  FleetContext context_;
  Complaints complaints_;
  net::EventLoop events_;
  process::Signals signals_;
  ControlDesk desk_;
  std::vector<std::unique_ptr<log::LogQueue>> log_queues_;
  std::unique_ptr<log::LogWriter> log_writer_;
  std::once_flag log_begun_;
  RoundTrips round_trips_;
  std::unique_ptr<ClockKeeper> clock_keeper_;
  std::unique_ptr<NetworkKeeper> network_keeper_;
  std::unique_ptr<WayLook> way_look_;
  std::unique_ptr<FleetRole> role_;  // its loops use what is above
  LiveFigures live_;

  std::optional<wire::Welcome> welcome_;
  bool joining_ = false;
  bool clock_known_ = false;
  bool started_ = false;  // told to begin, or nobody has to tell
  bool ready_sent_ = false;
  bool begun_ = false;
  bool stopping_ = false;
  bool control_lost_ = false;
  bool finishing_ = false;
  size_t loops_joined_ = 0;
  size_t loops_linked_ = 0;
  size_t loops_ended_ = 0;
  std::optional<wire::EndReason> end_reason_;  // nothing: it was not told
  std::optional<ExitCode> failure_;
  std::string reason_;
};

}  // namespace n2nq::fleet
