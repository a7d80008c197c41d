#include "workers/sender/sender_fleet.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "broker/base/assert.h"
#include "workers/fleet/latency_json.h"

namespace n2nq::sender {

SenderFleet::SenderFleet(const SenderOptions& options)
    : options_(options), pool_(options.size, options.seed), counters_(options.count) {}

void SenderFleet::make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                             const std::vector<log::LogQueue*>& logs) {
  control_ = &control;
  const uint32_t loops = std::min(options_.loops, options_.count);
  for (uint32_t i = 0; i < loops; i++) {
    const auto first = static_cast<uint32_t>(uint64_t{options_.count} * i / loops);
    const auto end = static_cast<uint32_t>(uint64_t{options_.count} * (i + 1) / loops);
    loops_.push_back(std::make_unique<SenderLoop>(context, fleet, options_, pool_, first, end - first,
                                                  logs.empty() ? nullptr : logs[i]));
  }
}

std::vector<fleet::ServiceLoop*> SenderFleet::loops() {
  std::vector<fleet::ServiceLoop*> loops;
  for (const auto& loop : loops_) loops.push_back(loop.get());
  return loops;
}

void SenderFleet::collect(std::function<void()> then) {
  N2NQ_ASSERT(awaited_ == 0);
  awaited_ = loops_.size();
  then_ = std::move(then);
  for (const auto& owned : loops_) {
    SenderLoop* loop = owned.get();
    loop->post([this, loop] {
      control_->post([this, loop, report = loop->report()] { take(*loop, report); });
    });
  }
}

void SenderFleet::take(SenderLoop& loop, const SenderReport& report) {
  std::ranges::copy(report.counters, counters_.begin() + report.first_slot);
  if (report.interval != nullptr) {
    measured_.delay.merge(report.interval->delay);
    measured_.lateness.merge(report.interval->lateness);
    measured_.warmup_delay.merge(report.interval->warmup_delay);
    loop.release_interval();
  }
  if (--awaited_ == 0) std::exchange(then_, nullptr)();
}

SenderCounters SenderFleet::total() const {
  SenderCounters total;
  for (const SenderCounters& one : counters_) {
    total.sent += one.sent;
    total.accepted += one.accepted;
    total.bytes += one.bytes;
    total.log_stalls += one.log_stalls;
  }
  return total;
}

bool SenderFleet::rate_reached() const {
  return std::ranges::none_of(counters_, [](const SenderCounters& one) { return one.late_at_end; });
}

std::string SenderFleet::shortfall() const {
  const SenderCounters all = total();
  const auto unfinished = std::ranges::count_if(counters_, [](const SenderCounters& one) { return !one.finished; });
  if (unfinished > 0)
    return std::to_string(unfinished) + " of " + std::to_string(counters_.size()) + " senders did not send all they were to send";
  if (all.accepted < all.sent)
    return std::to_string(all.sent - all.accepted) + " messages were sent but not accepted by the broker";
  return {};
}

void SenderFleet::summarize(fleet::Json& summary) const {
  const SenderCounters all = total();
  summary["sent"] = all.sent;
  summary["accepted"] = all.accepted;
  summary["bytes"] = all.bytes;
  summary["delay_ns"] = fleet::latency_json(measure::summarize(measured_.delay));
  summary["lateness_ns"] = fleet::latency_json(measure::summarize(measured_.lateness));
  summary["warmup_delay_ns"] = fleet::latency_json(measure::summarize(measured_.warmup_delay));
  summary["rate_reached"] = rate_reached();
  summary["log_stalls"] = all.log_stalls;
}

std::string SenderFleet::log_end(uint32_t slot) const {
  const SenderCounters& one = counters_[slot];
  return "sent=" + std::to_string(one.sent) + " accepted=" + std::to_string(one.accepted) +
         " bytes=" + std::to_string(one.bytes);
}

}  // namespace n2nq::sender
