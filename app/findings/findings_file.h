// The files of findings (resources/thesis/findings.json, resources/seeds/findings.json). Pure; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "app/findings/finding.h"
#include "broker/base/result.h"

namespace n2nq::findings {

// The error says where: "findings[3]: rule.factor: ...".
Result<std::vector<Finding>> parse_findings(std::string_view json);

// Those that this program was built with.
Result<std::vector<Finding>> shipped_findings();

}  // namespace n2nq::findings
