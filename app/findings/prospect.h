// Before a case of a study is run: of which of its findings its runs can say anything at all, and what the others lack.
// By the campaign alone: that runs differ too much, or are too few to say how often something happens, shows only
// afterwards. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"
#include "app/findings/finding.h"

namespace n2nq::findings {

struct Prospect {
  std::string study_case{};
  size_t findings = 0;   // of the case
  size_t few_runs = 0;   // that want more runs of each point,
  size_t no_hosts = 0;   // that want other computers,
  size_t no_points = 0;  // or points that the campaign does not have,
  size_t no_day = 0;     // or runs through a day,
  size_t unlike = 0;     // or the settings that the case has
  size_t open() const { return findings - few_runs - no_hosts - no_points - no_day - unlike; }
};

// Nothing where it is no shipped case.
std::optional<Prospect> prospect_of(const std::vector<Finding>& findings, const campaign::Campaign& campaign,
                                    const std::vector<campaign::Point>& points);
// "of the thesis' 9 findings in this case up to 5 can be judged; 3 need external hosts, 1 needs points that ..."
std::string prospect_text(const Prospect& prospect);
// Of a campaign that is over, for its findings that are inconclusive: "2 need external hosts; 3 have runs that vary too
// much, or too few that count: more repeats may decide them".
std::string why_inconclusive(const Prospect& prospect, size_t inconclusive);

}  // namespace n2nq::findings
