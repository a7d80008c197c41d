#include "app/run/run_kills.h"

#include <utility>

namespace n2nq::run {

RunKills::RunKills(const plan::RunPlan& plan, Kill kill, Elapsed elapsed)
    : kill_(std::move(kill)), elapsed_(std::move(elapsed)), timer_([this] { make_due(); }), kills_(plan.bus.kills()) {}

void RunKills::begin() {
  make_due();
}

void RunKills::end() {
  timer_.stop();
  next_ = kills_.size();
}

void RunKills::make_due() {
  const int64_t now_ns = elapsed_().value_or(0);
  for (; next_ < kills_.size() && kills_[next_].at_ns <= now_ns; next_++) kill_(kills_[next_].server);
  if (next_ < kills_.size()) timer_.wait(kills_[next_].at_ns - now_ns);
}

}  // namespace n2nq::run
