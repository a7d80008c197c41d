#include "app/live/live_figures.h"

#include <algorithm>
#include <utility>

#include "app/live/row_update.h"
#include "broker/base/assert.h"
#include "workers/measure/saturate.h"

namespace n2nq::live {
namespace {

constexpr int64_t kSilentNs = 2 * RateMeter::kWindowNs;
constexpr int64_t kMostAheadNs = int64_t{3600} * 1'000'000'000;  // of the bench's own time since BEGIN
constexpr int64_t kLatestClockNs = int64_t{1} << 62;             // a monotonic clock that says more is none

size_t index_of(ServiceState state) {
  return static_cast<size_t>(state);
}

// For one that says it is done before BEGIN: it was told to stop, or never joined.
ServiceState state_before_begin(ServiceState before) {
  const bool had_joined = before == ServiceState::joined || before == ServiceState::stopped;
  return had_joined ? ServiceState::stopped : ServiceState::gone;
}

// When the last message was sent or received that a row counts, since BEGIN. There may be none, nor is everything true
// that is said: then it is as late as the line.
int64_t step_ns(const control::ServiceRow& row, int64_t origin_ns, const RateMeter& meter, int64_t line_ns) {
  if (row.last_ns == control::kNoFigure) return line_ns;
  const int64_t at_ns = std::max<int64_t>(measure::minus(row.last_ns, origin_ns), 0);
  return at_ns >= meter.last_ns() && at_ns - line_ns <= RateMeter::kWindowNs ? at_ns : line_ns;
}

}  // namespace

LiveFigures::LiveFigures(uint32_t senders, uint32_t receivers) {
  senders_.all.role = Role::sender;
  receivers_.all.role = Role::receiver;
  grow(Role::sender, senders);
  grow(Role::receiver, receivers);
}

void LiveFigures::grow(Role role, uint64_t services) {
  Side& side = this->side(role);
  while (side.rows.size() < services) {
    side.rows.push_back({{}, role, static_cast<uint32_t>(side.rows.size() + 1)});
    side.states[index_of(ServiceState::absent)]++;
  }
  side.meters.resize(side.rows.size());
  side.means.resize(side.rows.size());
}

uint32_t LiveFigures::add_worker(Role role, uint32_t first_service, uint32_t services, const std::string& host) {
  N2NQ_ASSERT(role != Role::broker);
  revision_++;
  const auto worker = static_cast<uint32_t>(workers_.size());
  workers_.push_back({.role = role, .first_service = first_service, .services = services});
  layers_.add_worker(host);
  accounts_.push_back({.totals = {{}, role, /*number=*/0, worker}});
  if (services > 0) grow(role, std::min<uint64_t>(uint64_t{first_service} + services - 1, kMostServices));
  for (ServiceFigures& row : rows_of(worker)) {
    if (row.state != ServiceState::absent) continue;
    row.worker = worker;
    set_state(row, ServiceState::connecting);
  }
  add_up(role);
  return worker;
}

// Rows of the worker's range, which another worker may have claimed before.
std::span<ServiceFigures> LiveFigures::rows_of(uint32_t worker) {
  const WorkerFigures& figures = workers_[worker];
  std::span<ServiceFigures> rows = side(figures.role).rows;
  const size_t first = std::min<size_t>(std::max(figures.first_service, 1u) - 1, rows.size());
  return rows.subspan(first, std::min<size_t>(figures.services, rows.size() - first));
}

RateMeter& LiveFigures::meter_of(const ServiceFigures& row) {
  return side(row.role).meters[row.number - 1];
}

ServiceFigures* LiveFigures::find_row(uint32_t worker, int64_t service) {
  const auto rows = rows_of(worker);
  if (rows.empty() || service < rows.front().number || service > rows.back().number) return nullptr;
  ServiceFigures& row = rows[static_cast<size_t>(service - rows.front().number)];
  return row.worker == worker && row.state != ServiceState::absent ? &row : nullptr;
}

// The worker has it, but there is no row for so many.
bool LiveFigures::is_beyond_rows(uint32_t worker, int64_t service) const {
  const WorkerFigures& figures = workers_[worker];
  return service > kMostServices && service >= figures.first_service &&
         service - figures.first_service < int64_t{figures.services};
}

void LiveFigures::set_state(ServiceFigures& row, ServiceState state) {
  Side& side = this->side(row.role);
  side.states[index_of(row.state)]--;
  side.states[index_of(state)]++;
  row.state = state;
}

void LiveFigures::stop_senders(std::optional<std::vector<uint64_t>> planned) {
  if (!stop_) stop_ = Stop{std::move(planned)};
}

// A sender that was done before stays so.
bool LiveFigures::was_stopped(const ServiceFigures& row, int64_t sent) const {
  if (!stop_ || row.role != Role::sender || row.state == ServiceState::done) return false;
  if (!stop_->planned || row.number > stop_->planned->size()) return true;
  return sent < 0 || static_cast<uint64_t>(sent) < (*stop_->planned)[row.number - 1];
}

void LiveFigures::begin(uint32_t worker, int64_t origin_monotonic_ns) {
  N2NQ_ASSERT(worker < accounts_.size());
  Account& account = accounts_[worker];
  if (account.origin_ns) return;
  revision_++;
  begun_ = true;
  account.origin_ns = origin_monotonic_ns;
  account.rate.add(0, 0);
  for (ServiceFigures& row : rows_of(worker))
    if (row.worker == worker) meter_of(row).add(0, 0);
}

void LiveFigures::take(uint32_t worker, const control::Telemetry& telemetry, int64_t elapsed_ns) {
  N2NQ_ASSERT(worker < workers_.size());
  revision_++;
  Account& account = accounts_[worker];
  if (telemetry.role != workers_[worker].role || telemetry.time_ns < 0 || telemetry.time_ns > kLatestClockNs) {
    workers_[worker].nonsense++;
    return;
  }
  latest_ns_ = std::min(TimeSeries::kLongestNs, std::max<int64_t>(elapsed_ns, 0) + kMostAheadNs);
  account.heard = true;
  const int64_t to_ns = since_begin_ns(worker, telemetry);
  if (telemetry.role == Role::receiver && account.origin_ns && to_ns <= latest_ns_) {
    now_ns_ = std::max(now_ns_, to_ns);
    account.lines.push_back(telemetry);
  } else {
    take_line(worker, telemetry);
  }
  take_what_waited();
  silence_those_behind();
}

int64_t LiveFigures::since_begin_ns(uint32_t worker, const control::Telemetry& telemetry) const {
  return std::max<int64_t>(measure::minus(telemetry.time_ns, accounts_[worker].origin_ns.value_or(0)), 0);
}

// With what it said that was not taken yet.
int64_t LiveFigures::spoke_until_ns(uint32_t worker) const {
  const Account& account = accounts_[worker];
  return account.lines.empty() ? account.time_ns : since_begin_ns(worker, account.lines.back());
}

// Nobody waits for a sender process that never spoke, is gone or has fallen behind.
int64_t LiveFigures::senders_told_until_ns() const {
  int64_t until_ns = TimeSeries::kLongestNs;
  for (uint32_t worker = 0; worker < accounts_.size(); worker++) {
    const Account& account = accounts_[worker];
    if (workers_[worker].role == Role::sender && account.heard && !account.gone && !behind(worker))
      until_ns = std::min(until_ns, account.time_ns);
  }
  return until_ns;
}

void LiveFigures::take_what_waited() {
  const int64_t until_ns = senders_told_until_ns();
  for (uint32_t worker = 0; worker < accounts_.size(); worker++) {
    auto& lines = accounts_[worker].lines;
    while (!lines.empty() && (lines.size() > kMostLinesWaiting || since_begin_ns(worker, lines.front()) <= until_ns)) {
      take_line(worker, lines.front());
      lines.pop_front();
    }
  }
}

void LiveFigures::take_line(uint32_t worker, const control::Telemetry& telemetry) {
  take_process(worker, telemetry);
  if (!layers_.take(worker, telemetry)) workers_[worker].nonsense++;
  take_states(worker, telemetry);
  if (accounts_[worker].origin_ns) take_counts(worker, telemetry, since_begin_ns(worker, telemetry));
  if (accounts_[worker].gone) leave(worker);
  add_up(telemetry.role);
}

void LiveFigures::take_process(uint32_t worker, const control::Telemetry& telemetry) {
  WorkerFigures& figures = workers_[worker];
  figures.process = telemetry.process;
  figures.merged = telemetry.merged;
  figures.waiting = telemetry.waiting;
  RateMeter& cpu = accounts_[worker].cpu;
  cpu.add(telemetry.time_ns, static_cast<int64_t>(std::min<uint64_t>(telemetry.process.cpu_ns, kLatestClockNs)));
  figures.cpu_share = std::max(cpu.per_s(telemetry.time_ns) / 1e9, 0.0);
}

ClockState LiveFigures::clocks() const {
  ClockState worst;
  for (const WorkerFigures& worker : workers_) {
    const auto& clock = worker.process.clock;
    if (!clock) continue;
    if (clock->kind == "unknown")
      worst.kind = clock->kind;
    else if (worst.kind == "same" && (clock->kind == "measured" || clock->bound_ns))
      worst.kind = "measured";
    // A requester's bound has the repliers' clocks in it, as a receiver's has the senders'.
    const bool of_repliers = clock->kind == "same" || (clock->own_bound_ns && clock->bound_ns > clock->own_bound_ns);
    if ((worker.role == Role::receiver || of_repliers) && clock->bound_ns)
      worst.bound_ns = std::max(worst.bound_ns.value_or(0), *clock->bound_ns);
  }
  return worst;
}

void LiveFigures::take_states(uint32_t worker, const control::Telemetry& telemetry) {
  const bool has_begun = accounts_[worker].origin_ns.has_value();
  const auto end_of = [&](const ServiceFigures& row, int64_t sent) {
    if (has_begun) return was_stopped(row, sent) ? ServiceState::stopped : ServiceState::done;
    return state_before_begin(row.state);
  };
  for (const control::ServiceRow& row : telemetry.services) {
    ServiceFigures* figures = find_row(worker, row.service);
    const auto state = state_of(row);
    if (figures != nullptr && state)
      set_state(*figures, *state == ServiceState::done ? end_of(*figures, row.count) : *state);
    else if (!state || !is_beyond_rows(worker, row.service))
      workers_[worker].nonsense++;
  }
}

void LiveFigures::take_counts(uint32_t worker, const control::Telemetry& telemetry, int64_t to_ns) {
  Account& account = accounts_[worker];
  if (to_ns > latest_ns_ || to_ns < account.time_ns) {
    workers_[worker].nonsense++;
    return;
  }
  const int64_t from_ns = account.from_ns = std::exchange(account.time_ns, to_ns);
  now_ns_ = std::max(now_ns_, to_ns);
  account.silent = false;
  take_totals(worker, telemetry, from_ns, to_ns);
  for (const control::ServiceRow& row : telemetry.services) take_service(worker, row, to_ns);
  for (const control::HistogramDelta& delta : telemetry.histograms) take_histogram(worker, delta, from_ns, to_ns);
  let_rates_fall(worker, telemetry.waiting == 0);
}

void LiveFigures::take_totals(uint32_t worker, const control::Telemetry& telemetry, int64_t from_ns, int64_t to_ns) {
  const control::ServiceRow& totals = telemetry.totals;
  Account& account = accounts_[worker];
  const ServiceFigures before = account.totals;
  if (!take_row(totals, account.totals)) workers_[worker].nonsense++;
  account.added = account.totals.count - before.count;
  account.replied = account.totals.replies - before.replies;
  if (account.added > 0) {
    Side& side = this->side(account.totals.role);
    side.last_message_ns = std::max(side.last_message_ns, to_ns);
  }
  account.rate.add(step_ns(totals, *account.origin_ns, account.rate, to_ns), account.totals.count);
  account.totals.rate_per_s = account.rate.per_s(to_ns);
  // Where a worker does not tell when its messages were, they were at any time since its last line.
  const bool timed = telemetry.slot_times && account.totals.role == Role::receiver;
  const auto add = [&](const std::optional<control::SlotList>& slots, int64_t count, TimeSeries::Add add_to,
                       int64_t counted, uint64_t& in_slots) {
    if (slots) return take_slots(worker, *slots, timed, add_to, counted, in_slots);
    (series_.*add_to)(from_ns, to_ns, static_cast<uint64_t>(count));
  };
  if (account.totals.role == Role::sender) {
    add(telemetry.slots, account.added, &TimeSeries::add_sent, account.totals.count, account.in_slots);
    add(telemetry.reply_slots, account.replied, &TimeSeries::add_replies, account.totals.replies,
        account.replies_in_slots);
    series_.add_timeouts(from_ns, to_ns, static_cast<uint64_t>(account.totals.timeouts - before.timeouts));
    if (answers_)  // else all of it counts as accepted at the end
      series_.add_accepted(from_ns, to_ns,
                           static_cast<uint64_t>(std::max<int64_t>(account.totals.accepted - before.accepted, 0)));
    return;
  }
  add(telemetry.slots, account.added, &TimeSeries::add_received, account.totals.count, account.in_slots);
  series_.add_lost(from_ns, to_ns, static_cast<uint64_t>(std::max<int64_t>(account.totals.lost - before.lost, 0)));
}

// By the worker's own clock, like the time of its line, and none later than that by more than the slot it is in; and no
// more in all than it has counted.
void LiveFigures::take_slots(uint32_t worker, const control::SlotList& slots, bool timed, TimeSeries::Add add,
                             int64_t counted, uint64_t& in_slots) {
  constexpr int64_t kWidthNs = measure::SlotCounts::kWidthNs;
  static_assert(TimeSeries::kFinestNs == kWidthNs);
  const int64_t latest = accounts_[worker].time_ns / kWidthNs + 1;
  for (const auto& [slot, count, first_us, last_us] : slots) {
    const uint64_t room = static_cast<uint64_t>(std::max<int64_t>(counted, 0)) - in_slots;
    if (slot > latest || count > room) {
      workers_[worker].nonsense++;
      continue;
    }
    in_slots += count;
    (series_.*add)(slot * kWidthNs, (slot + 1) * kWidthNs, count);
    if (timed) series_.note_received(slot * kWidthNs + first_us * 1000, slot * kWidthNs + last_us * 1000, count);
  }
}

void LiveFigures::take_service(uint32_t worker, const control::ServiceRow& row, int64_t to_ns) {
  ServiceFigures* figures = find_row(worker, row.service);
  if (figures == nullptr) return;
  RateMeter& meter = meter_of(*figures);
  const int64_t before = figures->count, replies_before = figures->replies;
  if (!take_row(row, *figures)) workers_[worker].nonsense++;
  Side& side = this->side(figures->role);
  side.means[figures->number - 1].add(means_of(row), figures->count - before, figures->replies - replies_before);
  side.most = std::max(side.most, figures->count);
  meter.add(step_ns(row, *accounts_[worker].origin_ns, meter, to_ns), figures->count);
  figures->rate_per_s = meter.per_s(to_ns);
}

void LiveFigures::take_histogram(uint32_t worker, const control::HistogramDelta& delta, int64_t from_ns,
                                 int64_t to_ns) {
  const control::LatencyRow* row = control::find_latency(delta.name);
  if (row == nullptr || row->role != workers_[worker].role) return;  // the bench does not merge it
  if (!latencies_[row->latency].take(worker, delta)) {
    workers_[worker].nonsense++;
    return;
  }
  series_.add_latency(row->latency, from_ns, to_ns, delta.buckets);
  if (row->latency == Latency::latency) layers_.take_latency(worker, delta);
  if (row->latency == Latency::waiting) take_waiting(worker, delta.moments, from_ns, to_ns);
}

void LiveFigures::take_waiting(uint32_t worker, const control::HistogramMoments& moments, int64_t from_ns,
                               int64_t to_ns) {
  Account& account = accounts_[worker];
  const uint64_t count = moments.count - account.waited;  // it does not fall: the histogram was taken
  waiting_batches_.add(from_ns, to_ns, count, moments.sum - account.waited_ns);
  account.waited = moments.count;
  account.waited_ns = moments.sum;
}

// Services that are not in a line have not changed, unless they wait for the next one.
void LiveFigures::let_rates_fall(uint32_t worker, bool all_told) {
  const int64_t time_ns = accounts_[worker].time_ns;
  for (ServiceFigures& row : rows_of(worker)) {
    if (row.rate_per_s == 0 || row.worker != worker) continue;
    const RateMeter& meter = meter_of(row);
    if (all_told || time_ns - meter.last_ns() > kSilentNs) row.rate_per_s = meter.per_s(time_ns);
  }
}

void LiveFigures::set_worker_gone(uint32_t worker) {
  N2NQ_ASSERT(worker < workers_.size());
  revision_++;
  accounts_[worker].gone = true;
  leave(worker);
  add_up(workers_[worker].role);
  take_what_waited();
}

void LiveFigures::leave(uint32_t worker) {
  for (ServiceFigures& row : rows_of(worker))
    if (row.worker == worker && row.state != ServiceState::done && row.state != ServiceState::stopped)
      set_state(row, ServiceState::gone);
  silence(worker);
}

void LiveFigures::silence(uint32_t worker) {
  accounts_[worker].silent = true;
  accounts_[worker].added = accounts_[worker].replied = 0;
  accounts_[worker].totals.rate_per_s = 0;
  workers_[worker].cpu_share = 0;
  for (ServiceFigures& row : rows_of(worker))
    if (row.worker == worker) row.rate_per_s = 0;
}

bool LiveFigures::behind(uint32_t worker) const {
  return now_ns_ - spoke_until_ns(worker) > kSilentNs;
}

void LiveFigures::silence_those_behind() {
  for (uint32_t worker = 0; worker < accounts_.size(); worker++) {
    if (accounts_[worker].silent || !behind(worker)) continue;
    silence(worker);
    add_up(workers_[worker].role);
  }
}

int64_t LiveFigures::complete_until_ns() const {
  int64_t until_ns = now_ns_;
  for (uint32_t worker = 0; worker < accounts_.size(); worker++) {
    const Account& account = accounts_[worker];
    if (!account.lines.empty() || (!account.gone && !behind(worker))) until_ns = std::min(until_ns, account.time_ns);
  }
  return until_ns;
}

}  // namespace n2nq::live
