// A campaign on disk (docs/campaigns.md). Errors name the field and what it takes. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "app/campaign/campaign.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

// Schema check included; whether the campaign can be started is for problem_of().
Result<Campaign> parse_campaign(std::string_view json);
// For whoever wrote it: parsed, and without problems, so that it can be drawn and started as it is.
Result<Campaign> parse_whole_campaign(std::string_view json);
// As the file has it in one text: "vm2, vm3" for both fleets, or "senders=vm2, vm4, receivers=vm3".
Result<ExternalHosts> parse_external_hosts(const std::string& text);
std::string to_json(const Campaign& campaign);
Result<Campaign> read_campaign_file(const std::string& path);
Result<void> write_campaign_file(const std::string& path, const Campaign& campaign);

}  // namespace n2nq::campaign
