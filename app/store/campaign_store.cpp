#include "app/store/campaign_store.h"

#include "app/store/campaign_deletion.h"
#include "app/store/record_rows.h"
#include "app/store/schema.h"
#include "app/store/sql.h"
#include "broker/base/clock.h"

namespace n2nq::store {
namespace {

constexpr char kSelect[] =
    "SELECT c.id, c.name, c.definition, c.started_utc_ns, c.ended_utc_ns, c.end_text, "
    "(SELECT count(*) FROM results r WHERE r.campaign_id = c.id AND r.deleted_utc_ns IS NULL), "
    "(SELECT coalesce(sum(r.file_bytes), 0) FROM results r WHERE r.campaign_id = c.id AND r.deleted_utc_ns IS NULL), "
    "(SELECT count(DISTINCT r.campaign_point * 1000000 + r.campaign_repeat) FROM results r WHERE r.campaign_id = c.id "
    "AND r.deleted_utc_ns IS NULL AND r.verdict IN ('passed', 'lost_allowed')) FROM campaigns c ";

constexpr char kInsert[] = "INSERT INTO campaigns (name, definition, started_utc_ns) VALUES (?, ?, ?)";

CampaignRow read_row(const QSqlQuery& query) {
  CampaignRow row;
  RowReader reader(query);
  reader("id", row.id);
  reader("name", row.name);
  reader("definition", row.definition);
  reader("started_utc_ns", row.started_utc_ns);
  reader("ended_utc_ns", row.ended_utc_ns);
  reader("end_text", row.end_text);
  reader("results", row.results);
  reader("file_bytes", row.file_bytes);
  reader("runs_done", row.runs_done);
  return row;
}

}  // namespace

struct CampaignStore::Impl {
  mutable Connection connection;

