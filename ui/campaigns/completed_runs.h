// How many runs of a campaign are completed, of how many, and the words for it in the list and in the bar. Pure; any
// thread.
#pragma once

#include <QString>
#include <optional>

#include "app/campaign/campaign_reader.h"
#include "app/campaign/campaign_run.h"

namespace n2nq::ui {

struct CompletedRuns {
  uint64_t done = 0;
  std::optional<uint64_t> all{};   // where it is known: how many a search takes turns out
  bool so_far = false;             // of a search that is not over
  std::optional<uint64_t> most{};  // of a search that is in progress
};
CompletedRuns completed_runs(const campaign::ListedCampaign& one);
CompletedRuns completed_runs(const campaign::CampaignRun& run);

std::optional<double> share_of(const CompletedRuns& runs);  // nothing: of how many is not known
QString in_list(const CompletedRuns& runs);                 // "7 of 42", "7 so far"
QString in_bar(const CompletedRuns& runs);                  // "7 of 42 runs", "7 of at most 14 runs", "7 runs so far"

}  // namespace n2nq::ui
