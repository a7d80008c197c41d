// What a campaign will take, told before it starts. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/campaign/campaign.h"
#include "app/campaign/ledger.h"

namespace n2nq::campaign {

struct Estimate {
  bool search = false;  // points and runs are what it takes where runs do not contradict each other
  uint64_t points = 0;
  uint64_t left_out = 0;  // combinations of values that are no points
  uint64_t runs = 0;
  // Sending by the schedule, with what a run takes to start and to end, and pauses. Without the runs that have no
  // schedule (delay 0).
  int64_t duration_ns = 0;
  uint64_t runs_without_schedule = 0;
  // Logs, master files and results, on this computer's disk: an upper bound, but for the logs of those runs whose
  // senders go by time as fast as the bus takes them: how much these log is not known beforehand.
  uint64_t bytes = 0;
  uint64_t runs_of_unknown_size = 0;
};

// For a campaign without problems; of its runs that are open, where a ledger says which these are. What is more than a
// member can say is the most that it can.
Estimate estimate_of(const Campaign& campaign, const Ledger* ledger = nullptr);
// "14 points (2 combinations left out), 42 runs, about 6 min, at most 45 MiB".
std::string to_text(const Estimate& estimate);

}  // namespace n2nq::campaign