  Result<std::vector<CampaignRow>> rows(const std::string& where, const std::vector<QVariant>& values) const {
    auto query = connection.query(kSelect + where, values);
    if (!query) return std::unexpected(query.error());
    std::vector<CampaignRow> all;
    while (query->next()) all.push_back(read_row(*query));
    if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
    return all;
  }
  Result<QSqlQuery> write(const std::string& sql, const std::vector<QVariant>& values) {
    auto transaction = begin_write(connection);
    if (!transaction) return std::unexpected(transaction.error());
    auto done = connection.query(sql, values);
    if (!done) return done;
    if (auto committed = transaction->commit(); !committed) return std::unexpected(committed.error());
    return done;
  }
};

Result<std::unique_ptr<CampaignStore>> CampaignStore::open(const std::string& path,
                                                           std::chrono::milliseconds busy_timeout) {
  auto connection = why_not_writable(path) ? open_to_read(path, busy_timeout)
                                           : Connection::open(path, Access::read_write, busy_timeout);
  if (!connection) return std::unexpected(connection.error());
  return std::unique_ptr<CampaignStore>(
      new CampaignStore(std::make_unique<Impl>(Impl{.connection = std::move(*connection)})));
}

CampaignStore::CampaignStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CampaignStore::~CampaignStore() = default;

Result<int64_t> CampaignStore::add(const std::string& name, const std::string& definition) {
  const auto added = impl_->write(kInsert, {to_variant(name), to_variant(definition), to_variant(wall_ns())});
  if (!added) return std::unexpected(added.error());
  return added->lastInsertId().toLongLong();
}

Result<int64_t> CampaignStore::find_or_add(const std::string& name, const std::string& definition) {
  auto transaction = begin_write(impl_->connection);
  if (!transaction) return std::unexpected(transaction.error());
  const auto unfinished = find_unfinished(definition);
  if (!unfinished) return std::unexpected(unfinished.error());
  if (*unfinished) return (*unfinished)->id;
  const auto added =
      impl_->connection.query(kInsert, {to_variant(name), to_variant(definition), to_variant(wall_ns())});
  if (!added) return std::unexpected(added.error());
  const int64_t id = added->lastInsertId().toLongLong();
  if (auto committed = transaction->commit(); !committed) return std::unexpected(committed.error());
  return id;
}

Result<void> CampaignStore::end(int64_t id, const std::string& text) {
  const auto ended =
      impl_->write("UPDATE campaigns SET ended_utc_ns = coalesce(ended_utc_ns, ?), end_text = ? WHERE id = ?",
                   {to_variant(wall_ns()), to_variant(text), to_variant(id)});
  if (!ended) return std::unexpected(ended.error());
  return {};
}

Result<void> CampaignStore::redefine(int64_t id, const std::string& definition) {
  const auto done =
      impl_->write("UPDATE campaigns SET definition = ? WHERE id = ?", {to_variant(definition), to_variant(id)});
  if (!done) return std::unexpected(done.error());
  return {};
}

Result<void> CampaignStore::reopen(int64_t id) {
  const auto open =
      impl_->write("UPDATE campaigns SET ended_utc_ns = NULL, end_text = '' WHERE id = ?", {to_variant(id)});
  if (!open) return std::unexpected(open.error());
  return {};
}

Result<uint64_t> CampaignStore::remove(int64_t id) {
  auto transaction = begin_write(impl_->connection);
  if (!transaction) return std::unexpected(transaction.error());
  const auto results = mark_deleted(impl_->connection, id);
  if (!results) return results;
  if (auto committed = transaction->commit(); !committed) return std::unexpected(committed.error());
  return results;
}

Result<void> CampaignStore::restore(int64_t id) {
  auto transaction = begin_write(impl_->connection);
  if (!transaction) return std::unexpected(transaction.error());
  const auto there = presence(id);
  if (!there) return std::unexpected(there.error());
  if (*there == Presence::gone)
    return fail("campaign " + std::to_string(id) + " is no longer in " + impl_->connection.path());
  if (const auto done = unmark_deleted(impl_->connection, id); !done) return done;
  return transaction->commit();
}

Result<Presence> CampaignStore::presence(int64_t id) const {
  return presence_of(impl_->connection, id);
}

Result<std::vector<CampaignRow>> CampaignStore::list() const {
  return impl_->rows("WHERE c.deleted_utc_ns IS NULL ORDER BY c.id DESC", {});
}

Result<CampaignRow> CampaignStore::find(int64_t id) const {
  auto found = impl_->rows("WHERE c.id = ? AND c.deleted_utc_ns IS NULL", {to_variant(id)});
  if (!found) return std::unexpected(found.error());
  if (!found->empty()) return std::move(found->front());
  const auto there = presence(id);
  if (!there) return std::unexpected(there.error());
  const std::string which = "campaign " + std::to_string(id);
  if (*there == Presence::deleted)
    return fail(which +
                " was deleted; restore it by Undo (Ctrl+Z) in the window that deleted it, or elsewhere by importing "
                "its archive");
  return fail(which + " is not in " + impl_->connection.path());
}

Result<std::optional<CampaignRow>> CampaignStore::find_unfinished(const std::string& definition) const {
  auto found = impl_->rows(
      "WHERE c.ended_utc_ns IS NULL AND c.deleted_utc_ns IS NULL AND c.definition = ? ORDER BY c.id DESC LIMIT 1",
      {to_variant(definition)});
  if (!found) return std::unexpected(found.error());
  if (found->empty()) return std::nullopt;
  return std::optional(std::move(found->front()));
}

Result<std::vector<record::RunRecord>> CampaignStore::results_of(int64_t id) const {
  auto query = impl_->connection.query(
      "SELECT id FROM results WHERE campaign_id = ? AND deleted_utc_ns IS NULL ORDER BY id", {to_variant(id)});
  if (!query) return std::unexpected(query.error());
  std::vector<record::RunRecord> records;
  while (query->next()) {
    auto record = select_summary(impl_->connection, query->value(0).toLongLong());
    if (!record) return std::unexpected(record.error());
    records.push_back(std::move(*record));
  }
  if (query->lastError().isValid()) return std::unexpected(impl_->connection.error(query->lastError()));
  return records;
}

Result<uint32_t> CampaignStore::last_attempt(int64_t id, uint32_t point, uint32_t repeat) const {
  return store::last_attempt(impl_->connection, {.campaign = id, .point = point, .repeat = repeat});
}

}  // namespace n2nq::store
