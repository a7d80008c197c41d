// What happened in a run, as the marks of its figures over time. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/figures/figures.h"
#include "app/record/run_record.h"

namespace n2nq::figures {

struct Happenings {
  int64_t warmup_ns = 0;
  std::span<const record::RequestRecord> requests{};
  std::span<const record::RunNote> notes{};  // of the run's log: what was stopped or killed, and what passed a limit
};
// By time; the same word within a tenth of a second only once. Of more than kMostLandmarks those that matter most.
inline constexpr size_t kMostLandmarks = 40;
Landmarks landmarks_of(const Happenings& happenings);

}  // namespace n2nq::figures
