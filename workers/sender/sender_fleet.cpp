#include "workers/sender/sender_fleet.h"

#include <algorithm>

#include "workers/control/line_writer.h"
#include "workers/fleet/latency_figures.h"
#include "workers/measure/saturate.h"

namespace n2nq::sender {
namespace {

SenderCounters total_of(const std::vector<SenderCounters>& counters) {
  SenderCounters total;
  for (const SenderCounters& one : counters) {
    total += one;
    total.refused += one.refused;
    total.unanswered += one.unanswered;
    total.delays += one.delays;
    total.delay_sum_ns += one.delay_sum_ns;
    total.lateness_sum_ns += one.lateness_sum_ns;
    total.last_sent_ns = std::max(total.last_sent_ns, one.last_sent_ns);  // nothing is less than any
  }
  return total;
}

void add_replies(control::ServiceRow& row, const SenderCounters& now, const SenderCounters& before) {
  row.outstanding = static_cast<int64_t>(now.outstanding);
  row.turnaround_ns = measure::mean_between(now.turnaround_sum_ns, before.turnaround_sum_ns,
                                            static_cast<uint64_t>(now.replies), static_cast<uint64_t>(before.replies))
                          .value_or(control::kNoFigure);
}

}  // namespace

SenderFleet::SenderFleet(const SenderOptions& options)
    : options_(options),
      pool_(options.size, options.seed, options.payload),
      counters_(options.count),
      reported_(options.count) {}

void SenderFleet::make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                             const std::vector<log::LogQueue*>& logs) {
  loops_.fill(control, options_.count, options_.loops, [&](uint32_t first, uint32_t slots, uint32_t i) {
    return std::make_unique<SenderLoop>(context, fleet, options_, pool_, first, slots,
                                        logs.empty() ? nullptr : logs[i]);
  });
}

void SenderFleet::take_address(const wire::Address& address) {
  peers_.push_back({.receiver = address.receiver, .address = address.text});
  if (peers_.size() == address.of) loops_.post([peers = peers_](SenderLoop& loop) { loop.meet(peers); });
}

void SenderFleet::take_clock(const wire::Clock& clock) {
  loops_.post([clock](SenderLoop& loop) { loop.set_replier_clock(clock); });
}

void SenderFleet::add_bounds(control::ClockFigures& clock) const {
  if (repliers_bound_ns_ > 0) clock.bound_ns = clock.bound_ns.value_or(0) + static_cast<uint64_t>(repliers_bound_ns_);
}

Result<void> SenderFleet::obey(const control::Command& command) {
  if (const auto* pause = std::get_if<control::PauseCommand>(&command)) {
    loops_.post([services = pause->services](SenderLoop& loop) { loop.pause(services); });
    return {};
  }
  if (const auto* resume = std::get_if<control::ResumeCommand>(&command)) {
    loops_.post([services = resume->services](SenderLoop& loop) { loop.resume(services); });
    return {};
  }
  return fail("field \"type\": senders accept start, pause, resume, stop and ping");
}

void SenderFleet::collect(std::function<void()> then) {
  repliers_bound_ns_ = 0;
  loops_.collect([this](SenderLoop& loop, const SenderReport& report) { take(loop, report); }, std::move(then));
}

void SenderFleet::take(SenderLoop& loop, const SenderReport& report) {
  std::ranges::copy(report.counters, counters_.begin() + report.first_slot);
  repliers_bound_ns_ = std::max(repliers_bound_ns_, report.bound_ns);
  if (report.interval == nullptr) return;
  measured_.merge(*report.interval);
  if (options_.telemetry_period_ns() > 0) since_report_.merge(*report.interval);
  if (!options_.hlog.empty()) since_hlog_.merge(*report.interval);
  loop.release_interval();
}

