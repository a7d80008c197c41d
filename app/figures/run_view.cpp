#include "app/figures/run_view.h"

namespace n2nq::figures {

const measure::Histogram& RecordView::histogram(Latency latency) const {
  const auto [at, is_new] = histograms_.try_emplace(latency);
  const record::HistogramRecord* kept = is_new ? record::find_histogram(run_, latency) : nullptr;
  if (kept != nullptr) at->second = record::to_histogram(*kept);
  return at->second;
}

std::optional<int64_t> RecordView::length_ns() const {
  return run_.began_utc_ns ? std::optional(run_.ended_utc_ns - *run_.began_utc_ns) : std::nullopt;
}

const record::RunTotals& RunningView::totals() const {
  if (!totals_) totals_ = record::totals_of(live_, record_);
  return *totals_;
}

std::optional<int64_t> RunningView::length_ns() const {
  return live_.begun() ? std::optional(live_.now_ns()) : std::nullopt;
}

std::span<const live::HostHistory> RunningView::host_sums() const {
  if (!host_sums_) host_sums_ = live_.hosts().sums();
  return *host_sums_;
}

std::span<const live::WaitingBatch> RunningView::waiting_batches() const {
  if (!waiting_batches_) waiting_batches_ = live_.waiting_batches().all();
  return *waiting_batches_;
}

record::RunRecord RunningView::record_so_far() const {
  record::RunRecord now = record_;
  now.notes.assign(notes_.begin(), notes_.end());
  now.totals = totals();
  record::take_figures(now, live_);
  return now;
}

HeldView::HeldView(const RunningView& now)
    : RecordView(then_),
      then_(now.record_so_far()),
      live_(*now.live()),
      until_ns_(now.known_until_ns()),
      length_ns_(now.length_ns()),
      intended_(now.intended()) {}

}  // namespace n2nq::figures
