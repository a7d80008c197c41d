#include "app/store/store_import.h"

#include <map>
#include <set>

#include "app/store/campaign_deletion.h"
#include "app/store/record_rows.h"
#include "app/store/schema.h"
#include "app/store/sql.h"

namespace n2nq::store {

struct StoreImport::Impl {
  Impl(std::unique_ptr<Connection> opened, Transaction begun)
      : connection(std::move(opened)), transaction(std::move(begun)) {}

  std::unique_ptr<Connection> connection;  // stays where it is: the transaction points to it
  Transaction transaction;
  std::map<std::pair<std::string, int64_t>, int64_t> known{};  // id by run
  std::set<std::string> folders{};                             // their names

  Result<void> read_known() {
    auto query =
        connection->query("SELECT run_id, started_utc_ns, id, folder, deleted_utc_ns FROM results ORDER BY id DESC");
    if (!query) return std::unexpected(query.error());
    while (query->next()) {
      RowReader reader(*query);
      std::string run_id, folder;
      int64_t started_utc_ns = 0, id = 0;
      std::optional<int64_t> deleted_utc_ns;
      reader("run_id", run_id);
      reader("started_utc_ns", started_utc_ns);
      reader("id", id);
      reader("folder", folder);
      reader("deleted_utc_ns", deleted_utc_ns);
      // The files of one that a purge has claimed are going, and it with them.
      if (deleted_utc_ns.value_or(0) >= 0) known[{run_id, started_utc_ns}] = id;
      folders.insert(folder.substr(folder.rfind('/') + 1));
    }
    if (query->lastError().isValid()) return std::unexpected(connection->error(query->lastError()));
    return {};
  }
  Result<void> mark(int64_t id, const UserMarks& marks) {
    const auto insert = [this, id](const std::string& sql, const std::vector<QVariant>& more) -> Result<void> {
      std::vector<QVariant> values{to_variant(id)};
      values.insert(values.end(), more.begin(), more.end());
      const auto done = connection->query(sql, values);
      if (!done) return std::unexpected(done.error());
      return {};
    };
    Result<void> done;
    if (!marks.notes.empty())
      done = insert("INSERT INTO user_notes (result_id, text) VALUES (?, ?)", {to_variant(marks.notes)});
    if (done && marks.starred) done = insert("INSERT INTO stars (result_id) VALUES (?)", {});
    for (size_t i = 0; done && i < marks.tags.size(); i++)
      done = insert("INSERT INTO tags (result_id, tag) VALUES (?, ?)", {to_variant(marks.tags[i])});
    return done;
  }
};

Result<std::unique_ptr<StoreImport>> StoreImport::begin(const std::string& path) {
  auto connection = Connection::open(path, Access::read_write, ResultStore::kPatience);
  if (!connection) return std::unexpected(connection.error());
  if (auto done = connection->run("PRAGMA foreign_keys = ON"); !done) return std::unexpected(done.error());
  auto kept = std::make_unique<Connection>(std::move(*connection));
  auto transaction = begin_write(*kept);
  if (!transaction) return std::unexpected(transaction.error());
  auto impl = std::make_unique<Impl>(std::move(kept), std::move(*transaction));
  if (auto read = impl->read_known(); !read) return std::unexpected(read.error());
  return std::unique_ptr<StoreImport>(new StoreImport(std::move(impl)));
}

StoreImport::StoreImport(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StoreImport::~StoreImport() = default;

std::optional<int64_t> StoreImport::find(const std::string& run_id, int64_t started_utc_ns) const {
  const auto at = impl_->known.find({run_id, started_utc_ns});
  if (at == impl_->known.end()) return {};
  return at->second;
}

bool StoreImport::has_folder(const std::string& name) const {
  return impl_->folders.contains(name);
}

Result<int64_t> StoreImport::find_or_add(const CampaignRow& row) {
  auto same = impl_->connection->query(
      "SELECT id, deleted_utc_ns IS NOT NULL FROM campaigns WHERE definition = ? AND started_utc_ns = ? ORDER BY 2, 1",
      {to_variant(row.definition), to_variant(row.started_utc_ns)});
  if (!same) return std::unexpected(same.error());
  if (same->next()) {
    const int64_t id = same->value(0).toLongLong();
    if (same->value(1).toBool())
      if (const auto done = unmark_deleted(*impl_->connection, id); !done) return std::unexpected(done.error());
    return id;
  }
  auto added = impl_->connection->query(
      "INSERT INTO campaigns (name, definition, started_utc_ns, ended_utc_ns, end_text) VALUES (?, ?, ?, ?, ?)",
      {to_variant(row.name), to_variant(row.definition), to_variant(row.started_utc_ns), to_variant(row.ended_utc_ns),
       to_variant(row.end_text)});
  if (!added) return std::unexpected(added.error());
  return added->lastInsertId().toLongLong();
}

Result<int64_t> StoreImport::add(const record::RunRecord& record, const UserMarks& marks) {
  auto id = insert_record(*impl_->connection, record);
  if (!id) return id;
  impl_->known[{record.run_id, record.started_utc_ns}] = *id;
  if (auto marked = impl_->mark(*id, marks); !marked) return std::unexpected(marked.error());
  return id;
}

Result<bool> StoreImport::give_place(int64_t id, const record::CampaignPlace& place) {
  const auto attempt = last_attempt(*impl_->connection, place);
  if (!attempt) return std::unexpected(attempt.error());
  const auto placed = impl_->connection->query(
      "UPDATE results SET campaign_id = ?, campaign_point = ?, campaign_repeat = ?, campaign_attempt = ? "
      "WHERE id = ? AND campaign_id IS NULL",
      {to_variant(place.campaign), to_variant(place.point), to_variant(place.repeat), to_variant(*attempt + 1),
       to_variant(id)});
  if (!placed) return std::unexpected(placed.error());
  return placed->numRowsAffected() > 0;
}

Result<void> StoreImport::commit() {
  return impl_->transaction.commit();
}

}  // namespace n2nq::store