control::ServiceRow SenderFleet::row(const SenderCounters& now, const SenderCounters& before) const {
  control::ServiceRow row{now};
  row.state = now.state;
  row.last_ns = now.last_sent_ns.value_or(control::kNoFigure);
  row.delay_ns = measure::mean_between(now.delay_sum_ns, before.delay_sum_ns, now.delays, before.delays)
                     .value_or(control::kNoFigure);
  if (options_.has_schedule())
    row.lateness_ns = measure::mean_between(now.lateness_sum_ns, before.lateness_sum_ns, now.sent(), before.sent())
                          .value_or(control::kNoFigure);
  if (options_.reply_from) add_replies(row, now, before);
  return row;
}

void SenderFleet::report(control::TelemetryBuilder& telemetry) {
  if (options_.reply_from) telemetry.tell_replies();
  telemetry.set_totals(row(total_of(counters_), total_of(reported_)));
  for (size_t slot = 0; slot < counters_.size(); slot++) {
    control::ServiceRow service = row(counters_[slot], reported_[slot]);
    service.service = options_.first + static_cast<int64_t>(slot);
    telemetry.set_service(slot, service);
  }
  reported_ = counters_;
  telemetry.add_slots(since_report_.slots);
  if (options_.reply_from) telemetry.add_reply_slots(since_report_.reply_slots);
  fleet::add_histograms(telemetry, measured_.latencies, since_report_.latencies, measures());
  since_report_.reset();
}

Result<void> SenderFleet::write_hlog(measure::HlogWriter& hlog, int64_t start_ns, int64_t length_ns) {
  Result<void> written = fleet::write_hlog(hlog, start_ns, length_ns, since_hlog_.latencies, measures());
  since_hlog_.reset();
  return written;
}

std::string SenderFleet::shortfall() const {
  const SenderCounters all = total_of(counters_);
  const auto unfinished = std::ranges::count_if(counters_, [](const SenderCounters& one) { return !one.finished; });
  if (unfinished > 0)
    return std::to_string(unfinished) + " of " + std::to_string(counters_.size()) +
           " senders did not send all their messages";
  if (const int64_t open = all.count - all.accepted; open > 0)
    return std::to_string(open) + (open == 1 ? " message was" : " messages were") + " sent but not accepted by the bus";
  if (all.timeouts > 0)
    return std::to_string(all.timeouts) + " of " + std::to_string(all.count) + " requests got no reply in time";
  return {};
}

std::string SenderFleet::summary(const control::Outcome& outcome, const control::ClockFigures& clock,
                                 const control::RoundTripFigures& round_trips) const {
  const SenderCounters all = total_of(counters_);
  const bool late = std::ranges::any_of(counters_, &SenderCounters::late);
  const bool silent =
      all.count == 0 && options_.planned() != 0 && !std::ranges::all_of(counters_, &SenderCounters::idle);
  control::SenderSummary summary{.outcome = outcome,
                                 .counts = all,
                                 .delay_ns = summary_of(Latency::delay),
                                 .lateness_ns = summary_of(Latency::lateness),
                                 .rate_reached = !late && !silent,
                                 .clock = clock,
                                 .round_trips = round_trips};
  if (bus::answers(*bus::find_bus(options_.bus.kind), options_.bus.settings)) {
    summary.refused = all.refused;
    summary.unanswered = all.unanswered;
  }
  if (options_.times_answers()) summary.publish_ns = summary_of(Latency::publish);
  if (options_.reply_from)
    summary.turnaround = {.counts = all,
                          .turnaround_ns = summary_of(Latency::turnaround),
                          .scheduled_turnaround_ns = summary_of(Latency::scheduled_turnaround),
                          .warmup_turnaround_ns = summary_of(Latency::warmup_turnaround),
                          .reply_latency_ns = summary_of(Latency::reply_latency),
                          .closed_loop = options_.outstanding};
  return control::to_line(summary);
}

std::string SenderFleet::log_end(uint32_t slot) const {
  return control::counts_text(control::Role::sender, options_.reply_from.has_value(), counters_[slot]);
}

}  // namespace n2nq::sender
