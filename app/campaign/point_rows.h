// The points of a campaign as they stand, for people: what was made of each repeat, and the figures so far. Pure; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/ledger.h"
#include "app/campaign/points.h"
#include "app/figures/metric.h"
#include "app/record/run_record.h"

namespace n2nq::campaign {

struct RepeatRow {
  RunState state = RunState::open;
  uint32_t tries = 0;         // that are kept
  int64_t result = 0;         // the one that counts, else the last try; 0: none
  std::string last_reason{};  // of the last try that did not count
  std::string doubts{};       // of the one that counts; empty: none
  // For a search: what the run says, and why it did not meet the limits.
  std::optional<Outcome> outcome{};
  std::string why{};
  // Late senders are what a search may find, and say nothing of the bus.
  bool is_doubtful() const { return state == RunState::done && !doubts.empty() && outcome != Outcome::senders; }
  bool operator==(const RepeatRow&) const = default;
};

struct PointRow {
  uint32_t number = 0;
  std::string label{};
  bool external_here = false;
  bool of_search = false;
  figures::FirstLatency latency{};                           // as of all points
  std::vector<RepeatRow> repeats{};                          // as many as planned, or as were made
  std::optional<double> trimmed_ns{}, p99_ns{};              // means over the repeats that count, from the actual send
  std::optional<double> shown_trimmed_ns{}, shown_p99_ns{};  // the same of that latency
  bool shows_waiting = false;                                // as one of the campaign's figures does
  std::optional<double> waiting_ns{};                        // the same mean, of waiting for service

  size_t done() const;
  size_t failed() const;
  size_t doubtful() const;      // of those that are done
  size_t met() const;           // of a search
  int64_t last_result() const;  // 0: none
};

// `ledger` has taken these records.
std::vector<PointRow> point_rows(const Campaign& campaign, const std::vector<Point>& points,
                                 const std::vector<record::RunRecord>& records, const Ledger& ledger);

}  // namespace n2nq::campaign
