// Which counts of its services a run's totals sum up. Pure; any thread.
#pragma once

#include "app/plan/role.h"
#include "app/record/run_record.h"
#include "workers/control/counts.h"

namespace n2nq::record {

// What services of a role have counted; those of request-reply where the run has it.
void add_counts(RunTotals& totals, Role role, const control::Counts& counts, bool with_replies);
// Each of these sums at least as it is in `others`.
void raise_sums(RunTotals& totals, const RunTotals& others);
// What all services of a role have counted, as far as totals tell the roles apart.
void take_sums(control::Counts& counts, Role role, const RunTotals& totals);

}  // namespace n2nq::record
