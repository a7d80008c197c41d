// A record as rows of the store's tables, and back. Called within a transaction of the store's connection.
#pragma once

#include "app/results/run_record.h"
#include "app/results/sql.h"

namespace n2nq::results {

// The new result's id.
Result<int64_t> insert_record(Connection& connection, const RunRecord& record);
// The largest number of an attempt at this run of a campaign, deleted ones included; 0: there was none.
Result<uint32_t> last_attempt(Connection& connection, const CampaignPlace& place);
// A record without histograms and what else has many rows. With the batches of waiting, by which it is known how sure
// its mean is, and the computers, by which it is known what was compared.
RunRecord as_summary(RunRecord record);
Result<RunRecord> select_summary(Connection& connection, int64_t id);
Result<RunRecord> select_record(Connection& connection, int64_t id);

}  // namespace n2nq::results
