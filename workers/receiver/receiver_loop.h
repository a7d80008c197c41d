// The event loop of some receivers: their histograms, their clocks, their way into the log.
// Thread: its own, but for the constructor.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "broker/net/timer.h"
#include "workers/bus/batch.h"
#include "workers/control/commands.h"
#include "workers/fleet/due_timer.h"
#include "workers/fleet/latency_figures.h"
#include "workers/fleet/log_room.h"
#include "workers/fleet/message_source.h"
#include "workers/fleet/peer_clocks.h"
#include "workers/fleet/service_loop.h"
#include "workers/measure/histogram.h"
#include "workers/measure/pacer.h"
#include "workers/measure/recorder.h"
#include "workers/receiver/fleet_seen.h"
#include "workers/receiver/receiver_options.h"
#include "workers/receiver/receiver_service.h"

namespace n2nq::receiver {

using control::Latency;

// What a loop measured between two reports.
struct ReceiverInterval {
  fleet::LatencyHistograms latencies;
  measure::SlotCounts slots;                        // of messages, by when they were received
  std::vector<measure::CompactHistogram> services;  // the latency of each receiver of the loop, while somebody looks
  void reset();
  void merge(const ReceiverInterval& other);  // all but the services
};

struct Latencies {
  int64_t actual_ns = 0;
  std::optional<int64_t> scheduled_ns;  // from the intended time of sending, if there was one
  bool measured = true;                 // not in the warm-up
};

struct ReceiverReport {
  const ReceiverInterval* interval = nullptr;  // lent; null if the last one has not come back
  uint32_t first_slot = 0;
  std::vector<ReceiverCounters> counters;
  std::map<uint32_t, SenderLosses> losses;  // by sender
  int64_t bound_ns = 0;                     // by how much a latency may be wrong
  std::optional<Tallied> pool{};            // of all loops, where the bus chose the receivers
  std::map<uint32_t, uint64_t> highest{};   // index of each sender, where one has not said how many it sent
};

class ReceiverLoop final : public fleet::ServiceLoop {
 public:
  // Serves the slots from first_slot on. `replies`: what they reply with, in request-reply.
  ReceiverLoop(const fleet::FleetContext& context, fleet::FleetEvents& fleet, const ReceiverOptions& options,
               FleetSeen& seen, Workplace& workplace, uint32_t first_slot, uint32_t slots, log::LogQueue* log,
               const fleet::MessagePool* replies = nullptr);
  ~ReceiverLoop() override;

  // The fleet's side, on the loop's thread.
  ReceiverReport report();
  void release_interval() { recorder_.release(); }  // the reader's thread
  void set_tally(const wire::Tally& tally) { keep(tallies_, tally); }
  void set_sender_clock(const wire::Clock& clock) { sender_clocks_.take(clock); }
  void request(const control::RequestCommand& command);
  void pause(const control::ServiceSet& services);
  void resume(const control::ServiceSet& services);
  void go_away(const control::ServiceSet& services);
  void come(const control::ServiceSet& services);

  // The receivers' side.
  const ReceiverOptions& options() const { return options_; }
  FleetSeen& seen() { return seen_; }
  Workplace& workplace() { return workplace_; }
  const Tallies& tallies() const { return tallies_; }
  // Calls service.serve() at `when_ns`.
  void serve_at(int64_t when_ns, ReceiverService& service) { services_due_->push(when_ns, service.slot()); }
  const fleet::MessagePool* replies() const { return replies_; }
  bus::Batch& reply_batch() { return *reply_batch_; }
  void count_received(int64_t since_begin_ns) { recorder_.active().slots.add(since_begin_ns); }
  void record(const Served& served);
  Latencies record(uint32_t slot, const wire::DataHeader& data, int64_t read_ns, int64_t begin_ns);
  void take_clock(const wire::Clock& clock);
  void take_tally(const wire::Tally& tally);
  void begin() {
    if (!std::exchange(begun_, true)) sender_clocks_.begin();
  }
  bool logs_messages() const { return log_room_.exists(); }
  bool log(const log::LogRecord& record, std::span<const uint8_t> payload) { return log_room_.push(record, payload); }
  // Over another bus: the first receiver of the loop waits for the rest.
  void watch_end();
  void wait_for_log(ReceiverService& service) { waiting_for_log_.push_back(&service); }

 private:
  void on_turn_end() override;
  Tallied pooled();

  const ReceiverOptions& options_;
  FleetSeen& seen_;
  Workplace& workplace_;
  const fleet::MessagePool* replies_;
  uint32_t first_slot_;
  const uint32_t slots_;
  fleet::PeerClocks sender_clocks_;
  Tallies tallies_;
  bool begun_ = false;
  int64_t offset_at_ns_ = INT64_MIN;  // the read that offset_ns_ is for
  int64_t offset_ns_ = 0;
  measure::IntervalRecorder<ReceiverInterval> recorder_;
  fleet::LogRoom log_room_;
  std::vector<ReceiverService*> waiting_for_log_;
  std::optional<fleet::DueTimer> services_due_;  // begins and ends of services, with a service time
  std::optional<net::Timer> end_timer_;          // over another bus, once the last sender is done
  std::optional<bus::Batch> reply_batch_;
  std::vector<std::unique_ptr<ReceiverService>> receivers_;
};

}  // namespace n2nq::receiver
