// What the hosts of a result did, as rows: the times of a host and the values of each series are a compressed blob each
// (docs/store.md, "Hosts"). Thread of the connection.
#pragma once

#include "app/record/run_record.h"
#include "app/store/sql.h"

namespace n2nq::store {

// How many bytes that took.
Result<uint64_t> insert_hosts(Connection& connection, int64_t id, const std::vector<live::HostHistory>& hosts);
// `whole`: with all slots; else sums and means alone.
Result<std::vector<live::HostHistory>> select_hosts(Connection& connection, int64_t id, bool whole);

}  // namespace n2nq::store
