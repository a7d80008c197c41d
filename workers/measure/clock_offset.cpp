#include "workers/measure/clock_offset.h"

#include <algorithm>
#include <cmath>

#include "broker/base/assert.h"

namespace n2nq::measure {
namespace {

// Nobody's clock is 73 years from its origin; keeps differences from overflowing.
constexpr int64_t kLatestTime = int64_t{1} << 61;

int64_t down(double ns) {
  return static_cast<int64_t>(std::floor(ns));
}
int64_t up(double ns) {
  return static_cast<int64_t>(std::ceil(ns));
}

bool plausible(const Probe& p, double max_drift_ppb) {
  for (const int64_t t : {p.local_send_ns, p.remote_receive_ns, p.remote_send_ns, p.local_receive_ns}) {
    if (t < 0 || t > kLatestTime) return false;
  }
  const int64_t held = p.local_receive_ns - p.local_send_ns;
  if (held < 0 || p.remote_send_ns < p.remote_receive_ns) return false;
  // A remote clock that runs faster may seem to hold a probe for longer than its whole journey took.
  return p.round_trip_ns() >= -up(static_cast<double>(held) * max_drift_ppb / 1e9);
}

int64_t middle(int64_t low, int64_t high) {
  return low + (high - low) / 2;
}

}  // namespace

OffsetEstimate OffsetEstimate::moved_to(int64_t local_ns) const {
  const auto age = static_cast<double>(local_ns - at_ns);
  OffsetEstimate moved = *this;
  moved.at_ns = local_ns;
  moved.offset_ns += static_cast<int64_t>(age * drift_ppb * 1e-9);
  // One nanosecond more, for the rounding of the line above.
  const int64_t wider = local_ns == at_ns ? 0 : 1 + up(std::abs(age) * drift_bound_ppb * 1e-9);
  moved.bound_ns += wider;
  moved.drift_ns += wider;
  return moved;
}

OffsetEstimator::OffsetEstimator(const Options& options) : options_(options), history_step_ns_(options.interval_ns) {
  N2NQ_ASSERT(options.window_probes >= 2 && options.max_intervals >= 2 && options.interval_ns > 0);
  window_.reserve(options.window_probes + 1);
}

bool OffsetEstimator::add(const Probe& probe) {
  const int64_t now_ns = probe.local_receive_ns;
  if (!plausible(probe, options_.max_drift_ppb) || (known() && now_ns < latest_.at_ns)) {
    rejected_++;
    return false;
  }
  window_.push_back(probe);
  keep_within_window(now_ns);
  const OffsetEstimate before = latest_;
  latest_.at_ns = now_ns;
  latest_.probes++;
  estimate();
  if (before.probes > 0) {  // what was in force until now, and what is now: apart only when a clock jumped
    widen(history_.back().span, before.moved_to(now_ns));
    widen(history_.back().span, latest_);
  }
  remember(now_ns);
  return true;
}

OffsetEstimate OffsetEstimator::at(int64_t local_ns) const {
  N2NQ_ASSERT(known());
  return latest_.moved_to(local_ns);
}

void OffsetEstimator::keep_within_window(int64_t now_ns) {
  const int64_t oldest = now_ns - options_.window_ns;
  std::erase_if(window_, [&](const Probe& p) { return p.local_receive_ns < oldest; });
  if (window_.size() > options_.window_probes) thin_out();
}

// Of the two neighbours closest in time the one with the longer round trip goes: the best probe always stays, and the
// window keeps its reach however often somebody probes. The newest stays too: it alone knows of a jump.
void OffsetEstimator::thin_out() {
  size_t closest = 0;
  int64_t smallest = INT64_MAX;
  for (size_t i = 0; i + 2 < window_.size(); i++) {
    const int64_t apart = window_[i + 1].local_receive_ns - window_[i].local_receive_ns;
    if (apart < smallest) {
      smallest = apart;
      closest = i;
    }
  }
  if (window_[closest + 1].round_trip_ns() > window_[closest].round_trip_ns()) closest++;
  window_.erase(window_.begin() + static_cast<std::ptrdiff_t>(closest));
}

// Each pair of probes confines the average drift between them. Where drift wanders by w, the ranges of two pairs may
// miss each other by w, and the drift of any moment is within w of what they have in common.
auto OffsetEstimator::fitted_drift() const -> Range {
  const Range any{-options_.max_drift_ppb, options_.max_drift_ppb};
  Range fit = any;
  for (size_t j = 1; j < window_.size(); j++) {
    const Probe& b = window_[j];
    for (size_t i = 0; i < j; i++) {
      const Probe& a = window_[i];
      const int64_t least = b.local_send_ns - a.local_receive_ns;
      if (least <= 0) continue;
      const auto shortest = static_cast<double>(least);
      const auto longest = static_cast<double>(b.local_receive_ns - a.local_send_ns);
      const auto most =
          static_cast<double>((b.remote_receive_ns - b.local_send_ns) - (a.remote_send_ns - a.local_receive_ns));
      const auto fewest =
          static_cast<double>((b.remote_send_ns - b.local_receive_ns) - (a.remote_receive_ns - a.local_send_ns));
      fit.highest = std::min(fit.highest, 1e9 * most / (most > 0 ? shortest : longest));
      fit.lowest = std::max(fit.lowest, 1e9 * fewest / (fewest > 0 ? longest : shortest));
    }
  }
  fit.lowest = std::max(fit.lowest - options_.drift_wander_ppb, any.lowest);
  fit.highest = std::min(fit.highest + options_.drift_wander_ppb, any.highest);
  return fit.lowest <= fit.highest ? fit : any;
}

// At the remote receipt the offset was at most (remote receive - local send), at the remote send at least (remote send
// - local receive), both at some local time within the probe; a nanosecond more either way, because stamps are whole
// ones.
auto OffsetEstimator::span_at(int64_t local_ns, const Range& drift) const -> Span {
  Span all{INT64_MIN, INT64_MAX};
  for (const Probe& p : window_) {
    const double since_start = static_cast<double>(local_ns - p.local_send_ns) * 1e-9;
    const double since_end = static_cast<double>(local_ns - p.local_receive_ns) * 1e-9;
    const double rise = std::max(drift.highest * since_start, drift.highest * since_end);
    const double fall = std::min(drift.lowest * since_start, drift.lowest * since_end);
    all.low = std::max(all.low, p.remote_send_ns - p.local_receive_ns + down(fall) - 1);
    all.high = std::min(all.high, p.remote_receive_ns - p.local_send_ns + up(rise) + 1);
  }
  return all;
}

void OffsetEstimator::estimate() {
  Range drift = fitted_drift();
  Span span = span_at(latest_.at_ns, drift);
  const Range any{-options_.max_drift_ppb, options_.max_drift_ppb};
  if (span.low > span.high) {  // the drift changed by more than it may: trust no fit
    drift = any;
    span = span_at(latest_.at_ns, drift);
  }
  if (span.low > span.high) {  // one of the clocks jumped: only the newest probe knows
    restarts_++;
    window_.erase(window_.begin(), window_.end() - 1);
    span = span_at(latest_.at_ns, drift);
  }
  latest_.offset_ns = middle(span.low, span.high);
  latest_.bound_ns = std::max(span.high - latest_.offset_ns, latest_.offset_ns - span.low);
  latest_.drift_ppb = (drift.lowest + drift.highest) / 2;
  latest_.drift_bound_ppb = (drift.highest - drift.lowest) / 2;
  const Probe& best = *std::ranges::min_element(window_, {}, &Probe::round_trip_ns);
  latest_.min_rtt_ns = best.round_trip_ns();
  const auto age = static_cast<double>(latest_.at_ns - best.local_send_ns);
  const auto journey = static_cast<double>(best.local_receive_ns - best.local_send_ns);
  // Three more, for stamps and halves that are whole nanoseconds.
  latest_.drift_ns = 3 + up((age * latest_.drift_bound_ppb + journey / 2 * std::abs(latest_.drift_ppb)) * 1e-9);
}

void OffsetEstimator::remember(int64_t now_ns) {
  if (!history_.empty() && now_ns - history_.back().start_ns < history_step_ns_) return;
  if (history_.size() == options_.max_intervals) halve_history();
  history_.push_back({now_ns, {latest_.offset_ns, latest_.offset_ns}});
  widen(history_.back().span, latest_);
}

void OffsetEstimator::widen(Span& span, const OffsetEstimate& estimate) {
  span.low = std::min(span.low, estimate.offset_ns - estimate.bound_ns);
  span.high = std::max(span.high, estimate.offset_ns + estimate.bound_ns);
}

void OffsetEstimator::halve_history() {
  size_t kept = 0;
  for (size_t i = 0; i < history_.size(); i += 2) {
    Envelope merged = history_[i];
    if (i + 1 < history_.size()) {
      merged.span.low = std::min(merged.span.low, history_[i + 1].span.low);
      merged.span.high = std::max(merged.span.high, history_[i + 1].span.high);
    }
    history_[kept++] = merged;
  }
  history_.resize(kept);
  history_step_ns_ *= 2;
}

std::vector<OffsetInterval> OffsetEstimator::intervals(int64_t until_ns) const {
  std::vector<OffsetInterval> all;
  all.reserve(history_.size());
  for (size_t i = 0; i < history_.size(); i++) {
    Span span = history_[i].span;
    if (i + 1 == history_.size()) {
      widen(span, latest_.moved_to(std::max(until_ns, latest_.at_ns)));
    }
    const int64_t offset = middle(span.low, span.high);
    all.push_back({history_[i].start_ns, offset, std::max(span.high - offset, offset - span.low)});
  }
  return all;
}

}  // namespace n2nq::measure
