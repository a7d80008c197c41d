#include "workers/receiver/receiver_fleet.h"

#include <algorithm>

#include "workers/control/line_writer.h"
#include "workers/fleet/latency_figures.h"
#include "workers/measure/saturate.h"
#include "workers/receiver/account.h"

namespace n2nq::receiver {
namespace {

constexpr size_t kMostOfSets = size_t{384} * 1024;  // of a line, and of output that waits, of 1 MiB
constexpr size_t kSetWords = 48;                    // of a set in a line, around its figures

constexpr size_t kMostHighest = 5'000;  // senders, of which a line tells this

control::ServiceRow row_of(const ReceiverCounters& now, const ReceiverCounters& before) {
  control::ServiceRow row{now};
  row.state = now.state;
  row.lost = control::to_count(now.expired + now.undeliverable);
  row.last_ns = now.last_received_ns.value_or(control::kNoFigure);
  row.latency_ns = measure::mean_between(now.latency_sum_ns, before.latency_sum_ns, now.received(), before.received())
                       .value_or(control::kNoFigure);
  row.scheduled_latency_ns =
      measure::mean_between(now.scheduled_sum_ns, before.scheduled_sum_ns, now.scheduled, before.scheduled)
          .value_or(control::kNoFigure);
  return row;
}

template <class AnyHistogram>
void add_percentiles(control::ServiceRow& row, const AnyHistogram& latency) {
  if (latency.count() == 0) return;
  row.latency_p50_ns = latency.quantile(0.5);
  row.latency_p99_ns = latency.quantile(0.99);
}

}  // namespace

ReceiverFleet::ReceiverFleet(const ReceiverOptions& options)
    : options_(options),
      seen_(options.loops > 1),
      counters_(options.count),
      reported_(options.count),
      services_(options.count),
      workplace_(options.shared_limit) {
  if (options.reply_size) replies_.emplace(*options.reply_size, options.seed);
}

void ReceiverFleet::make_loops(const fleet::FleetContext& context, fleet::FleetEvents& fleet, net::EventLoop& control,
                               const std::vector<log::LogQueue*>& logs) {
  loops_.fill(control, options_.count, options_.loops, [&](uint32_t first, uint32_t slots, uint32_t i) {
    return std::make_unique<ReceiverLoop>(context, fleet, options_, seen_, workplace_, first, slots,
                                          logs.empty() ? nullptr : logs[i], replies_ ? &*replies_ : nullptr);
  });
}

void ReceiverFleet::take_clock(const wire::Clock& clock) {
  loops_.post([clock](ReceiverLoop& loop) { loop.set_sender_clock(clock); });
}

void ReceiverFleet::take_tally(const wire::Tally& tally) {
  keep(tallies_, tally);
  loops_.post([tally](ReceiverLoop& loop) { loop.set_tally(tally); });
}

ReceiverCounters ReceiverFleet::total() const {
  ReceiverCounters all = total_of(counters_);
  if (pool_) all.tallied = all.tallied.value_or(Tallied{}) += *pool_;
  return all;
}

void ReceiverFleet::add_bounds(control::ClockFigures& clock) const {
  if (senders_bound_ns_ > 0) clock.bound_ns = clock.bound_ns.value_or(0) + static_cast<uint64_t>(senders_bound_ns_);
}

Result<void> ReceiverFleet::obey(const control::Command& command) {
  if (const auto* request = std::get_if<control::RequestCommand>(&command)) {
    loops_.post([request = *request](ReceiverLoop& loop) { loop.request(request); });
    return {};
  }
  const auto passed_on = [this](const auto* told, void (ReceiverLoop::*act)(const control::ServiceSet&)) {
    if (told != nullptr) loops_.post([services = told->services, act](ReceiverLoop& loop) { (loop.*act)(services); });
    return told != nullptr;
  };
  if (passed_on(std::get_if<control::PauseCommand>(&command), &ReceiverLoop::pause) ||
      passed_on(std::get_if<control::ResumeCommand>(&command), &ReceiverLoop::resume) ||
      passed_on(std::get_if<control::GoAwayCommand>(&command), &ReceiverLoop::go_away) ||
      passed_on(std::get_if<control::ComeCommand>(&command), &ReceiverLoop::come))
    return {};
  return fail("field \"type\": receivers accept start, request, pause, resume, go_away, come, stop and ping");
}

void ReceiverFleet::collect(std::function<void()> then) {
  losses_.clear();
  highest_.clear();
  senders_bound_ns_ = 0;
  loops_.collect([this](ReceiverLoop& loop, ReceiverReport& report) { take(loop, report); }, std::move(then));
}

void ReceiverFleet::take(ReceiverLoop& loop, ReceiverReport& report) {
  std::ranges::copy(report.counters, counters_.begin() + report.first_slot);
  senders_bound_ns_ = std::max(senders_bound_ns_, report.bound_ns);
  for (const auto& [sender, losses] : report.losses) {
    losses_[sender].expired += losses.expired;
    losses_[sender].undeliverable += losses.undeliverable;
  }
  for (const auto& [sender, index] : report.highest) highest_[sender] = std::max(highest_[sender], index);
  if (report.pool) pool_ = report.pool;
  if (report.interval == nullptr) return;
  measured_.merge(*report.interval);
  if (options_.telemetry_period_ns() > 0) since_report_.merge(*report.interval);
  if (!options_.hlog.empty()) since_hlog_.merge(*report.interval);
  for (size_t i = 0; i < report.interval->services.size(); i++) {
    const measure::CompactHistogram& service = report.interval->services[i];
    if (service.count() > 0) services_[report.first_slot + i].merge(service);
  }
  loop.release_interval();
}

void ReceiverFleet::report(control::TelemetryBuilder& telemetry) {
  if (options_.reply_size) telemetry.tell_replies();
  control::ServiceRow totals = row_of(total_of(counters_), total_of(reported_));
  add_percentiles(totals, measured_.latencies[Latency::latency]);
  telemetry.set_totals(totals);
  for (size_t slot = 0; slot < counters_.size(); slot++) {
    control::ServiceRow service = row_of(counters_[slot], reported_[slot]);
    service.service = options_.first + static_cast<int64_t>(slot);
    add_percentiles(service, services_[slot]);
    telemetry.set_service(slot, service);
  }
  reported_ = counters_;
  telemetry.add_slots(since_report_.slots);
  fleet::add_histograms(telemetry, measured_.latencies, since_report_.latencies, measures());
  since_report_.reset();
}

Result<void> ReceiverFleet::write_hlog(measure::HlogWriter& hlog, int64_t start_ns, int64_t length_ns) {
  Result<void> written = fleet::write_hlog(hlog, start_ns, length_ns, since_hlog_.latencies, measures());
  since_hlog_.reset();
  return written;
}

std::string ReceiverFleet::shortfall() const {
  if (!std::ranges::all_of(counters_, &ReceiverCounters::told_end))
    return "not every receiver was told that the run ended";
  if (std::ranges::any_of(counters_, &ReceiverCounters::uncounted))
    return "nobody knows how many messages were to come, as a sender was lost that had not said how many it had sent";
  const ReceiverCounters all = total();
  if (unsent(all) > 0)
    return std::to_string(unsent(all)) + " deliveries came of messages that no sender of this run sent";
  const uint64_t missing = lost(all).value_or(0);  // where one left, nobody says what it was to have
  if (missing > 0)
    return std::to_string(missing) + (missing == 1 ? " delivery lost" : " deliveries lost") +
           (bus::find_bus(options_.bus.kind)->own_queue ? " (" + std::to_string(all.expired) + " expired, " +
                                                              std::to_string(all.undeliverable) + " undeliverable)"
                                                        : "");
  return {};
}

// What others need to tell how much all processes have had, as each may have had what another has had too. Only with
// all senders' counts, and once no loop goes on. The sets are needed where the sums alone do not tell that all came
// here.
control::HadFigures ReceiverFleet::had() const {
  control::HadFigures had{.sums = seen_.sums()};
  for (const auto& [sender, tally] : tallies_) had.due.add_up_to(sender, tally.sent);
  const bool heard = options_.controlled || !options_.control.empty();
  if (had.sums == had.due || !heard) return had;
  size_t bytes = 0;
  for (const auto& [sender, tally] : tallies_) {
    measure::SetWriter first, again;
    seen_.write(sender, tally.sent, first, again);
    had.sets.push_back({.sender = sender, .first = first.text(), .again = again.text()});
    bytes += had.sets.back().first.size() + had.sets.back().again.size() + kSetWords;
    if (bytes <= kMostOfSets) continue;
    had.sets.clear();
    break;
  }
  return had;
}

std::string ReceiverFleet::summary(const control::Outcome& outcome, const control::ClockFigures& clock,
                                   const control::RoundTripFigures& round_trips) const {
  const ReceiverCounters all = total();
  control::ReceiverSummary summary{.outcome = outcome,
                                   .counts = all,
                                   .expected = expected(all),
                                   .lost = lost(all),
                                   .latency_ns = summary_of(Latency::latency),
                                   .scheduled_latency_ns = summary_of(Latency::scheduled_latency),
                                   .warmup_latency_ns = summary_of(Latency::warmup_latency),
                                   .clock = clock,
                                   .expired = all.expired,
                                   .undeliverable = all.undeliverable,
                                   .round_trips = round_trips};
  if (options_.service_time.exists())
    summary.service = {.served = all.served,
                       .waiting_ns = summary_of(Latency::waiting),
                       .service_ns = summary_of(Latency::service),
                       .in_system_ns = summary_of(Latency::in_system),
                       .handover_ns = summary_of(Latency::handover),
                       .occupied_ns = summary_of(Latency::occupied)};
  if (options_.reply_size) summary.replies = static_cast<uint64_t>(all.replies);
  if (all.tallied) {
    summary.refused_received = all.tallied->refused;
    summary.unanswered_received = all.tallied->unanswered;
    summary.unsent = unsent(all);
    if (all.tallied->pooled) summary.had = had();
  }
  for (const auto& [sender, index] : highest_)
    if (summary.highest.size() < kMostHighest) summary.highest.push_back({.sender = sender, .index = index});
  for (const auto& [sender, losses] : losses_)
    summary.losses.push_back({.sender = sender, .expired = losses.expired, .undeliverable = losses.undeliverable});
  return control::to_line(summary);
}

std::string ReceiverFleet::log_end(uint32_t slot) const {
  const ReceiverCounters& one = counters_[slot];
  std::string figures = control::counts_text(control::Role::receiver, options_.reply_size.has_value(), one);
  if (const auto due = expected(one)) figures += " expected=" + std::to_string(*due);
  figures += " expired=" + std::to_string(one.expired) + " undeliverable=" + std::to_string(one.undeliverable);
  return figures + (options_.service_time.exists() ? " served=" + std::to_string(one.served) : "");
}

}  // namespace n2nq::receiver
