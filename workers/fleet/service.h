// One service of a fleet: its number, its connection, and where it stands. Senders and receivers add what they do.
// Thread: its loop's. States: joining -> joined -> running -> leaving -> ended; ended is reached from all.
#pragma once

#include <cstdint>
#include <string>

#include "workers/bus/bus.h"
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
  // A connection that messages travel over, to ask the kernel about; -1: none.
  int fd();
  // What has carried its messages: all links that it had.
  virtual bus::LinkCounters carried();

  void start() { connection_.start(); }
  // The run has begun for this service, and its clock is known.
  void run(const Beginning& beginning);
  // Send no more, ask for no more, drain, leave.
  void stop();

  // Whether it may say now how the clock of its fleet stands to the broker's, for the other role.
  virtual bool announces_clock() { return false; }

  // The service's link to the bus; null where its messages travel over its connection to the broker.
  virtual bus::Link* link() { return nullptr; }

 protected:
  // Makes link(); what it is told comes to this service.
  virtual void make_link(bus::Bus&, bus::LinkEvents&) {}
  // It may start before it knows anybody.
  virtual bool starts_link() const { return true; }
  // There is none when the run begins: open_link() makes it.
  virtual bool comes_later() const { return false; }
  // What comes of a failure is told. Also once the one before is closed.
  void open_link();
  virtual void on_linked() {}
  virtual void on_unlinked() {}  // after finish(), when all is out
  virtual void on_gone() {}      // the connection to the broker is
  // The link is lost in the run. It stays with the broker to say what it knows, and leaves then.
  virtual void on_cut_off() = 0;
  virtual void on_bus_accepted(uint64_t, int64_t) {}
  virtual void on_bus_refused() {}
  virtual void on_bus_unanswered(uint64_t) {}
  virtual void on_bus_answered(const wire::DataHeader&) {}
  // The link may be read on.
  virtual void on_readable() {}
  // Whether this service can do with what WELCOME says.
  virtual Result<void> accept(const wire::Welcome&) { return {}; }
  virtual void begin(const Beginning& beginning) = 0;
  virtual void stop_running() = 0;
  // Told to stop when the connection is gone, while something is left to do.
  virtual void stop_draining() {}
  virtual uint64_t bye_count() const = 0;
  virtual bool takes_bytes() { return true; }
  virtual bool paused() const { return false; }
  virtual bool away() const { return false; }
  // False as long as something is left to do after the connection is gone; then end_if_drained() is called again.
  virtual bool drained() const { return true; }

  // What came in one read with the begin waits until BusConnection::read_on(), as what is in the kernel does; not where
  // messages travel over a link, as the broker's connection then only says how the run goes.
  void hold_frames(bool held) { holds_frames_ = held; }
  void end_if_drained();
  void leave() { connection_.leave({.count = bye_count()}); }

 private:
  // What the link says.
  class LinkSide final : public bus::LinkEvents {
   public:
    explicit LinkSide(Service& service) : service_(service) {}

   private:
    void on_link_ready() override { service_.link_ready(); }
    void on_frame(const wire::Header& header, wire::Frame frame, int64_t read_ns) override {
      if (service_.connection_.open()) service_.on_frame(header, frame, read_ns);
    }
    void on_read_end() override { service_.on_read_end(); }
    bool wants_bytes() override { return service_.running_ && service_.connection_.open() && service_.takes_bytes(); }
    void on_writable() override { service_.on_writable(); }
    void on_accepted(uint64_t count, int64_t answered_ns) override { service_.on_bus_accepted(count, answered_ns); }
    void on_refused() override { service_.on_bus_refused(); }
    void on_unanswered(uint64_t count) override { service_.on_bus_unanswered(count); }
    void on_answered(const wire::DataHeader& message) override { service_.on_bus_answered(message); }
    void on_told(const std::string& text) override { service_.on_told(text); }
    void on_link_closed() override { service_.on_unlinked(); }
    void on_link_lost(const bus::Loss& loss) override { service_.link_lost(loss); }

    Service& service_;
  };

  Result<void> try_to_open_link();
  void link_ready();
  void note_linked();
  void link_lost(const bus::Loss& loss);
  void on_welcome(const wire::Welcome& welcome) final;
  void on_begin(const wire::Begin& begin) final;
  void on_told(const std::string& text) final;
  void on_closed() final;
  void on_lost(const transport::Loss& loss) final;
  bool wants_bytes() final { return !awaits_clock_ && (travels_elsewhere() || takes_bytes()); }
  bool takes_frames() final { return !awaits_clock_ && (travels_elsewhere() || !holds_frames_); }
  bool travels_elsewhere() const;

  ServiceLoop& loop_;
  uint32_t slot_;
  uint32_t number_;
  wire::Welcome welcome_;
  bool welcomed_ = false;
  bool linked_ = false;  // or does without it at first
  bool awaits_clock_ = false;
  bool holds_frames_ = false;
  bool running_ = false;
  bool gone_ = false;  // the connection
  bool failed_ = false;
  bool ended_ = false;
  LinkSide link_side_{*this};
  transport::BusConnection connection_;
};

}  // namespace n2nq::fleet
