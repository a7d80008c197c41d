// The cases of studies that the program was built with; and how far a campaign that is called one of them is it: its
// points beside those of the case's own file. Pure; any thread.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/points.h"

namespace n2nq::findings {

struct ShippedCase {
  std::string_view name{};   // "thesis 1", "seed 002": that of its campaign
  std::string_view full{};   // what is in resources/plans/thesis-1.json
  std::string_view quick{};  // and in thesis-1-quick.json
};
std::span<const ShippedCase> shipped_cases();
const ShippedCase* find_case(std::string_view name);

struct CaseDifferences {
  std::set<uint32_t> points{};         // numbers of those that are run otherwise than in the case, or are not in it
  std::vector<std::string> remarks{};  // "different from thesis 2: senders.count is 2 and not 1, in 5 points"
};
// Places (servers, replicas and limits of containers among them, where the case is not about them), logs, seeds, limits
// of time and how often each point is run may be others; of servers and the like the remarks say so.
CaseDifferences differences_from_case(const ShippedCase& shipped_case, bool quick, const campaign::Campaign& campaign,
                                      const std::vector<campaign::Point>& points);

}  // namespace n2nq::findings
