// What receivers were owed and had not received, over the time of a run, and how long they took to catch up after a
// pause. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/live/time_series.h"
#include "app/record/pauses.h"
#include "app/record/run_record.h"

namespace n2nq::record {

// Deliveries that each message means; nothing where that differs from sender to sender or cannot be told beforehand.
std::optional<double> due_per_message(const plan::RunPlan& plan);

// At the end of each slot: due by then, and neither received nor skipped by the queue. Slots from BEGIN on.
struct BacklogPoint {
  int64_t at_ns = 0;
  double deliveries = 0;
  bool operator==(const BacklogPoint&) const = default;
};
std::vector<BacklogPoint> backlog_of(std::span<const live::SeriesPoint> slots, double due_per_message);

// For each of the pauses from which somebody resumed: until there is no more than there was in the second before, or
// than is due in a slot, which the slots cannot tell from nothing.
std::vector<CatchUp> catch_ups(std::span<const live::SeriesPoint> slots, std::span<const Pause> pauses,
                               double due_per_message);
// Of a run with its series and notes; none where requests changed in it, as nobody but the queue knows what is due
// then.
std::vector<CatchUp> catch_ups_of(const RunRecord& record);

}  // namespace n2nq::record
