// The event loop of some senders: one timer for all their schedules, one batch buffer, one set of histograms; in
// request-reply also one timer for all that may time out, and the repliers' clocks.
// Thread: its own, but for the constructor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "broker/net/timer.h"
#include "workers/bus/batch.h"
#include "workers/control/service_set.h"
#include "workers/fleet/due_timer.h"
#include "workers/fleet/latency_figures.h"
#include "workers/fleet/log_room.h"
#include "workers/fleet/peer_clocks.h"
#include "workers/fleet/service_loop.h"
#include "workers/measure/pacer.h"
#include "workers/measure/recorder.h"
#include "workers/measure/slot_counts.h"
#include "workers/sender/sender_options.h"
#include "workers/sender/sender_service.h"

namespace n2nq::sender {

using control::Latency;

// What a loop measured between two reports.
struct SenderInterval {
  fleet::LatencyHistograms latencies;
  measure::SlotCounts slots;        // of messages, by when they were sent
  measure::SlotCounts reply_slots;  // of requests that were answered
  void reset();
  void merge(const SenderInterval& other);
};

struct SenderReport {
  const SenderInterval* interval = nullptr;  // lent; null if the last one has not come back
  uint32_t first_slot = 0;
  std::vector<SenderCounters> counters;
  int64_t bound_ns = 0;  // by how much a way back may be wrong, beside this worker's own clock
};

class SenderLoop final : public fleet::ServiceLoop {
 public:
  // Serves the slots from first_slot on.
  SenderLoop(const fleet::FleetContext& context, fleet::FleetEvents& fleet, const SenderOptions& options,
             const fleet::MessagePool& pool, uint32_t first_slot, uint32_t slots, log::LogQueue* log);
  ~SenderLoop() override;

  // The fleet's side, on the loop's thread.
  SenderReport report();
  void release_interval() { recorder_.release(); }  // the reader's thread
  void pause(const control::ServiceSet& services);
  void resume(const control::ServiceSet& services);
  void meet(const std::vector<bus::ForeignOutlet::Peer>& peers);
  void set_replier_clock(const wire::Clock& clock) { replier_clocks_.take(clock); }
  const std::vector<bus::ForeignOutlet::Peer>& peers() const { return peers_; }
  // Now and then: whether the broker and the log still do what they owe the senders.
  void check(int64_t now_ns);

  // The senders' side.
  const SenderOptions& options() const { return options_; }
  const fleet::MessagePool& pool() const { return pool_; }
  const measure::LoadProfile& profile() const { return profile_; }
  bus::Batch& batch() { return batch_; }
  void call_at(int64_t when_ns, SenderService& service);
  void call_next_turn(SenderService& service);
  // Calls the service's time_out() at `when_ns`.
  void time_out_at(int64_t when_ns, uint32_t slot) { timeouts_->push(when_ns, slot); }
  void take_clock(const wire::Clock& clock);
  void begin() {
    if (!std::exchange(begun_, true)) replier_clocks_.begin();
  }
  // From the replier's send to here, by the broker's clock.
  int64_t way_back_ns(const wire::ReplyHeader& reply, int64_t read_ns);
  bool in_warmup(int64_t ns, int64_t origin_ns) const {
    return options_.warmup_ns > 0 && ns < origin_ns + options_.warmup_ns;
  }
  SenderInterval& measured() { return recorder_.active(); }
  bool logs_messages() const { return log_room_.exists(); }
  bool log(const log::LogRecord& record, std::span<const uint8_t> payload) { return log_room_.push(record, payload); }
  void wait_for_log(SenderService& service);

 private:
  static constexpr int64_t kCheckNs = 1'000'000'000;

  void on_turn_end() override;
  void call_due(const measure::DueQueue::Due& due);
  SenderService& service(uint32_t slot) { return *senders_[slot - first_slot_]; }

  const SenderOptions& options_;
  const fleet::MessagePool& pool_;
  measure::LoadProfile profile_;  // of a load that is not constant
  uint32_t first_slot_;
  bus::Batch batch_;
  measure::IntervalRecorder<SenderInterval> recorder_;
  fleet::LogRoom log_room_;
  fleet::DueTimer due_;
  std::optional<fleet::DueTimer> timeouts_;  // in request-reply
  fleet::PeerClocks replier_clocks_;
  bool begun_ = false;
  net::Timer check_;
  std::vector<SenderService*> next_turn_;
  std::vector<SenderService*> this_turn_;
  std::vector<SenderService*> waiting_for_log_;
  std::vector<bus::ForeignOutlet::Peer> peers_;  // over a bus without a server: all receivers, once they are known
  std::vector<std::unique_ptr<SenderService>> senders_;
};

}  // namespace n2nq::sender
