// What a person should know about a run while it goes on, read off the live figures. Pure; UI thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/live/live_figures.h"
#include "app/plan/run_plan.h"

namespace n2nq::live {

// Whether it makes a run doubtful: never by itself, or where it held for long, or as soon as it was there.
enum class Weight { none, if_it_lasts, always };

struct LiveWarning {
  std::string id{};          // stable while the same thing is meant: "behind", "lost", "cpu-sender-1"
  Role role = Role::sender;  // where to show it
  std::string text{};        // "sender 17 is 3.1 ms behind its schedule: ... "; says what to do
  Weight weight = Weight::none;
  int64_t size = 0;  // of what comes and goes: the largest is worth knowing, not the last
  bool operator==(const LiveWarning&) const = default;
};

// Late pacer, losses, corrupt messages, clocks known less well than the median latency asks, a worker's processor at
// its limit, log lines not written or stalls, merged telemetry. In a stable order.
std::vector<LiveWarning> warnings_of(const LiveFigures& figures, const plan::RunPlan& plan);
// Those of now, each as it was before where it was larger then.
std::vector<LiveWarning> at_their_largest(std::vector<LiveWarning> now, std::span<const LiveWarning> before);

}  // namespace n2nq::live
