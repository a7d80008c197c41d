// What receivers were owed and had not received, over the time of a run, and how long they took to catch up after a
// pause. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "app/live/time_series.h"
#include "app/record/moved_load.h"
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

// What the plan says of when messages are sent, beside the load itself.
struct AskedSends {
  bool poisson = false;
  double out_of_phase = 0;       // messages: one of each sender whose phase is random
  bool in_rounds = false;        // all senders send at the same moments
  bool by_time = false;          // senders end with the load, whatever they have sent
  int64_t until_ns = INT64_MAX;  // from then on the plan says no more: the run was made to end, or somebody was lost
};
AskedSends asked_sends(const plan::RunPlan& plan, std::span<const RunNote> notes,
                       std::span<const PassedLimit> passed_limits);

// At the end of each slot, as far as it is known: of the messages that were asked for by then those that had not been
// sent. Late is what is more than a slot tells from nothing, and than a load strays by itself.
struct UnsentPoint {
  int64_t at_ns = 0;
  double messages = 0;
  bool is_late = false;
};
std::vector<UnsentPoint> unsent_of(std::span<const live::SeriesPoint> slots, const MovedLoad& load,
                                   const AskedSends& asked);

// For each of the pauses from which somebody resumed: until there is no more than there was in the second before, or
// than is due in a slot, which the slots cannot tell from nothing.
std::vector<CatchUp> catch_ups(std::span<const live::SeriesPoint> slots, std::span<const Pause> pauses,
                               double due_per_message);
// Of a run with its series and notes; none where requests changed in it, as nobody but the queue knows what is due
// then.
std::vector<CatchUp> catch_ups_of(const RunRecord& record);

}  // namespace n2nq::record
