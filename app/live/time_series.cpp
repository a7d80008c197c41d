#include "app/live/time_series.h"

#include <algorithm>
#include <utility>

#include "broker/base/assert.h"

namespace n2nq::live {

const LatencyOverTime& over_time(Latency latency) {
  const auto found = std::ranges::find(kLatenciesOverTime, latency, &LatencyOverTime::latency);
  N2NQ_ASSERT(found != kLatenciesOverTime.end());
  return *found;
}

void TimeSeries::add_sent(int64_t from_ns, int64_t to_ns, uint64_t messages) {
  spread(from_ns, to_ns, messages, &Slot::sent);
}

void TimeSeries::add_received(int64_t from_ns, int64_t to_ns, uint64_t messages) {
  spread(from_ns, to_ns, messages, &Slot::received);
}

void TimeSeries::note_received(int64_t first_ns, int64_t last_ns, uint64_t messages) {
  const int64_t last = std::clamp<int64_t>(last_ns, 0, kLongestNs - 1);
  Slot& slot = slots_[slot_at(last)];
  slot.timed += static_cast<double>(messages);
  slot.first_received_ns = std::min(slot.first_received_ns, std::clamp<int64_t>(first_ns, 0, last));
  slot.last_received_ns = std::max(slot.last_received_ns, last);
  touch(slot_at(last));
}

void TimeSeries::add_lost(int64_t from_ns, int64_t to_ns, uint64_t deliveries) {
  spread(from_ns, to_ns, deliveries, &Slot::lost);
}

void TimeSeries::add_accepted(int64_t from_ns, int64_t to_ns, uint64_t messages) {
  if (messages > 0) tell(accepted_);
  spread(from_ns, to_ns, messages, &Slot::accepted);
}

void TimeSeries::add_replies(int64_t from_ns, int64_t to_ns, uint64_t replies) {
  if (replies > 0) tell(replies_);
  spread(from_ns, to_ns, replies, &Slot::replies);
}

void TimeSeries::add_timeouts(int64_t from_ns, int64_t to_ns, uint64_t timeouts) {
  if (timeouts > 0) tell(replies_);
  spread(from_ns, to_ns, timeouts, &Slot::timeouts);
}

// From the first one on each point says how many.
void TimeSeries::tell(bool& of_these) {
  if (!std::exchange(of_these, true)) kept_.clear();
}

void TimeSeries::spread(int64_t from_ns, int64_t to_ns, uint64_t messages, double Slot::* count) {
  if (messages == 0) return;
  const int64_t to = std::clamp<int64_t>(to_ns, 0, kLongestNs);
  const int64_t from = std::clamp<int64_t>(from_ns, 0, to);
  const size_t last = slot_at(from == to ? to : to - 1);
  const size_t first = slot_at(from);
  if (first == last) {
    slots_[first].*count += static_cast<double>(messages);
    return touch(first);
  }
  for (size_t i = first; i <= last; i++) {
    const int64_t start = static_cast<int64_t>(i) * width_ns_;
    const int64_t overlap = std::min(to, start + width_ns_) - std::max(from, start);
    const double share = static_cast<double>(overlap) / static_cast<double>(to - from);
    slots_[i].*count += share * static_cast<double>(messages);
    touch(i);
  }
}

void TimeSeries::add_latency(Latency latency, int64_t from_ns, int64_t to_ns,
                             std::span<const control::BucketCount> buckets) {
  const auto found = std::ranges::find(kLatenciesOverTime, latency, &LatencyOverTime::latency);
  if (buckets.empty() || found == kLatenciesOverTime.end()) return;
  const int64_t to = std::clamp<int64_t>(to_ns, 0, kLongestNs);
  const int64_t from = std::clamp<int64_t>(from_ns, 0, to);
  const size_t slot = slot_at(from + (to - from) / 2);
  slots_[slot].latencies[static_cast<size_t>(found - kLatenciesOverTime.begin())].add(buckets);
  touch(slot);
}

int64_t TimeSeries::end_ns() const {
  return static_cast<int64_t>(slots_.size()) * width_ns_;
}

size_t TimeSeries::memory_bytes() const {
  size_t bytes = slots_.capacity() * sizeof(Slot);
  for (const Slot& slot : slots_)
    for (const SlotHistogram& latency : slot.latencies) bytes += latency.memory_bytes();
  for (const Points& level : kept_) bytes += level.capacity() * sizeof(Points::value_type);
  return bytes;
}

size_t TimeSeries::slot_at(int64_t t_ns) {
  while (t_ns / width_ns_ >= static_cast<int64_t>(kMaxSlots)) halve();
  const auto slot = static_cast<size_t>(t_ns / width_ns_);
  if (slot >= slots_.size()) slots_.resize(slot + 1);
  return slot;
}

void TimeSeries::halve() {
  const size_t half = (slots_.size() + 1) / 2;
  for (size_t i = 0; i < half; i++) {
    Slot slot = std::move(slots_[2 * i]);
    if (2 * i + 1 < slots_.size()) {
      const Slot& next = slots_[2 * i + 1];
      slot.sent += next.sent;
      slot.received += next.received;
      slot.timed += next.timed;
      slot.first_received_ns = std::min(slot.first_received_ns, next.first_received_ns);
      slot.last_received_ns = std::max(slot.last_received_ns, next.last_received_ns);
      slot.lost += next.lost;
      slot.accepted += next.accepted;
      slot.replies += next.replies;
      slot.timeouts += next.timeouts;
      for (size_t of = 0; of < slot.latencies.size(); of++) slot.latencies[of].add(next.latencies[of]);
    }
    slots_[i] = std::move(slot);
  }
  slots_.resize(half);
  width_ns_ *= 2;
  if (!kept_.empty()) kept_.erase(kept_.begin());
}

void TimeSeries::touch(size_t slot) {
  for (size_t level = 0; level < kept_.size(); level++) {
    const size_t group = slot >> level;
    if (group < kept_[level].size()) kept_[level][group].reset();
  }
}

SlotHistogram TimeSeries::sum(size_t first, size_t end, size_t latency) const {
  SlotHistogram all = slots_[first].latencies[latency];
  for (size_t i = first + 1; i < end; i++) all.add(slots_[i].latencies[latency]);
  return all;
}

SeriesPoint TimeSeries::merged(size_t first, size_t end) const {
  SeriesPoint point{.start_ns = static_cast<int64_t>(first) * width_ns_,
                    .width_ns = static_cast<int64_t>(end - first) * width_ns_};
  if (accepted_) point.accepted = 0;
  if (replies_) point.replies = point.timeouts = 0;
  double timed = 0;
  int64_t first_ns = kLongestNs, last_ns = 0;
  for (size_t i = first; i < end; i++) {
    timed += slots_[i].timed;
    first_ns = std::min(first_ns, slots_[i].first_received_ns);
    last_ns = std::max(last_ns, slots_[i].last_received_ns);
    point.sent += slots_[i].sent;
    point.received += slots_[i].received;
    point.lost += slots_[i].lost;
    if (accepted_) *point.accepted += slots_[i].accepted;
    if (!replies_) continue;
    *point.replies += slots_[i].replies;
    *point.timeouts += slots_[i].timeouts;
  }
  if (point.received > 0 && timed >= point.received) {
    point.first_received_ns = first_ns;
    point.last_received_ns = last_ns;
  }
  slots_merged_ += end - first;
  SlotHistogram several;
  for (size_t i = 0; i < kLatenciesOverTime.size(); i++) {
    const SlotHistogram& all = end - first == 1 ? slots_[first].latencies[i] : several = sum(first, end, i);
    if (all.count() == 0) continue;
    const LatencyOverTime& of = kLatenciesOverTime[i];
    point.*of.p50 = all.quantile(0.5);
    point.*of.p99 = all.quantile(0.99);
    if (of.p95 != nullptr) point.*of.p95 = all.quantile(0.95);
    if (of.max != nullptr) point.*of.max = all.max_ns();
  }
  return point;
}

const SeriesPoint& TimeSeries::kept(size_t level, size_t group) const {
  if (level >= kept_.size()) kept_.resize(level + 1);
  Points& points = kept_[level];
  if (group >= points.size()) points.resize(group + 1);
  if (!points[group]) points[group] = merged(group << level, (group + 1) << level);
  return *points[group];
}

// Points become twice as wide all at once; so that this costs no more than any other look, the wider ones are merged
// a few at a time beforehand.
void TimeSeries::keep_ahead(size_t level, size_t first, size_t end) const {
  constexpr size_t kMostSlots = 32;
  const size_t width = size_t{1} << level;
  const size_t first_group = (first + width - 1) >> level;
  size_t groups = std::max<size_t>(1, kMostSlots >> level);
  for (size_t group = end >> level; group > first_group && groups > 0; group--) {
    if (level < kept_.size() && group <= kept_[level].size() && kept_[level][group - 1]) continue;
    (void)kept(level, group - 1);
    groups--;
  }
}

std::vector<SeriesPoint> TimeSeries::points(int64_t from_ns, int64_t to_ns, size_t max_points) const {
  const int64_t from = std::clamp<int64_t>(from_ns, 0, end_ns());
  const int64_t to = std::clamp<int64_t>(to_ns, 0, end_ns());
  const auto first = static_cast<size_t>((from + width_ns_ - 1) / width_ns_);
  const auto end = static_cast<size_t>(to / width_ns_);
  if (first >= end || max_points == 0) return {};
  size_t level = 0;
  while (((end - 1) >> level) - (first >> level) + 1 > max_points) level++;
  std::vector<SeriesPoint> points;
  for (size_t group = first >> level; group <= (end - 1) >> level; group++) {
    const size_t group_first = std::max(first, group << level);
    const size_t group_end = std::min(end, (group + 1) << level);
    const bool whole = group_end - group_first == size_t{1} << level;
    points.push_back(whole ? kept(level, group) : merged(group_first, group_end));
  }
  keep_ahead(level + 1, first, end);
  return points;
}

}  // namespace n2nq::live
