// Whether the figures of a finished run can be believed: docs/measuring.md, "Doubts", has the rules and why they are
// so. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::record {

// Whether all that the run's processes do on that host is recorded as theirs: else what others use is not known.
bool sees_own_processes(const RunRecord& record, const live::HostHistory& host);
// Of the cores of a computer: what others may use of it on average.
inline constexpr double kOthersShare = 0.1;
// Why a run of the plan will be in doubt by the start of its server; empty: it will not.
std::string cold_server_text(const plan::RunPlan& plan);
// The record has all else; of its warnings those that were kept while it went on. May be asked again when more of it
// is known.
void judge_trust(RunRecord& record);
// Of how many deliveries, or replies, latencies are known.
struct Measured {
  uint64_t values = 0;
  uint64_t all = 0;
  const char* what = "latencies";
  const char* of = "deliveries";
  bool complete() const { return values >= all; }
};
Measured measured_deliveries(const RunRecord& record);
Measured measured_replies(const RunRecord& record);
// "14.0 % of the deliveries"
std::string share_text(const Measured& measured);
// "latencies are known of 8,908 of 64,000 deliveries only"
std::string missing_text(const Measured& measured);
// What is in doubt, a sentence for each.
std::vector<std::string> doubts_of(const RunRecord& record);
// Begins the id of the doubt that a limit of the plan was never judged, before its metric.
inline constexpr std::string_view kUnjudgedLimit = "limit-";
// Its doubt, if there is one; nullptr: all limits were judged.
const RunWarning* unjudged_limit(const RunRecord& record);
// The first of them, "(and 2 more)"; empty: there is none.
std::string first_doubt(const RunRecord& record);
// What is in doubt of it in one line, "; " between; empty: nothing is.
std::string doubts_text(const RunRecord& record);

}  // namespace n2nq::record
