// What `n2nq-bench campaign` says came out. Any thread but for what reads a
// CampaignRun.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/campaign/campaign_run.h"
#include "app/campaign/estimate.h"
#include "app/cli/exit_code.h"
#include "app/findings/judge.h"

namespace n2nq::cli {

std::string too_large_text(const campaign::Estimate& estimate, uint64_t available_bytes, const std::string& folder);

struct PointWaiting {
  std::string label{};
  size_t runs = 0;                  // that count
  std::optional<double> mean_ns{};  // over these
};

struct CampaignOutcome {
  record::Verdict verdict = record::Verdict::failed;  // passed: every run is; stopped: some are not made
  std::string reason{};
  int64_t campaign_id = 0;
  size_t points = 0;
  size_t completed = 0;  // points with all their repeats
  size_t failed = 0;     // points with a repeat that failed in all its tries
  size_t runs = 0;
  size_t runs_done = 0;
  std::optional<std::vector<PointWaiting>> waiting{};  // of each point, where a figure of the campaign is of waiting
  bool local_trouble = false;                          // a result: something local is in the way
  bool host_trouble = false;                           // on a host, that is
  std::optional<campaign::Search> search{};  // its verdict is then that of search_outcome.h, unless it could not go on
  std::optional<findings::CaseFindings> findings{};  // of a shipped case
};
BenchExit exit_code_of(const CampaignOutcome& outcome);
CampaignOutcome outcome_of(const campaign::CampaignRun& run);

std::string to_json(const CampaignOutcome& outcome);  // one line, without its end
// A row a point: the mean of the trimmed mean and of the p99 over its repeats, and of waiting, where a figure of the
// campaign is of that.
std::string campaign_table(const campaign::CampaignRun& run, const CampaignOutcome& outcome);

}  // namespace n2nq::cli
