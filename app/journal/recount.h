// The totals of a run, taken again from the lines of its message logs. Slow (reads every log). Any thread.
#pragma once

#include <stop_token>

#include "app/record/run_record.h"
#include "broker/base/result.h"

namespace n2nq::journal {

// For a run whose last figures were never told: what the logs in its folder hold is what was sent and received. A
// service keeps what it has where its log has less (lines that were not written), or cannot be read: a note says so. A
// process whose logs all have their last line is known exactly from then on (figures_from: logs). An error: it was told
// to stop.
Result<void> recount(record::RunRecord& record, std::stop_token stop = {});

// For a run that has finished: processes that left no summary are recounted, if they have logs of their messages, and
// what stays uncertain is noted. Nothing is read where all left one. An error: it was told to stop.
Result<void> settle_counts(record::RunRecord& record, std::stop_token stop = {});

}  // namespace n2nq::journal
