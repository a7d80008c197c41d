// What the bar says of the selected campaign, from what is known of it. What reads a CampaignRun is of the UI thread;
// the rest is pure.
#pragma once

#include "app/campaign/campaign_reader.h"
#include "ui/campaigns/campaign_bar.h"
#include "ui/campaigns/completed_runs.h"

namespace n2nq::ui {

// Of a shipped case, how many of its findings its runs can decide, where these are not all; empty: there is nothing to
// say. A warning where more runs would decide more, or where it is none.
struct DraftProspect {
  QString text{};
  theme::Status status = theme::Status::info;
};
DraftProspect prospect_of(const campaign::Campaign& campaign);

// Of the completed runs so many are doubtful; empty: none.
QString doubtful_text(size_t doubtful, size_t completed);

struct DraftFacts {
  const campaign::Check* check = nullptr;  // null: it has not come yet
  DraftProspect prospect{};
  QString missing{};        // servers that are not installed
  bool only_waits = false;  // nothing is wrong but what is left to be typed
  QString blocked{};        // why no campaign can be started
};
BarState draft_bar(const DraftFacts& facts);

// Of the one that is running.
struct RunFacts {
  CompletedRuns runs{};
  uint64_t failed = 0;  // runs, on every try
  QString progress{};
  bool stopped = false;
  int64_t left_ns = 0;
  QString failed_points{};
  QString warning{};
  QString doubtful{};
};
RunFacts facts_of(const campaign::CampaignRun& run, int64_t left_ns);  // but for the points
BarState run_bar(const RunFacts& facts);
QString time_left(int64_t left_ns);

// Of one that was started and is not running.
struct KeptFacts {
  bool over = false;
  bool leaves_runs = false;
  std::optional<CompletedRuns> runs{};
  std::optional<double> progress{};
  QString end{};  // how it ended
  theme::Status status = theme::Status::info;
  QString failed_points{};
  QString doubtful{};
  QString verdict{};  // where it is a comparison, with its doubts
  bool verdict_is_doubtful = false;
  QString blocked{};
};
BarState kept_bar(const KeptFacts& facts);

}  // namespace n2nq::ui
