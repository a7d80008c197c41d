// A load as it was moved by pauses of all senders: each lets nothing be due for its length.
#pragma once

#include <algorithm>
#include <cstdint>

#include "app/record/pauses.h"
#include "workers/measure/load_profile.h"

namespace n2nq::record {

class MovedLoad {
 public:
  // Both outlive it.
  MovedLoad(const measure::LoadProfile& load, const Pauses& pauses) : load_(load), pauses_(pauses) {}

  double messages_until(int64_t t_ns) const { return load_.messages_until(t_ns - paused_until(t_ns)); }
  // What each of them is asked for where only some were paused is not known here.
  bool is_known_until(int64_t t_ns) const { return !pauses_.some_since_ns || t_ns <= *pauses_.some_since_ns; }
  bool goes_on_at(int64_t t_ns) const { return t_ns - paused_until(t_ns) <= load_.length_ns(); }
  // How much of the time up to then the load takes.
  int64_t end_within(int64_t from_ns, int64_t to_ns) const {
    const int64_t beyond_ns = to_ns - paused_until(to_ns) - load_.length_ns();
    return std::max(from_ns, to_ns - std::max<int64_t>(beyond_ns, 0));
  }

 private:
  int64_t paused_until(int64_t t_ns) const {
    int64_t sum_ns = 0;
    for (const Pause& pause : pauses_.all) sum_ns += std::max<int64_t>(std::min(t_ns, pause.to_ns) - pause.from_ns, 0);
    return sum_ns;
  }

  const measure::LoadProfile& load_;
  const Pauses& pauses_;
};

}  // namespace n2nq::record
