// Campaigns marked as deleted together with their results, restored, and taken away permanently. Called within a
// transaction of the store's connection.
#pragma once

#include <cstdint>

#include "app/store/sql.h"
#include "app/store/store.h"

namespace n2nq::store {

// How many results went with it. An error where it is not there, or deleted already.
Result<uint64_t> mark_deleted(Connection& connection, int64_t campaign);
// With exactly the results that went with it and are still there; also one that a purge has begun to take away.
Result<void> unmark_deleted(Connection& connection, int64_t campaign);
Result<Presence> presence_of(Connection& connection, int64_t campaign);

// A purge claims what was deleted before a time, so that nobody brings back a campaign whose results go (the negative
// time of its deletion), and takes it once no result is left that names it.
inline constexpr char kClaimDeleted[] =
    "UPDATE campaigns SET deleted_utc_ns = -deleted_utc_ns WHERE deleted_utc_ns > 0 AND deleted_utc_ns < ?";
inline constexpr char kTakeDeleted[] =
    "DELETE FROM campaigns WHERE deleted_utc_ns < 0 AND id NOT IN "
    "(SELECT campaign_id FROM results WHERE campaign_id IS NOT NULL)";

}  // namespace n2nq::store
