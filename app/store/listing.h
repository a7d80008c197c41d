// Reads the list of results: a fixed number of statements, none of which looks at a histogram or a plan. Of the
// connection's thread.
#pragma once

#include "app/store/sql.h"
#include "app/store/store.h"

namespace n2nq::store {

Result<ResultListing> list_results(Connection& connection);

}  // namespace n2nq::store
