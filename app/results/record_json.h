// A whole record as one JSON object, for machines: every member by its name, base units, UTC. Any thread.
#pragma once

#include <string>

#include "app/results/run_record.h"

namespace n2nq::results {

// Indented; `user_notes` is what the user wrote about the run. Histograms: "buckets": [index, count, ...] as in
// docs/control.md, "Bucket i".
std::string record_to_json(const RunRecord& record, const std::string& user_notes = {});

}  // namespace n2nq::results
