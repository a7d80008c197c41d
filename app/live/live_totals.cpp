// What the rows of services and the histograms come to.
#include <algorithm>
#include <cmath>

#include "app/live/live_figures.h"
#include "app/live/row_update.h"

namespace n2nq::live {

void LiveFigures::add_up(Role role) {
  Side& side = this->side(role);
  ServiceFigures all{.role = role,
                     .delay_ns = side.all.delay_ns,
                     .lateness_ns = side.all.lateness_ns,
                     .latency_ns = side.all.latency_ns,
                     .scheduled_latency_ns = side.all.scheduled_latency_ns};
  MeanSums means;
  for (const Account& account : accounts_) {
    if (account.totals.role != role) continue;
    add_figures(all, account.totals);
    means.add(account.totals, account.added);
  }
  means.give(all);
  for (const ServiceState state :
       {ServiceState::running, ServiceState::paused, ServiceState::connecting, ServiceState::joined, ServiceState::gone,
        ServiceState::stopped, ServiceState::done}) {
    if (all.state == ServiceState::absent && side.states[index_of(state)] > 0) all.state = state;
  }
  side.all = all;
}

ServiceFigures LiveFigures::of_whole_run(const ServiceFigures& figures) const {
  ServiceFigures whole = with_means_of_whole_run(figures);
  const Side& side = figures.role == Role::sender ? senders_ : receivers_;
  const auto seconds = static_cast<double>(side.last_message_ns) / 1e9;
  whole.rate_per_s = seconds > 0 ? static_cast<double>(figures.count) / seconds : 0;
  return whole;
}

ServiceFigures LiveFigures::with_means_of_whole_run(const ServiceFigures& figures) const {
  ServiceFigures whole = figures;
  const Side& side = figures.role == Role::sender ? senders_ : receivers_;
  whole.delay_ns = whole.lateness_ns = whole.latency_ns = whole.scheduled_latency_ns = std::nullopt;
  if (figures.number > 0 && figures.number <= side.means.size()) {
    side.means[figures.number - 1].give(whole);
    return whole;
  }
  const auto mean_of = [](const measure::Histogram& histogram, std::optional<int64_t>& mean) {
    const measure::Moments& moments = histogram.moments();
    mean = moments.count > 0 ? std::optional(std::llround(moments.mean())) : std::nullopt;
  };
  mean_of(delay(), whole.delay_ns);
  mean_of(lateness(), whole.lateness_ns);
  mean_of(latency(), whole.latency_ns);
  mean_of(scheduled_latency(), whole.scheduled_latency_ns);
  return whole;
}

uint64_t LiveFigures::nonsense() const {
  uint64_t all = 0;
  for (const WorkerFigures& worker : workers_) all += worker.nonsense;
  return all;
}

void LiveFigures::summarize() const {
  if (summarized_ == revision_) return;
  summarized_ = revision_;
  summary_ = measure::summarize(latency());
  all_receivers_ = receivers_.all;
  all_receivers_.latency_p50_ns = summary_.p50;
  all_receivers_.latency_p99_ns = summary_.p99;
}

const ServiceFigures& LiveFigures::all_receivers() const {
  summarize();
  return all_receivers_;
}

const measure::LatencySummary& LiveFigures::latency_summary() const {
  summarize();
  return summary_;
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

// In a burst a rate says too little: what somebody has received was sent.
void LiveFigures::reckon_sent_then() const {
  if (reckoned_ == revision_) return;
  reckoned_ = revision_;
  const int64_t until_ns = receivers_told_until_ns();
  sent_then_.resize(senders_.rows.size());
  int64_t beyond = 0;
  for (size_t i = 0; i < sent_then_.size(); i++) {
    const ServiceFigures& row = senders_.rows[i];
    const int64_t told_ns = row.worker < accounts_.size() ? accounts_[row.worker].time_ns : 0;
    const auto since_s = static_cast<double>(std::max<int64_t>(told_ns - until_ns, 0)) / 1e9;
    const int64_t then = row.count - std::llround(row.rate_per_s * since_s);
    sent_then_[i] = std::min(std::max(then, sent_then_[i]), row.count);
    beyond += row.count - sent_then_[i];
  }
  const int64_t received = shared_ ? receivers_.all.count : receivers_.most;
  const int64_t most_beyond = std::max<int64_t>(senders_.all.count - received, 0);
  for (size_t i = 0; i < sent_then_.size() && beyond > most_beyond; i++) {
    const int64_t more = std::min(senders_.rows[i].count - sent_then_[i], beyond - most_beyond);
    sent_then_[i] += more;
    beyond -= more;
  }
  sent_beyond_ = static_cast<uint64_t>(beyond);
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
