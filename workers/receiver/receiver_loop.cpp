#include "workers/receiver/receiver_loop.h"

#include <algorithm>

#include "broker/base/assert.h"
#include "broker/base/units.h"
#include "broker/wire/filter.h"
#include "workers/measure/saturate.h"

namespace n2nq::receiver {
namespace {

wire::Hello hello_of(const ReceiverOptions& options, uint32_t number) {
  wire::Hello hello;
  hello.responses = options.responses;
  hello.requests = options.pulls();
  hello.replies = options.reply_size.has_value();
  if (options.filter.empty()) return hello;
  auto filter = wire::parse_filter(options.filter, number);
  N2NQ_ASSERT(filter);  // checked with the options
  hello.filter = std::move(*filter);
  return hello;
}

}  // namespace

void ReceiverInterval::reset() {
  latencies.reset();
  slots.reset();
  for (measure::CompactHistogram& service : services) service.reset();
}

void ReceiverInterval::merge(const ReceiverInterval& other) {
  latencies.merge(other.latencies);
  slots.merge(other.slots);
}

ReceiverLoop::ReceiverLoop(const fleet::FleetContext& context, fleet::FleetEvents& fleet,
                           const ReceiverOptions& options, FleetSeen& seen, Workplace& workplace, uint32_t first_slot,
                           uint32_t slots, log::LogQueue* log, const fleet::MessagePool* replies)
    : ServiceLoop(context, fleet),
      options_(options),
      seen_(seen),
      workplace_(workplace),
      replies_(replies),
      first_slot_(first_slot),
      slots_(slots),
      log_room_(events(), log, [this] {
        for (ReceiverService* waiting : std::exchange(waiting_for_log_, {})) waiting->retry_log();
      }) {
  for (uint32_t slot = first_slot; slot < first_slot + slots; slot++) {
    receivers_.push_back(std::make_unique<ReceiverService>(*this, slot, hello_of(options, context.first + slot)));
    add(*receivers_.back());
  }
  if (replies != nullptr) reply_batch_.emplace(replies->size().max);
  if (options.service_time.exists())
    services_due_.emplace(events(), context.clock, slots, [this](const measure::DueQueue::Due& due) {
      receivers_[due.service - first_slot_]->serve();
    });
}

ReceiverLoop::~ReceiverLoop() {
  finish();
}

void ReceiverLoop::watch_end() {
  if (end_timer_) return;
  const bus::BusTraits& traits = *context().traits;
  const auto quiet = parse_duration(bus::value_of(traits, options_.bus.settings, "quiet"));
  N2NQ_ASSERT(quiet);  // checked with the options
  end_timer_.emplace(events(), [this, quiet_ns = *quiet] {
    const int64_t now_ns = now();
    for (const auto& receiver : receivers_) receiver->check_end(now_ns, quiet_ns);
  });
  end_timer_->every(std::clamp<int64_t>(*quiet / 4, 1'000'000, 100'000'000));
}

void ReceiverLoop::on_turn_end() {
  if (services_due_) services_due_->turn_end();
}

void ReceiverLoop::record(const Served& one) {
  if (!one.measured) return;
  fleet::LatencyHistograms& latencies = recorder_.active().latencies;
  latencies[Latency::waiting].record(one.waiting_ns);
  latencies[Latency::service].record(one.service_ns);
  latencies[Latency::in_system].record(one.in_system_ns);
  latencies[Latency::handover].record(one.handover_ns);
  latencies[Latency::occupied].record(one.occupied_ns);
}

Latencies ReceiverLoop::record(uint32_t slot, const wire::DataHeader& data, int64_t read_ns, int64_t begin_ns) {
  if (read_ns != offset_at_ns_) {
    offset_at_ns_ = read_ns;
    offset_ns_ = clock().offset_at(read_ns);
  }
  const int64_t sender_offset_ns = sender_clocks_.at(data.sender, data.sent_ns).offset_ns;
  const int64_t received_ns = read_ns + offset_ns_;
  const int64_t sent_ns = measure::plus(data.sent_ns, sender_offset_ns);
  const bool scheduled = data.intended_ns != wire::kNoSchedule;
  const int64_t due_ns = scheduled ? measure::plus(data.intended_ns, sender_offset_ns) : sent_ns;
  Latencies latencies{.actual_ns = measure::minus(received_ns, sent_ns), .scheduled_ns = {}};
  if (scheduled) latencies.scheduled_ns = measure::minus(received_ns, due_ns);
  ReceiverInterval& interval = recorder_.active();
  if (options_.warmup_ns > 0 && measure::minus(due_ns, begin_ns) < options_.warmup_ns) {
    interval.latencies[Latency::warmup_latency].record(latencies.actual_ns);
    latencies.measured = false;
  } else {
    interval.latencies[Latency::latency].record(latencies.actual_ns);
    if (options_.telemetry_period_ns() > 0) {
      if (interval.services.empty()) interval.services.resize(slots_);
      interval.services[slot - first_slot_].record(latencies.actual_ns);
    }
    if (scheduled) interval.latencies[Latency::scheduled_latency].record(*latencies.scheduled_ns);
  }
  return latencies;
}

void ReceiverLoop::take_clock(const wire::Clock& clock) {
  sender_clocks_.take(clock);
  fleet().clock_announced(clock);
}

void ReceiverLoop::request(const control::RequestCommand& command) {
  for (const auto& receiver : receivers_) {
    if (!command.services.contains(receiver->number())) continue;
    wire::Request request;
    request.count = command.count;
    request.replace = command.replace;
    request.has_filter = command.filter.has_value();
    if (command.filter && !command.filter->empty()) {
      auto filter = wire::parse_filter(*command.filter, receiver->number());
      N2NQ_ASSERT(filter);  // checked with the command
      request.filter = std::move(*filter);
    }
    receiver->request(request);
  }
}

void ReceiverLoop::pause(const control::ServiceSet& services) {
  for (const auto& receiver : receivers_)
    if (services.contains(receiver->number())) receiver->pause();
}

void ReceiverLoop::resume(const control::ServiceSet& services) {
  for (const auto& receiver : receivers_)
    if (services.contains(receiver->number())) receiver->resume();
}

void ReceiverLoop::go_away(const control::ServiceSet& services) {
  for (const auto& receiver : receivers_)
    if (services.contains(receiver->number())) receiver->be_away(true);
}

void ReceiverLoop::come(const control::ServiceSet& services) {
  for (const auto& receiver : receivers_)
    if (services.contains(receiver->number())) receiver->be_away(false);
}

ReceiverReport ReceiverLoop::report() {
  ReceiverReport report{
      .interval = recorder_.swap(), .first_slot = first_slot_, .counters = {}, .losses = {}, .bound_ns = 0};
  report.counters.reserve(receivers_.size());
  for (const auto& receiver : receivers_) {
    report.counters.push_back(receiver->counters());
    if (ended() && !tallies_.empty()) report.counters.back().tallied = receiver->tallied(tallies_);
    if (ended() && report.counters.back().uncounted)
      receiver->highest().each([&report](uint32_t sender, uint64_t index) {
        if (index > 0) report.highest[sender] = std::max(report.highest[sender], index);
      });
    for (const auto& [sender, losses] : receiver->losses()) {
      report.losses[sender].expired += losses.expired;
      report.losses[sender].undeliverable += losses.undeliverable;
    }
  }
  report.bound_ns = sender_clocks_.widest_bound_ns();
  if (ended() && !tallies_.empty() && first_slot_ == 0 && !receivers_.front()->welcome().to_all())
    report.pool = pooled();
  return report;
}

// What did not come to this process may have come to another.
Tallied ReceiverLoop::pooled() {
  Tallied all{.pooled = true};
  for (const auto& [sender, tally] : tallies_) {
    all.sent += seen_.count_in(sender, 1, tally.sent);
    for (const wire::Tally::Stretch& stretch : tally.stretches)
      if (stretch.receiver == 0) all.add(stretch, seen_.count_in(sender, stretch.first, stretch.last), /*due=*/false);
  }
  return all;
}

void ReceiverLoop::take_tally(const wire::Tally& tally) {
  set_tally(tally);
  fleet().tally_announced(tally);
}

}  // namespace n2nq::receiver
