// How far a campaign that is called a case of the thesis is one: its points beside those of the case's own file, which
// the program was built with. Pure; any thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"

namespace n2nq::findings {

// resources/plans/thesis-1.json or thesis-1-quick.json, and so on; empty: no such case.
std::string_view shipped_case_file(uint32_t thesis_case, bool quick);

struct CaseDifferences {
  std::set<uint32_t> points{};         // numbers of those that are run otherwise than in the case, or are not in it
  std::vector<std::string> remarks{};  // "not as in case 2: senders.count 2 in place of 1 to 100; ..."
};
// Places, logs, seeds, limits of time and how often each point is run may be others.
CaseDifferences differences_from_case(uint32_t thesis_case, bool quick, const campaign::Campaign& campaign,
                                      const std::vector<campaign::Point>& points);

}  // namespace n2nq::findings
