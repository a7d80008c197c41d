#include "app/live/rate_meter.h"

#include <algorithm>

namespace n2nq::live {

void RateMeter::add(int64_t time_ns, int64_t count) {
  if (!empty() && time_ns < last_ns()) return;
  const bool same = !empty() && time_ns == last_ns();
  const bool close = used_ >= 2 && time_ns - at(1).time_ns < kSpacingNs;
  if (!same && !close) {
    newest_ = (newest_ + 1) % kLooks;
    used_ = std::min<uint32_t>(used_ + 1, kLooks);
  }
  looks_[newest_] = {.time_ns = time_ns, .count = count};
}

double RateMeter::per_s(int64_t now_ns) const {
  if (empty() || now_ns - kWindowNs >= last_ns()) return 0;
  const int64_t from_ns = std::max(now_ns - kWindowNs, at(used_ - 1).time_ns);
  if (now_ns <= from_ns) return 0;
  return (static_cast<double>(at(0).count) - count_at(from_ns)) * 1e9 / static_cast<double>(now_ns - from_ns);
}

double RateMeter::count_at(int64_t time_ns) const {
  size_t back = 0;
  while (back + 1 < used_ && at(back).time_ns > time_ns) back++;
  const Look& before = at(back);
  if (back == 0 || before.time_ns >= time_ns) return static_cast<double>(before.count);
  const Look& after = at(back - 1);
  const double share =
      static_cast<double>(time_ns - before.time_ns) / static_cast<double>(after.time_ns - before.time_ns);
  return static_cast<double>(before.count) + share * static_cast<double>(after.count - before.count);
}

}  // namespace n2nq::live
