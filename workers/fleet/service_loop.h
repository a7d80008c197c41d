// One thread with an event loop and the services it serves; base of the senders' and the receivers' loops.
// Threads: the constructor, start(), finish() and post() the fleet's; everything else its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "broker/net/event_loop.h"
#include "broker/net/socket.h"
#include "workers/bus/bus.h"
#include "workers/fleet/fleet_context.h"
#include "workers/fleet/service.h"
#include "workers/transport/bus_loop.h"

namespace n2nq::fleet {

// What the kernel says of some connections, ready to be added up.
struct TcpSums {
  uint64_t connections = 0;
  uint64_t rtt_us = 0;
  uint64_t rtt_us_max = 0;
  uint64_t cwnd = 0;
  uint64_t retransmits = 0;
  std::vector<uint32_t> fresh_rtt_us{};  // of those that were asked just now
  void add(const TcpSums& other);
};

class ServiceLoop {
 public:
  ServiceLoop(const FleetContext& context, FleetEvents& fleet);
  virtual ~ServiceLoop();
  ServiceLoop(const ServiceLoop&) = delete;
  ServiceLoop& operator=(const ServiceLoop&) = delete;

  // The fleet's side.
  void start();   // the thread, and joining
  void finish();  // ends the thread
  void post(std::function<void()> task) { events_.post(std::move(task)); }

  // On the loop's thread.
  void send_ready();
  void stop();
  // The clock is known, or known better. What waited for it runs.
  void set_clock(const ClockView& clock);
  // Asks the kernel about a few connections, the next ones at each call, so that it costs the same in every fleet.
  TcpSums sample_tcp();
  // What the connections that messages travel over have carried.
  bus::LinkCounters wire() const;

  const FleetContext& context() const { return context_; }
  FleetEvents& fleet() { return fleet_; }
  net::EventLoop& events() { return events_; }
  transport::BusLoop& bus() { return bus_; }
  int64_t now() const { return context_.clock.now(); }
  const ClockView& clock() const { return clock_; }

  // Of the loops of its fleet, from 0; before start().
  void set_number(uint32_t number) { loop_number_ = number; }

  // The services' side.
  // A service has its WELCOME, or will get none.
  void service_joined(const std::optional<wire::Welcome>& welcome);
  // The bus that messages travel over, where it is not our own. Made with the first service's WELCOME, which came over
  // that connection.
  Result<bus::Bus*> other_bus(const wire::Welcome& welcome, int connection_fd);
  void service_linked();
  // Tells the broker, over the connection of `by`, how the clock of services first..last stands to its own.
  void announce_clock(Service& by, uint32_t first, uint32_t last);
  // True: it runs now; false: it has to wait for the clock.
  bool begin_service(Service& service, const wire::Begin& begin);
  void service_told_end(wire::EndReason reason);
  void service_ended();
  void service_failed(Service& service, const transport::Loss& loss);

 protected:
  // No service is left.
  bool ended() const { return ended_ == services_.size(); }
  void add(Service& service) { services_.push_back(&service); }
  virtual void on_turn_end() {}

 private:
  static constexpr size_t kTcpSamples = 32;
  net::SocketFacts socket_facts() const;
  void announce_fleet_clock();
  Result<void> check_bus(const wire::Welcome& welcome) const;
  void begin_now(Service& service, const wire::Begin& begin, bool waited_for_clock = false);

  const FleetContext& context_;
  FleetEvents& fleet_;
  net::EventLoop events_;
  transport::BusLoop bus_;
  std::unique_ptr<bus::Bus> other_bus_;
  uint32_t loop_number_ = 0;
  size_t linked_ = 0;
  std::thread thread_;
  std::vector<Service*> services_;
  std::optional<wire::Welcome> welcome_;
  struct Waiting {
    Service* service;
    wire::Begin begin;
  };
  std::vector<Waiting> waiting_for_clock_;
  ClockView clock_;
  bool clock_known_ = false;
  bool begun_ = false;
  bool told_end_ = false;
  std::vector<net::TcpInfo> tcp_;  // of each service, as last asked
  size_t next_tcp_ = 0;
  size_t settled_ = 0;
  size_t ended_ = 0;
};

}  // namespace n2nq::fleet
