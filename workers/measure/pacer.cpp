#include "workers/measure/pacer.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "broker/base/assert.h"
#include "broker/base/random.h"
#include "workers/measure/exponential.h"

namespace n2nq::measure {

int64_t phase_of(PhaseKind kind, uint64_t k, uint64_t n, int64_t delay_ns, uint64_t seed) {
  N2NQ_ASSERT(k < n && delay_ns >= 0);
  if (delay_ns == 0) return 0;
  const auto delay = static_cast<uint64_t>(delay_ns);
  switch (kind) {
    case PhaseKind::even:
      return static_cast<int64_t>(static_cast<uint128>(delay) * k / n);
    case PhaseKind::together:
      return 0;
    case PhaseKind::random:
      return static_cast<int64_t>(Random(mix64(seed) ^ k).below(delay));
  }
  return 0;
}

double first_of(PhaseKind kind, uint64_t k, uint64_t n, uint64_t seed) {
  if (kind == PhaseKind::even) return static_cast<double>(k);  // and not a part of n that was rounded
  constexpr int64_t kParts = 1'000'000'000;
  return static_cast<double>(phase_of(kind, k, n, kParts, seed)) * static_cast<double>(n) / kParts;
}

Schedule::Schedule(int64_t begin_ns, int64_t phase_ns, int64_t delay_ns)
    : begin_ns_(begin_ns), first_ns_(begin_ns + phase_ns), delay_ns_(delay_ns) {
  N2NQ_ASSERT(delay_ns >= 0 && phase_ns >= 0);
}

Schedule Schedule::poisson(int64_t begin_ns, int64_t mean_delay_ns, uint64_t seed, uint32_t sender) {
  N2NQ_ASSERT(mean_delay_ns > 0);
  Schedule schedule(begin_ns, 0, mean_delay_ns);
  schedule.be_poisson(mean_delay_ns, seed, sender);
  return schedule;
}

void Schedule::be_poisson(int64_t mean_gap_ns, uint64_t seed, uint32_t sender) {
  poisson_ = true;
  by_delay_ = false;
  mean_gap_ns_ = mean_gap_ns;
  key_ = mix64(mix64(~seed) ^ sender);  // another one than of its contents
  base_ = last_ = {.i = 0, .after_ns = gap_ns(0)};
}

Schedule Schedule::shaped(int64_t begin_ns, const LoadProfile& profile, double first, double step) {
  N2NQ_ASSERT(first >= 0 && step > 0);
  const double mean_ns = static_cast<double>(profile.length_ns()) * step / std::max(profile.messages(), 1.0);
  Schedule schedule(begin_ns, 0, std::max<int64_t>(std::llround(std::min(mean_ns, 0x1p62)), 1));
  schedule.by_delay_ = false;
  schedule.profile_ = &profile;
  schedule.amount_ = first;
  schedule.step_ = step;
  return schedule;
}

Schedule Schedule::shaped_poisson(int64_t begin_ns, const LoadProfile& profile, double step, uint64_t seed,
                                  uint32_t sender) {
  Schedule schedule = shaped(begin_ns, profile, 0, step);
  schedule.be_poisson(kOneMessage, seed, sender);
  return schedule;
}

// Since the begin; cheap for the one that was asked for last.
int64_t Schedule::shaped_ns(uint64_t i) const {
  if (known_ns_ >= 0 && known_i_ == i) return known_ns_;
  const double messages = poisson_ ? static_cast<double>(last_.after_ns) / kOneMessage : static_cast<double>(i);
  known_i_ = i;
  known_ns_ = profile_->time_of(amount_ + messages * step_, near_);
  return known_ns_;
}

int64_t Schedule::gap_ns(uint64_t i) const {
  return exponential_ns(mean_gap_ns_, mix64(key_ + i));
}

void Schedule::move_to(Place& place, uint64_t i) const {
  while (place.i < i) place.after_ns += gap_ns(++place.i);
}

void Schedule::forget_before(uint64_t i) {
  if (!poisson_) return;
  if (last_.i == i)
    base_ = last_;
  else
    move_to(base_, i);
}

int64_t Schedule::intended_ns(uint64_t i) const {
  N2NQ_ASSERT(exists());
  if (by_delay_) return first_ns_ + static_cast<int64_t>(i) * delay_ns_;
  if (poisson_) {
    if (i < last_.i) last_ = base_;
    N2NQ_ASSERT(last_.i <= i);
    move_to(last_, i);
    return first_ns_ + (profile_ == nullptr ? last_.after_ns : shaped_ns(i));
  }
  return first_ns_ + shaped_ns(i);
}

void Schedule::pause(int64_t now_ns) {
  if (!paused_at_) paused_at_ = now_ns;
}

void Schedule::resume(int64_t now_ns) {
  if (!paused_at_) return;
  const int64_t held = now_ns - std::max(*paused_at_, begin_ns_);  // a pause before the begin holds nothing back
  first_ns_ += std::max<int64_t>(held, 0);
  paused_at_.reset();
}

void DueQueue::push(int64_t due_ns, uint32_t service) {
  heap_.push_back({due_ns, service});
  std::ranges::push_heap(heap_, std::greater{});
}

std::optional<DueQueue::Due> DueQueue::pop_due(int64_t now_ns) {
  if (heap_.empty() || heap_.front().due_ns > now_ns) return std::nullopt;
  std::ranges::pop_heap(heap_, std::greater{});
  const Due due = heap_.back();
  heap_.pop_back();
  return due;
}

}  // namespace n2nq::measure
