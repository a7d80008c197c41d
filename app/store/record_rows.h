// A record as rows of the store's tables, and back. Called within a transaction of the store's connection.
#pragma once

#include "app/record/run_record.h"
#include "app/store/sql.h"
#include "app/store/store.h"

namespace n2nq::store {

// The new result's id.
Result<int64_t> insert_record(Connection& connection, const record::RunRecord& record);
// In place of what is there under its id, but for what the user marked it with and its place in a campaign.
Result<void> replace_record(Connection& connection, const record::RunRecord& record);
// The largest number of an attempt at this run of a campaign, deleted ones included; 0: there was none.
Result<uint32_t> last_attempt(Connection& connection, const record::CampaignPlace& place);
// A record without histograms and what else has many rows. With the batches of waiting, by which it is known how sure
// its mean is, and the computers, by which it is known what was compared.
record::RunRecord as_summary(record::RunRecord record);
Result<record::RunRecord> select_summary(Connection& connection, int64_t id);
Result<record::RunRecord> select_record(Connection& connection, int64_t id);
// By a fixed number of statements, none of which looks at a histogram or a plan.
Result<ResultListing> list_results(Connection& connection);

}  // namespace n2nq::store
