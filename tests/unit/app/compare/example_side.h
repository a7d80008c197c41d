// Sides whose runs have the p99 that a test wants.
#pragma once

#include <string>
#include <vector>

#include "app/compare/side.h"

namespace n2nq::compare::test {

inline record::RunRecord run_with(int64_t id, int64_t p99_ns) {
  record::RunRecord run;
  run.id = id;
  run.verdict = record::Verdict::passed;
  run.began_utc_ns = 1'000'000'000;
  run.ended_utc_ns = 3'000'000'000;
  run.totals.sent = 100;
  run.totals.received = 1'000;
  run.totals.lost = 0;
  run.latencies[Latency::latency].count = 1'000;
  run.latencies[Latency::latency].p99 = p99_ns;
  return run;
}

inline Side side_with(const std::string& name, const std::vector<int64_t>& p99_ns) {
  Side side{.name = name};
  for (const int64_t value : p99_ns) side.runs.push_back(run_with(static_cast<int64_t>(side.runs.size()) + 1, value));
  return side;
}

}  // namespace n2nq::compare::test
