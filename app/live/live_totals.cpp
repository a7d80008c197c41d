// What the rows of services and the histograms come to.
#include <algorithm>
#include <cmath>

#include "app/live/live_figures.h"
#include "app/live/row_update.h"

namespace n2nq::live {
namespace {

constexpr double kNoWholeMessage = 1e-6;  // what rates are not exact to

// What a sender has sent after a moment: at its rate, back from its newest message, which is one of them.
int64_t sent_after(const ServiceFigures& sender, const RateMeter& meter, int64_t moment_ns) {
  if (sender.count <= 0 || meter.last_ns() <= moment_ns) return 0;
  const double seconds = static_cast<double>(meter.last_ns() - moment_ns) / 1e9;
  const double messages = std::max(std::ceil(sender.rate_per_s * seconds - kNoWholeMessage), 1.0);
  return messages < static_cast<double>(sender.count) ? static_cast<int64_t>(messages) : sender.count;
}

}  // namespace

void LiveFigures::add_up(Role role) {
  Side& side = this->side(role);
  ServiceFigures all{{}, role};
  all.delay_ns = side.all.delay_ns;
  all.lateness_ns = side.all.lateness_ns;
  all.latency_ns = side.all.latency_ns;
  all.scheduled_latency_ns = side.all.scheduled_latency_ns;
  all.turnaround_ns = side.all.turnaround_ns;
  MeanSums means;
  for (const Account& account : accounts_) {
    if (account.totals.role != role) continue;
    add_figures(all, account.totals);
    means.add(account.totals, account.added, account.replied);
  }
  means.give(all);
  for (const ServiceState state :
       {ServiceState::running, ServiceState::paused, ServiceState::away, ServiceState::connecting, ServiceState::joined,
        ServiceState::gone, ServiceState::stopped, ServiceState::done}) {
    if (all.state == ServiceState::absent && side.states[index_of(state)] > 0) all.state = state;
  }
  side.all = all;
}

ServiceFigures LiveFigures::of_whole_run(const ServiceFigures& figures) const {
  ServiceFigures whole = with_means_of_whole_run(figures);
  const Side& side = figures.role == Role::sender ? senders_ : receivers_;
  const auto seconds = static_cast<double>(side.last_message_ns) / 1e9;
  whole.open_requests = 0;
  whole.rate_per_s = seconds > 0 ? static_cast<double>(figures.count) / seconds : 0;
  return whole;
}

ServiceFigures LiveFigures::with_means_of_whole_run(const ServiceFigures& figures) const {
  ServiceFigures whole = figures;
  const Side& side = figures.role == Role::sender ? senders_ : receivers_;
  whole.delay_ns = whole.lateness_ns = whole.latency_ns = whole.scheduled_latency_ns = whole.turnaround_ns =
      std::nullopt;
  if (figures.number > 0 && figures.number <= side.means.size()) {
    side.means[figures.number - 1].give(whole);
    return whole;
  }
  const auto mean_of = [this](Latency latency, std::optional<int64_t>& mean) {
    const measure::Moments& moments = histogram(latency).moments();
    mean = moments.count > 0 ? std::optional(std::llround(moments.mean())) : std::nullopt;
  };
  mean_of(Latency::delay, whole.delay_ns);
  mean_of(Latency::lateness, whole.lateness_ns);
  mean_of(Latency::latency, whole.latency_ns);
  mean_of(Latency::scheduled_latency, whole.scheduled_latency_ns);
  mean_of(Latency::turnaround, whole.turnaround_ns);
  return whole;
}

uint64_t LiveFigures::nonsense() const {
  uint64_t all = 0;
  for (const WorkerFigures& worker : workers_) all += worker.nonsense;
  return all;
}

const measure::LatencySummary& LiveFigures::summary(Latency latency) const {
  Summary& summary = summaries_[latency];
  if (summary.revision != revision_)
    summary = {.revision = revision_, .figures = measure::summarize(histogram(latency))};
  return summary.figures;
}

const ServiceFigures& LiveFigures::all_receivers() const {
  const measure::LatencySummary& latency = summary(Latency::latency);
  all_receivers_ = receivers_.all;
  all_receivers_.latency_p50_ns = latency.p50;
  all_receivers_.latency_p99_ns = latency.p99;
  return all_receivers_;
}

std::optional<control::WireFigures> LiveFigures::wire() const {
  control::WireFigures all;
  for (const WorkerFigures& worker : workers_) {
    // Senders are connected to receivers, and not to a load balancer: both tell of the same connections.
    if (bus_->meets_directly && server_.empty() && worker.role == Role::receiver) continue;
    if (!worker.process.wire) return std::nullopt;
    all.sent_bytes += worker.process.wire->sent_bytes;
    all.received_bytes += worker.process.wire->received_bytes;
    all.connections += worker.process.wire->connections;
  }
  return workers_.empty() ? std::nullopt : std::optional(all);
}

int64_t LiveFigures::receivers_told_until_ns() const {
  int64_t until_ns = TimeSeries::kLongestNs;
  for (uint32_t worker = 0; worker < accounts_.size(); worker++) {
    const Account& account = accounts_[worker];
    if (workers_[worker].role == Role::receiver && account.origin_ns && !account.gone && !behind(worker))
      until_ns = std::min(until_ns, account.time_ns);
  }
  return until_ns;
}

// In a burst a rate says too little: what was received was sent.
void LiveFigures::reckon_sent_then() const {
  if (reckoned_ == revision_) return;
  reckoned_ = revision_;
  const int64_t until_ns = receivers_told_until_ns();
  const size_t senders = senders_.rows.size();
  sent_then_.resize(senders);
  for (size_t i = 0; i < senders; i++) {
    const ServiceFigures& row = senders_.rows[i];
    const int64_t then = row.count - sent_after(row, senders_.meters[i], until_ns);
    sent_then_[i] = std::min(std::max(then, sent_then_[i]), row.count);
  }
  raise_sent_then(std::vector<uint64_t>(senders, 1), receivers_.most);
  if (wanted_ && !wanted_->empty()) {
    std::vector<uint64_t> wanted = *wanted_;
    wanted.resize(senders, wanted.back());
    raise_sent_then(wanted, receivers_.all.count);
  }
  sent_beyond_ = 0;
  for (size_t i = 0; i < senders; i++) sent_beyond_ += static_cast<uint64_t>(senders_.rows[i].count - sent_then_[i]);
}

// Until what they had sent, each message as often as it is wanted, is no less than what was received. Rows may be older
// than the totals; what only those know was sent too.
void LiveFigures::raise_sent_then(std::span<const uint64_t> wanted, int64_t received) const {
  if (wanted.empty()) return;
  const auto times = [](uint64_t each, int64_t messages) {
    return static_cast<double>(each) * static_cast<double>(messages);
  };
  auto lacking = static_cast<double>(received);
  auto beside_rows = static_cast<double>(senders_.all.count);
  for (size_t i = 0; i < wanted.size(); i++) {
    beside_rows -= static_cast<double>(senders_.rows[i].count);
    lacking -= times(wanted[i], sent_then_[i]);
  }
  lacking -= static_cast<double>(*std::ranges::min_element(wanted)) * std::max(beside_rows, 0.0);
  for (size_t i = 0; i < wanted.size() && lacking > 0; i++) {
    const int64_t room = senders_.rows[i].count - sent_then_[i];
    if (room == 0 || wanted[i] == 0) continue;
    const double wish = std::ceil(lacking / static_cast<double>(wanted[i]));
    const int64_t more = wish < static_cast<double>(room) ? static_cast<int64_t>(wish) : room;
    sent_then_[i] += more;
    lacking -= times(wanted[i], more);
  }
}

std::span<const int64_t> LiveFigures::sent_then() const {
  reckon_sent_then();
  return sent_then_;
}

uint64_t LiveFigures::sent_beyond_receivers() const {
  reckon_sent_then();
  return sent_beyond_;
}

}  // namespace n2nq::live
