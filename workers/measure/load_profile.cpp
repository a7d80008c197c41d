#include "workers/measure/load_profile.h"

#include <algorithm>
#include <cmath>

namespace n2nq::measure {
namespace {

using Kind = LoadShape::Kind;

constexpr double kNsPerS = 1e9;
constexpr double kRounding = 1e-6;  // messages; what adding up a shape's parts may be off

double snapped(double messages) {
  const double whole = std::round(messages);
  return std::abs(messages - whole) < kRounding ? whole : messages;
}

}  // namespace

LoadProfile::LoadProfile(const LoadShape& shape) {
  if (!problems_of(shape).empty()) return;
  const double from = shape.from_per_s, to = shape.to_per_s;
  switch (shape.kind) {
    case Kind::constant:
      break;
    case Kind::ramp:
      add(shape.over_ns, from, to);
      break;
    case Kind::steps:
      for (uint32_t i = 0; i < shape.steps; i++) {
        const int64_t end_ns = shape.over_ns * (i + 1) / shape.steps;
        const double rate = from + (to - from) * i / (shape.steps - 1);
        add(end_ns - length_ns_, rate, rate);
      }
      break;
    case Kind::spike:
      add(shape.at_ns, from, from);
      add(shape.for_ns, to, to);
      add(shape.over_ns - length_ns_, from, from);
      break;
    case Kind::burst:
      while (length_ns_ < shape.over_ns) {
        add(std::min(shape.for_ns, shape.over_ns - length_ns_), to, to);
        add(std::min(shape.every_ns - shape.for_ns, shape.over_ns - length_ns_), from, from);
      }
      break;
    case Kind::recorded:
      recorded_ = shape.recorded.content;
      length_ns_ = shape.over_ns;
      messages_ = static_cast<double>(recorded_->size());
      break;
  }
}

LoadProfile LoadProfile::steady(double per_s, int64_t length_ns) {
  LoadProfile profile;
  profile.add(length_ns, per_s, per_s);
  return profile;
}

void LoadProfile::add(int64_t length_ns, double from_per_s, double to_per_s) {
  if (length_ns <= 0) return;
  const auto length = static_cast<double>(length_ns);
  segments_.push_back({.start_ns = length_ns_,
                       .first = messages_,
                       .rate_per_s = from_per_s,
                       .rise_per_s2 = (to_per_s - from_per_s) * kNsPerS / length});
  length_ns_ += length_ns;
  messages_ = snapped(messages_ + (from_per_s + to_per_s) * length / (2 * kNsPerS));
}

const LoadProfile::Segment& LoadProfile::segment_at(int64_t t_ns) const {
  const auto next = std::ranges::upper_bound(segments_, t_ns, {}, &Segment::start_ns);
  return next == segments_.begin() ? segments_.front() : *(next - 1);
}

double LoadProfile::within(const Segment& segment, int64_t t_ns) {
  const double s = static_cast<double>(t_ns - segment.start_ns) / kNsPerS;
  return s * (segment.rate_per_s + segment.rise_per_s2 * s / 2);
}

double LoadProfile::messages_until(int64_t t_ns) const {
  if (t_ns <= 0 || (segments_.empty() && !recorded_)) return 0;
  if (t_ns >= length_ns_) return messages_;
  if (recorded_) return static_cast<double>(std::ranges::lower_bound(*recorded_, t_ns) - recorded_->begin());
  const Segment& segment = segment_at(t_ns);
  return segment.first + within(segment, t_ns);
}

int64_t LoadProfile::time_of(double amount, size_t& near) const {
  if (!(amount < messages_)) return length_ns_;
  if (recorded_) return (*recorded_)[static_cast<size_t>(amount)];
  if (near >= segments_.size() || amount < segments_[near].first) {
    const auto next = std::ranges::upper_bound(segments_, amount, {}, &Segment::first);
    near = static_cast<size_t>(std::max<ptrdiff_t>(next - segments_.begin() - 1, 0));
  }
  // The last of those that begin with it: where nothing is sent no message is due.
  while (near + 1 < segments_.size() && segments_[near + 1].first <= amount) near++;
  const Segment& segment = segments_[near];
  const double more = amount - segment.first;
  if (more <= 0) return segment.start_ns;
  const double rate = segment.rate_per_s;
  const double root = std::sqrt(std::max(rate * rate + 2 * segment.rise_per_s2 * more, 0.0));
  return segment.start_ns + std::llround(2 * more / (rate + root) * kNsPerS);
}

uint64_t LoadProfile::count_of(double first, double step) const {
  if (!(first < messages_)) return 0;
  return static_cast<uint64_t>(std::ceil((messages_ - first) / step));
}

int64_t LoadProfile::longest_between(size_t messages) const {
  int64_t longest_ns = 0;
  const auto& times = *recorded_;
  for (size_t i = 0; i <= times.size(); i++) {
    const int64_t from_ns = i == 0 ? 0 : times[i - 1];
    const size_t to = i + messages - 1;
    longest_ns = std::max(longest_ns, (to < times.size() ? times[to] : length_ns_) - from_ns);
  }
  return longest_ns;
}

// The rate changes in lines, so that the longest ones are where a line begins or ends.
int64_t LoadProfile::longest_gap_ns() const {
  if (recorded_) return longest_between(1);
  int64_t longest_ns = 0;
  size_t near = 0;
  const auto look = [&](double amount) {
    if (amount < 0 || amount >= messages_) return;
    const int64_t at_ns = time_of(amount, near);
    longest_ns = std::max(longest_ns, time_of(amount + 1, near) - at_ns);
  };
  if (messages_ > 0) longest_ns = time_of(0, near);
  for (const Segment& segment : segments_) {
    const double whole = std::floor(segment.first);
    for (const double amount : {whole - 2, whole - 1, whole, whole + 1}) look(amount);
  }
  for (const double back : {1.0, 2.0}) look(std::ceil(messages_) - back);
  return messages_ > 0 ? longest_ns : length_ns_;
}

}  // namespace n2nq::measure
