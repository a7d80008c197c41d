#include "app/run/run_kills.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace n2nq::run {

RunKills::RunKills(const plan::RunPlan& plan, const RunStage& stage, Elapsed elapsed)
    : stage_(stage), elapsed_(std::move(elapsed)), kills_(plan.bus.kills()) {
  timer_.setSingleShot(true);
  timer_.setTimerType(Qt::PreciseTimer);
  QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] { make_due(); });
}

void RunKills::begin() {
  make_due();
}

void RunKills::end() {
  timer_.stop();
  next_ = kills_.size();
}

void RunKills::kill(const std::string& server) const {
  for (const auto& worker : stage_.group(Role::broker).workers()) worker->send(control::KillServerCommand{server});
}

void RunKills::make_due() {
  const int64_t now_ns = elapsed_().value_or(0);
  for (; next_ < kills_.size() && kills_[next_].at_ns <= now_ns; next_++) kill(kills_[next_].server);
  if (next_ == kills_.size()) return;
  constexpr int64_t kMs = 1'000'000;
  constexpr int64_t kLongestMs = 3'600'000;  // then it looks again
  const int64_t left_ns = kills_[next_].at_ns - now_ns;
  timer_.start(std::chrono::milliseconds(std::clamp<int64_t>((left_ns + kMs - 1) / kMs, 0, kLongestMs)));
}

}  // namespace n2nq::run
