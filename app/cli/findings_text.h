// What a study found beside what a campaign has, for people and for programs. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/findings/judge.h"

namespace n2nq::cli {

// Two lines a finding: whether ours agrees and what the study says; ours.
std::string findings_table(const findings::CaseFindings& found);
nlohmann::ordered_json findings_json(const findings::CaseFindings& found);
// A row a finding, RFC 4180.
std::string findings_csv(const findings::CaseFindings& found);

}  // namespace n2nq::cli
