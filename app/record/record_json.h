// A whole record as one JSON object, for machines: every member by its name, base units, UTC. Any thread.
#pragma once

#include <string>

#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::record {

// Indented; `user_notes` is what the user wrote about the run. Histograms: "buckets": [index, count, ...] as in
// docs/control.md, "Bucket i".
std::string record_to_json(const RunRecord& record, const std::string& user_notes = {});

// Back again, whoever wrote it: without id and place in a campaign, which are of the store that it came from. Columns
// that it lacks, as one of an older version does, are as in a new record. The error names what is wrong in it.
Result<RunRecord> record_from_json(const std::string& json);

}  // namespace n2nq::record
