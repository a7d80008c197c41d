// What a run of a search says: whether its limits held, and if not, whether that was the bus, or the senders and the
// computers of the bench. Pure; any
// thread.
#pragma once

#include <optional>
#include <vector>

#include "app/campaign/search_steps.h"
#include "app/compare/limit.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

// Senders that reached this part of the rate that was asked for kept their schedule.
inline constexpr double kRateReached = 0.98;

// Nothing where the run says nothing, and is to be made again: it failed in itself, was stopped or cut off.
std::optional<Trial> trial_of(const record::RunRecord& run, const std::vector<compare::Limit>& limits);

// Messages a second that all senders reached; nothing without a schedule.
std::optional<double> reached_rate(const record::RunRecord& run);

}  // namespace n2nq::campaign
