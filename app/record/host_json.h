// What the hosts of a run did, as JSON: [{"name", "facts", "start_ns", "width_ns", "series"}]; see docs/headless.md.
// Any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "app/record/run_record.h"

namespace n2nq::record {

// Without the facts, which are null.
nlohmann::ordered_json host_json(const live::HostHistory& host);
nlohmann::ordered_json hosts_json(const RunRecord& record);
// False: it is not that. Series of an unknown name are passed over.
bool take_hosts(const nlohmann::json& array, std::vector<live::HostHistory>& hosts);

}  // namespace n2nq::record
