#include "app/live/rate_meter.h"

#include <algorithm>

namespace n2nq::live {

void RateMeter::add(int64_t time_ns, int64_t count) {
  if (!empty() && (time_ns < last_ns() || count == at(0).count)) return;
  const bool same = !empty() && time_ns == last_ns();
  const bool close = used_ >= 2 && at(1).count > 0 && at(0).time_ns - at(1).time_ns < kSpacingNs;
  if (!same && !close) {
    newest_ = (newest_ + 1) % kLooks;
    used_ = std::min<uint32_t>(used_ + 1, kLooks);
  }
  looks_[newest_] = {.time_ns = time_ns, .count = count};
}

double RateMeter::per_s(int64_t now_ns) const {
  if (used_ < 2) return 0;
  size_t back = 1;
  while (back + 1 < used_ && at(back + 1).count > 0 && at(back).time_ns > now_ns - kWindowNs) back++;
  const Look& first = at(back);
  // With nothing but the beginning before the newest: the first step of all ended no interval.
  const double steps = static_cast<double>(at(0).count) - static_cast<double>(std::max<int64_t>(first.count, 1));
  const auto taken_ns = static_cast<double>(at(0).time_ns - first.time_ns);
  if (steps <= 0 || taken_ns <= 0) return 0;
  const double interval_ns = taken_ns / steps;
  const auto since_ns = static_cast<double>(now_ns - at(0).time_ns);
  if (since_ns >= std::max(static_cast<double>(kWindowNs), 2 * interval_ns)) return 0;
  return steps * 1e9 / (taken_ns + std::max(since_ns - interval_ns, 0.0));
}

}  // namespace n2nq::live
