#include "app/live/row_update.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace n2nq::live {
namespace {

using control::ServiceRow;

struct Figure {
  int64_t ServiceRow::* from;
  std::optional<int64_t> ServiceFigures::* to;
};
constexpr Figure kMeanFigures[] = {{&ServiceRow::delay_ns, &ServiceFigures::delay_ns},
                                   {&ServiceRow::lateness_ns, &ServiceFigures::lateness_ns},
                                   {&ServiceRow::latency_ns, &ServiceFigures::latency_ns},
                                   {&ServiceRow::scheduled_latency_ns, &ServiceFigures::scheduled_latency_ns},
                                   {&ServiceRow::turnaround_ns, &ServiceFigures::turnaround_ns}};
constexpr Figure kPercentiles[] = {{&ServiceRow::latency_p50_ns, &ServiceFigures::latency_p50_ns},
                                   {&ServiceRow::latency_p99_ns, &ServiceFigures::latency_p99_ns}};

void take_figures(std::span<const Figure> list, const ServiceRow& row, ServiceFigures& figures) {
  for (const Figure& figure : list)
    if (row.*figure.from != control::kNoFigure) figures.*figure.to = row.*figure.from;
}

}  // namespace

std::optional<ServiceState> state_of(const ServiceRow& row) {
  switch (row.state) {
    case control::kConnecting:
      return ServiceState::connecting;
    case control::kJoined:
      return ServiceState::joined;
    case control::kRunning:
      return ServiceState::running;
    case control::kPaused:
      return ServiceState::paused;
    case control::kAway:
      return ServiceState::away;
    case control::kDone:
      return ServiceState::done;
    case control::kGone:
      return ServiceState::gone;
    default:
      return {};
  }
}

bool take_row(const ServiceRow& row, ServiceFigures& figures) {
  for (const control::Counter& counter : control::kCounters)
    if (row.*counter.member < figures.*counter.member || row.*counter.member > control::kMostCounted) return false;
  static_cast<control::Counts&>(figures) = row;
  figures.open_requests = std::clamp<int64_t>(row.outstanding, 0, control::kMostCounted);
  take_figures(kMeanFigures, row, figures);
  take_figures(kPercentiles, row, figures);
  return true;
}

ServiceFigures means_of(const ServiceRow& row) {
  ServiceFigures figures;
  take_figures(kMeanFigures, row, figures);
  return figures;
}

void add_figures(ServiceFigures& all, const ServiceFigures& part) {
  all += part;
  all.open_requests += part.open_requests;
  all.rate_per_s += part.rate_per_s;
}

void MeanSums::add(const ServiceFigures& part, int64_t messages, int64_t replies) {
  static_assert(std::size(kMeanFigures) == kMeans);
  for (size_t i = 0; i < kMeans; i++) {
    const auto& mean = part.*kMeanFigures[i].to;
    const int64_t weight = kMeanFigures[i].to == &ServiceFigures::turnaround_ns ? replies : messages;
    if (!mean || weight <= 0) continue;
    sums_[i].weighted += static_cast<double>(*mean) * static_cast<double>(weight);
    sums_[i].weight += static_cast<double>(weight);
  }
}

void MeanSums::give(ServiceFigures& all) const {
  constexpr double kFurthest = 0x1p62;
  for (size_t i = 0; i < kMeans; i++) {
    if (sums_[i].weight == 0) continue;
    const double mean = sums_[i].weighted / sums_[i].weight;
    all.*kMeanFigures[i].to = std::llround(std::clamp(mean, -kFurthest, kFurthest));
  }
}

}  // namespace n2nq::live
