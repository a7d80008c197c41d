// What happened in a run, as the marks of its figures over time. Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/figures/figures.h"
#include "app/record/run_record.h"

namespace n2nq::figures {

// By time; the same word within a tenth of a second only once. Of more than kMostLandmarks those that matter most.
inline constexpr size_t kMostLandmarks = 40;
Landmarks landmarks_of(int64_t warmup_ns, std::span<const record::RunNote> notes);

// What lasted: pauses, the time without a delivery after a server was gone, as far as it is known by now, and what
// other programs used of the hosts.
std::vector<Stretch> stretches_of(const RunView& run);

}  // namespace n2nq::figures
