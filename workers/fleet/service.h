// One service of a fleet: its number, its connection, and where it stands. Senders and receivers add what they do.
// Thread: its loop's. States: joining -> joined -> running -> leaving -> ended; ended is reached from all.
#pragma once

#include <cstdint>
#include <string>

#include "workers/control/telemetry.h"
#include "workers/fleet/fleet_context.h"
#include "workers/transport/bus_connection.h"

namespace n2nq::fleet {

class ServiceLoop;

class Service : public transport::BusEvents {
 public:
  Service(ServiceLoop& loop, uint32_t slot, wire::Hello hello);

  uint32_t slot() const { return slot_; }  // 0 for the first of the process
  uint32_t number() const { return number_; }
  transport::BusConnection& connection() { return connection_; }
  const wire::Welcome& welcome() const { return welcome_; }
  control::ServiceState state() const;
  bool running() const { return running_; }
  bool ended() const { return ended_; }

  void start() { connection_.start(); }
  // The run has begun for this service, and its clock is known.
  void run(const Beginning& beginning);
  // Send no more, ask for no more, drain, leave.
  void stop();

 protected:
  // Whether this service can do with what WELCOME says.
  virtual Result<void> accept(const wire::Welcome&) { return {}; }
  virtual void begin(const Beginning& beginning) = 0;
  virtual void stop_running() = 0;
  // Told to stop when the connection is gone, while something is left to do.
  virtual void stop_draining() {}
  virtual uint64_t bye_count() const = 0;
  virtual bool takes_bytes() { return true; }
  virtual bool paused() const { return false; }
  // False as long as something is left to do after the connection is gone; then end_if_drained() is called again.
  virtual bool drained() const { return true; }

  void end_if_drained();
  void leave() { connection_.leave({.count = bye_count()}); }

 private:
  void on_welcome(const wire::Welcome& welcome) final;
  void on_begin(const wire::Begin& begin) final;
  void on_told(const std::string& text) final;
  void on_closed() final;
  void on_lost(const transport::Loss& loss) final;
  bool wants_bytes() final { return !awaits_clock_ && takes_bytes(); }
  bool takes_frames() final { return !awaits_clock_; }

  ServiceLoop& loop_;
  uint32_t slot_;
  uint32_t number_;
  wire::Welcome welcome_;
  bool welcomed_ = false;
  bool awaits_clock_ = false;
  bool running_ = false;
  bool gone_ = false;  // the connection
  bool failed_ = false;
  bool ended_ = false;
  transport::BusConnection connection_;
};

}  // namespace n2nq::fleet
