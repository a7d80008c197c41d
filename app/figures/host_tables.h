// What the hosts of a run did, as a table for people and as one for programs. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/figures/record_tables.h"
#include "app/record/run_record.h"

namespace n2nq::figures {

// Of each host, process and side of connections what it came to over the run; what is missing says why.
std::vector<TableColumn> host_columns();
std::vector<TableRow> host_rows(const record::RunRecord& record);

// Every reading: host, of, subject, series, unit, start_ns, width_ns, value. RFC 4180, C locale.
std::string host_csv(const record::RunRecord& record);

}  // namespace n2nq::figures
