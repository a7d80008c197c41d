// The figures that the report on a campaign or a search begins with. Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "app/campaign/campaign.h"
#include "app/campaign/ledger.h"
#include "app/campaign/points.h"
#include "app/figures/headlines.h"
#include "app/figures/metric.h"

namespace n2nq::report {

using Passed = std::map<uint32_t, std::vector<const record::RunRecord*>>;  // the runs that count, by point

std::vector<figures::Headline> campaign_headlines(const campaign::Campaign& campaign, const campaign::Ledger& ledger,
                                                  const std::vector<campaign::Point>& points, const Passed& passed);
// As of all points.
figures::FirstLatency first_latency(const std::vector<campaign::Point>& points, const Passed& passed);

}  // namespace n2nq::report
