#include "workers/receiver/receiver_fleet.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "broker/base/assert.h"
#include "workers/fleet/latency_json.h"

namespace n2nq::receiver {

ReceiverFleet::ReceiverFleet(const ReceiverOptions& options)
    : options_(options), seen_(options.loops > 1), counters_(options.count) {}

void ReceiverFleet::make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                               const std::vector<log::LogQueue*>& logs) {
  control_ = &control;
  const uint32_t loops = std::min(options_.loops, options_.count);
  for (uint32_t i = 0; i < loops; i++) {
    const auto first = static_cast<uint32_t>(uint64_t{options_.count} * i / loops);
    const auto end = static_cast<uint32_t>(uint64_t{options_.count} * (i + 1) / loops);
    loops_.push_back(std::make_unique<ReceiverLoop>(context, fleet, options_, seen_, first, end - first,
                                                    logs.empty() ? nullptr : logs[i]));
  }
}

std::vector<fleet::ServiceLoop*> ReceiverFleet::loops() {
  std::vector<fleet::ServiceLoop*> loops;
  for (const auto& loop : loops_) loops.push_back(loop.get());
  return loops;
}

void ReceiverFleet::take_clock(const wire::Clock& clock) {
  for (const auto& owned : loops_) {
    ReceiverLoop* loop = owned.get();
    loop->post([loop, clock] { loop->set_sender_clock(clock); });
  }
}

void ReceiverFleet::collect(std::function<void()> then) {
  N2NQ_ASSERT(awaited_ == 0);
  awaited_ = loops_.size();
  losses_.clear();
  then_ = std::move(then);
  for (const auto& owned : loops_) {
    ReceiverLoop* loop = owned.get();
    loop->post([this, loop] {
      control_->post([this, loop, report = loop->report()]() mutable { take(*loop, report); });
    });
  }
}

void ReceiverFleet::take(ReceiverLoop& loop, ReceiverReport& report) {
  std::ranges::copy(report.counters, counters_.begin() + report.first_slot);
  losses_.push_back(std::move(report.losses));
  if (report.interval != nullptr) {
    measured_.latency.merge(report.interval->latency);
    measured_.scheduled.merge(report.interval->scheduled);
    measured_.warmup.merge(report.interval->warmup);
    loop.release_interval();
  }
  if (--awaited_ == 0) std::exchange(then_, nullptr)();
}

ReceiverCounters ReceiverFleet::total() const {
  ReceiverCounters total{.expected = 0};
  for (const ReceiverCounters& one : counters_) {
    if (one.expected && total.expected)
      *total.expected += *one.expected;
    else
      total.expected.reset();
    total.received += one.received;
    total.bytes += one.bytes;
    total.duplicates += one.duplicates;
    total.reordered += one.reordered;
    total.corrupt += one.corrupt;
    total.redelivered += one.redelivered;
    total.implausible += one.implausible;
    total.requests += one.requests;
    total.responses += one.responses;
    total.expired += one.expired;
    total.undeliverable += one.undeliverable;
    total.log_stalls += one.log_stalls;
  }
  return total;
}

std::optional<int64_t> ReceiverFleet::lost(const ReceiverCounters& all) const {
  if (!all.expected) return std::nullopt;
  return static_cast<int64_t>(*all.expected) - static_cast<int64_t>(all.received);
}

std::string ReceiverFleet::shortfall() const {
  const ReceiverCounters all = total();
  const auto missing = lost(all);
  if (!missing) return "not every receiver was told the end of the run";
  if (*missing > 0) return std::to_string(*missing) + " messages lost";
  return {};
}

void ReceiverFleet::summarize(fleet::Json& summary) const {
  const ReceiverCounters all = total();
  const auto missing = lost(all);
  summary["expected"] = all.expected ? fleet::Json(*all.expected) : fleet::Json(nullptr);
  summary["received"] = all.received;
  summary["lost"] = missing ? fleet::Json(*missing) : fleet::Json(nullptr);
  summary["duplicates"] = all.duplicates;
  summary["reordered"] = all.reordered;
  summary["corrupt"] = all.corrupt;
  summary["redelivered"] = all.redelivered;
  summary["requests"] = all.requests;
  summary["responses"] = all.responses;
  summary["bytes"] = all.bytes;
  summary["latency_ns"] = fleet::latency_json(measure::summarize(measured_.latency));
  summary["scheduled_latency_ns"] = fleet::latency_json(measure::summarize(measured_.scheduled));
  summary["warmup_latency_ns"] = fleet::latency_json(measure::summarize(measured_.warmup));
  summary["expired"] = all.expired;
  summary["undeliverable"] = all.undeliverable;
  summary["implausible"] = all.implausible;
  summary["log_stalls"] = all.log_stalls;
}

std::string ReceiverFleet::log_end(uint32_t slot) const {
  const ReceiverCounters& one = counters_[slot];
  std::string figures = "received=" + std::to_string(one.received);
  if (one.expected) figures += " expected=" + std::to_string(*one.expected);
  return figures + " duplicates=" + std::to_string(one.duplicates) + " reordered=" + std::to_string(one.reordered) +
         " corrupt=" + std::to_string(one.corrupt) + " redelivered=" + std::to_string(one.redelivered) +
         " expired=" + std::to_string(one.expired) + " undeliverable=" + std::to_string(one.undeliverable);
}

}  // namespace n2nq::receiver
