#include "workers/control/line_budget.h"

#include <algorithm>

#include "broker/base/clock.h"

namespace n2nq::control {
namespace {}  // namespace

size_t LineBudget::available(int64_t now_ns) {
  if (!started_) refilled_ns_ = now_ns;
  started_ = true;
  const int64_t passed = std::clamp<int64_t>(now_ns - refilled_ns_, 0, kSecond);
  const auto more = static_cast<size_t>(static_cast<double>(refill_per_s_) * static_cast<double>(passed) / 1e9);
  // A span too short for a whole byte is kept for the next call.
  if (more > 0) refilled_ns_ = now_ns;
  available_ = std::min(available_ + more, largest_line_);
  return available_;
}

}  // namespace n2nq::control
