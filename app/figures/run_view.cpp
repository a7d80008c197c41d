#include "app/figures/run_view.h"

namespace n2nq::figures {

const measure::Histogram& RecordView::histogram(Latency latency) const {
  std::optional<measure::Histogram>& histogram = histograms_[latency];
  if (!histogram) {
    const record::HistogramRecord* found = record::find_histogram(run_, latency);
    histogram = found == nullptr ? measure::Histogram() : record::to_histogram(*found);
  }
  return *histogram;
}

record::RunRecord RunningView::kept_now() const {
  record::RunRecord now = record_;
  now.notes.assign(notes_.begin(), notes_.end());
  record::take_figures(now, live_);
  return now;
}

HeldView::HeldView(const RunningView& now, const live::LiveFigures& live)
    : RecordView(then_), then_(now.kept_now()), live_(live), until_ns_(now.known_until_ns()) {}

}  // namespace n2nq::figures
