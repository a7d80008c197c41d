// The latencies of a run second by second, as an HdrHistogram log beside its other files: made of what its journal told
// each second. Slow on a long run (reads the journal): not for the UI thread.
#pragma once

#include <stop_token>
#include <string>

#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::journal {

// FOLDER/latency.hlog from FOLDER/journal.jsonl, while that is there: a line for each second that the journal told of,
// latencies from actual sending without a tag, those from intended sending with the tag "scheduled". What the record
// has beyond the journal's last second is a last line: all lines together are the record's histograms. Without
// latencies there is no file.
Result<void> write_interval_log(const record::RunRecord& record, std::stop_token stop = {});
// The same for a run as it was; where it cannot be written the record gets a note.
void add_interval_log(record::RunRecord& record, std::stop_token stop = {});

// Where a run's log is; an error that says why there is none.
Result<std::string> find_interval_log(const record::RunRecord& record);

}  // namespace n2nq::journal
