// What the rows of services and the histograms come to.
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

}  // namespace n2nq::live
