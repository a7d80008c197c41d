// What all services of a fleet share and nobody changes once the loops run. Read by every loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "broker/net/socket.h"
#include "broker/tls/tls.h"
#include "broker/wire/frames.h"
#include "workers/bus/bus.h"
#include "workers/bus/bus_table.h"
#include "workers/measure/clock_offset.h"
#include "workers/measure/worker_clock.h"
#include "workers/transport/bus_events.h"

namespace n2nq::fleet {

// A fleet that joined a run under way starts its schedules when its first service was told BEGIN: whichever loop that
// was.
class LateOrigin {
 public:
  LateOrigin() = default;
  LateOrigin(const LateOrigin&) noexcept {}  // a context is copied only before there are loops

  int64_t settle(int64_t now_ns) const {
    int64_t none = 0;
    return origin_ns_.compare_exchange_strong(none, now_ns) ? now_ns : none;
  }

 private:
  mutable std::atomic<int64_t> origin_ns_ = 0;
};

struct FleetContext {
  wire::Role role = wire::Role::sender;
  std::string noun;  // "sender", "receiver"
  net::Endpoint broker;
  std::string token;
  std::shared_ptr<const tls::Trust> trust{};  // null: connections to the broker are not encrypted
  uint32_t first = 1;
  uint32_t count = 1;
  uint64_t fleet_id = 0;
  uint64_t clock_id = 0;
  measure::WorkerClock clock;
  int64_t give_up_ns = 0;
  PortRange source_ports{};  // any: the kernel chooses
  bus::BusOptions bus{};     // its token and mode come with WELCOME
  const bus::BusTraits* traits = bus::find_bus("n2nq");

  // Messages travel over another bus; the connections to the broker carry what begins and ends the run, and the clocks.
  bool elsewhere() const { return !traits->own_queue; }
  wire::Hello hello(wire::Role as, wire::Hello hello = {}) const {
    hello.role = as;
    hello.fleet = fleet_id;
    hello.clock_id = clock_id;
    hello.token = token;
    hello.elsewhere = as != wire::Role::clock && elsewhere();
    return hello;
  }
  std::string service_name(uint32_t slot) const { return noun + "-" + std::to_string(first + slot); }

  LateOrigin late_origin{};
};

// An offset as others use it: one number until the next one has come to them, whatever the clocks do meanwhile.
struct HeldOffset {
  int64_t offset_ns = 0;
  int64_t bound_ns = 0;       // no more than half the round trip and the drift
  int64_t round_trip_ns = 0;  // the smallest that was measured for it
  int64_t drift_ns = 0;       // what the bound has in it for drift
};

// How this worker's clock stands to the broker's.
struct ClockView {
  bool same = true;
  measure::OffsetEstimate estimate{};  // meaningless while same
  int64_t good_for_ns = 0;             // until the next one is everywhere

  // To be used for what is stamped in the time of good_for_ns from `local_ns` on.
  HeldOffset held_from(int64_t local_ns) const { return held(estimate.moved_to(local_ns), good_for_ns); }
  static HeldOffset held(const measure::OffsetEstimate& from, int64_t for_ns) {
    const measure::OffsetEstimate until = from.moved_to(from.at_ns + for_ns);
    const int64_t half_ns = (std::abs(until.offset_ns - from.offset_ns) + 1) / 2;
    return {.offset_ns = from.offset_ns + (until.offset_ns - from.offset_ns) / 2,
            .bound_ns = until.bound_ns + half_ns,
            .round_trip_ns = until.min_rtt_ns,
            .drift_ns = until.drift_ns + half_ns};
  }
  int64_t offset_at(int64_t local_ns) const { return same ? 0 : estimate.moved_to(local_ns).offset_ns; }
};

// BEGIN as one service of this worker sees it.
struct Beginning {
  wire::Begin begin;
  wire::Welcome welcome;
  ClockView clock;
  bool waited_for_clock = false;  // BEGIN came before the clock was known, and so before READY
  int64_t begin_ns = 0;           // BEGIN in this worker's clock
  int64_t broker_begin_ns = 0;    // BEGIN in the broker's clock
  int64_t origin_ns = 0;          // where schedules start, in this worker's clock
  std::string bus_server{};       // as the other bus' server says, of a loop's first service
  net::SocketFacts socket{};      // of a connection that messages travel over, the same
};

// What the loops tell the fleet. Called on the loops' threads; the fleet takes it up on its own.
class FleetEvents {
 public:
  virtual ~FleetEvents() = default;
  // Every service of a loop has its WELCOME, or is lost. `welcome`: of one of them, if any.
  virtual void loop_joined(const std::optional<wire::Welcome>& welcome) = 0;
  // The first service of a loop was told BEGIN.
  virtual void loop_begun(const Beginning& beginning) = 0;
  virtual void service_lost(uint32_t slot, const transport::Loss& loss) = 0;
  // The broker did not do what a service asked for; the service goes on.
  virtual void service_told(uint32_t slot, const std::string& text) = 0;
  // A receiver's address came to one of the services: it is meant for all.
  virtual void peer_announced(const wire::Address& address) = 0;
  // Every service of a loop has its link to the other bus.
  virtual void loop_linked() = 0;
  // A CLOCK frame came to one of the services: it is meant for all.
  virtual void clock_announced(const wire::Clock& clock) = 0;
  // A TALLY frame came to one of the services: it is meant for all.
  virtual void tally_announced(const wire::Tally& tally) = 0;
  // END came to the first service of a loop.
  virtual void told_end(wire::EndReason reason) = 0;
  // No service of a loop is left; its last figures can be collected.
  virtual void loop_ended() = 0;
};

}  // namespace n2nq::fleet
