#include "app/store/campaign_deletion.h"

#include "broker/base/clock.h"

namespace n2nq::store {
namespace {

// Its time is of its own among its results, so that those that went with it are told from those deleted one by one.
constexpr char kMarkCampaign[] =
    "UPDATE campaigns SET deleted_utc_ns = (SELECT max(?, coalesce(max(r.deleted_utc_ns), 0) + 1) FROM results r "
    "WHERE r.campaign_id = campaigns.id) WHERE id = ? AND deleted_utc_ns IS NULL";
constexpr char kMarkResults[] =
    "UPDATE results SET deleted_utc_ns = (SELECT deleted_utc_ns FROM campaigns WHERE id = ?) "
    "WHERE campaign_id = ? AND deleted_utc_ns IS NULL";
constexpr char kUnmarkResults[] =
    "UPDATE results SET deleted_utc_ns = NULL WHERE campaign_id = ? AND deleted_utc_ns = "
    "(SELECT abs(deleted_utc_ns) FROM campaigns WHERE id = ?)";
constexpr char kUnmarkCampaign[] = "UPDATE campaigns SET deleted_utc_ns = NULL WHERE id = ?";

}  // namespace

Result<uint64_t> mark_deleted(Connection& connection, int64_t campaign) {
  const auto marked = connection.query(kMarkCampaign, {to_variant(wall_ns()), to_variant(campaign)});
  if (!marked) return std::unexpected(marked.error());
  if (marked->numRowsAffected() == 0) {
    const auto there = presence_of(connection, campaign);
    if (there && *there == Presence::deleted)
      return fail("campaign " + std::to_string(campaign) + " has already been deleted");
    return fail("campaign " + std::to_string(campaign) + " is no longer in " + connection.path());
  }
  const auto results = connection.query(kMarkResults, {to_variant(campaign), to_variant(campaign)});
  if (!results) return std::unexpected(results.error());
  return static_cast<uint64_t>(results->numRowsAffected());
}

Result<void> unmark_deleted(Connection& connection, int64_t campaign) {
  const auto results = connection.query(kUnmarkResults, {to_variant(campaign), to_variant(campaign)});
  if (!results) return std::unexpected(results.error());
  const auto unmarked = connection.query(kUnmarkCampaign, {to_variant(campaign)});
  if (!unmarked) return std::unexpected(unmarked.error());
  return {};
}

Result<Presence> presence_of(Connection& connection, int64_t campaign) {
  auto query = connection.query("SELECT deleted_utc_ns FROM campaigns WHERE id = ?", {to_variant(campaign)});
  if (!query) return std::unexpected(query.error());
  if (!query->next()) return Presence::gone;
  const QVariant deleted = query->value(0);
  if (deleted.isNull()) return Presence::listed;
  return deleted.toLongLong() < 0 ? Presence::gone : Presence::deleted;
}

}  // namespace n2nq::store
