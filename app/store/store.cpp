#include "app/store/store.h"

#include <unistd.h>

#include <QByteArray>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/record/run_folder.h"
#include "app/record/tags.h"
#include "app/store/campaign_deletion.h"
#include "app/store/record_rows.h"
#include "app/store/schema.h"
#include "app/store/sql.h"
#include "broker/base/clock.h"

namespace n2nq::store {
namespace {

namespace fs = std::filesystem;

constexpr int kWalTries = 20;
constexpr int64_t kClaimed = -1;  // as the time of deletion: its files are being removed

Result<void> make_folder_of(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) return {};
  fs::create_directories(folder, error);
  if (error) return fail("the folder " + folder.string() + " for results cannot be created: " + error.message());
  return {};
}

// Two programs that switch at once may be told at once that the other one is at it, whatever the timeout. A short
// transaction waits for it.
Result<void> use_wal(Connection& connection) {
  Result<void> done;
  for (int i = 0; i < kWalTries; i++) {
    done = connection.run("PRAGMA journal_mode = WAL");
    if (done) return done;
    if (auto other = Transaction::begin(connection)) (void)other->commit();
  }
  return done;
}

Result<void> check_ours(Connection& connection, const StoreVersion& version) {
  if (version.ours) return {};
  return fail(connection.path() + " is the database of another program; nothing was changed in it. Choose another " +
              "file for results, or move it elsewhere: then a new one is created");
}

std::string newer_text(const std::string& path, int64_t version) {
  return path + " was written by a newer version of N2NQ Bench (schema " + std::to_string(version) +
         ", this one reads " + std::to_string(schema_version()) +
         "); results can be viewed, but new ones are not saved. Update N2NQ Bench to use it fully";
}

// A statement whose first ? is the id of a result.
struct Change {
  const char* sql = "";
  std::optional<std::string> value{};
};
constexpr char kAddTag[] = "INSERT OR IGNORE INTO tags (result_id, tag) VALUES (?, ?)";

struct Deleted {
  int64_t id = 0;
  std::string folder{};
  std::string runs_folder{};
};

// The disk of the runs may come back: until then a result is left as it is, so that its files do not stay for ever.
bool is_away(const std::string& runs_folder) {
  std::error_code unreachable;
  return !runs_folder.empty() && !fs::is_directory(runs_folder, unreachable);
}

}  // namespace

struct ResultStore::Impl {
  Connection connection;
  std::string path;
  std::optional<std::string> read_only;

  static Result<Impl> open_writable(const std::string& path, std::chrono::milliseconds busy_timeout);
  static Result<Impl> open_read_only(const std::string& path, std::string why, std::chrono::milliseconds busy_timeout);

  Result<void> may_write() const {
    if (read_only) return fail(*read_only);
    return {};
  }
  // All writes: a newer version may have brought the store up to its own schema since it was opened.
  Result<Transaction> begin_write();
  // How many rows a statement changed.
  Result<int> write(const std::string& sql, const std::vector<QVariant>& values);
  // A change of one result that must be there.
  Result<void> change(int64_t id, const std::string& sql, const std::vector<QVariant>& values) {
    const auto changed = write(sql, values);
    if (!changed) return std::unexpected(changed.error());
    if (*changed == 0) return fail("result " + std::to_string(id) + " is no longer in " + path);
    return {};
  }
  // Several changes of several results, all or none.
  Result<void> change_each(const std::vector<int64_t>& ids, const std::vector<Change>& changes);
  Result<std::vector<Deleted>> deleted_before(int64_t utc_ns);
  Result<void> purge(const Deleted& result, int64_t before_utc_ns);
};

Result<ResultStore::Impl> ResultStore::Impl::open_writable(const std::string& path,
                                                           std::chrono::milliseconds busy_timeout) {
  auto connection = Connection::open(path, Access::read_write, busy_timeout);
  if (!connection) return std::unexpected(connection.error());
  auto version = version_of(*connection);
  if (!version) return std::unexpected(version.error());
  if (auto ours = check_ours(*connection, *version); !ours) return std::unexpected(ours.error());
  if (version->version > schema_version())
    return open_read_only(path, newer_text(path, version->version), busy_timeout);
  Result<void> done = use_wal(*connection);
  if (done) done = upgrade(*connection, schema_steps());
  if (done) done = connection->run("PRAGMA foreign_keys = ON");
  if (!done) return std::unexpected(done.error());
  return Impl{.connection = std::move(*connection), .path = path, .read_only = {}};
}

Result<ResultStore::Impl> ResultStore::Impl::open_read_only(const std::string& path, std::string why,
                                                            std::chrono::milliseconds busy_timeout) {
  if (::access(path.c_str(), F_OK) != 0) return fail("there is no results store yet, and " + why);
  auto connection = open_to_read(path, busy_timeout);
  if (!connection) return std::unexpected(connection.error());
  auto version = version_of(*connection);
  if (!version) return std::unexpected(version.error());
  if (auto ours = check_ours(*connection, *version); !ours) return std::unexpected(ours.error());
  if (version->version < schema_version())
    return fail(path + " is from an older version and must be upgraded first, but it cannot be written: " +
                "copy it to a folder you can write to and open it there");
  return Impl{.connection = std::move(*connection), .path = path, .read_only = std::move(why)};
}

Result<Transaction> ResultStore::Impl::begin_write() {
  if (auto may = may_write(); !may) return std::unexpected(may.error());
  auto transaction = Transaction::begin(connection);
  if (!transaction) return transaction;
  const auto version = connection.number("PRAGMA user_version");
  if (!version) return std::unexpected(version.error());
  if (*version > schema_version()) {
    read_only = newer_text(path, *version);
    return fail(*read_only);
  }
  return transaction;
}

Result<int> ResultStore::Impl::write(const std::string& sql, const std::vector<QVariant>& values) {
  auto transaction = begin_write();
  if (!transaction) return std::unexpected(transaction.error());
  const auto done = connection.query(sql, values);
  if (!done) return std::unexpected(done.error());
  const int changed = done->numRowsAffected();
  if (auto committed = transaction->commit(); !committed) return std::unexpected(committed.error());
  return changed;
}

Result<void> ResultStore::Impl::change_each(const std::vector<int64_t>& ids, const std::vector<Change>& changes) {
  auto transaction = begin_write();
  if (!transaction) return std::unexpected(transaction.error());
  for (const int64_t id : ids) {
    auto there = connection.query("SELECT 1 FROM results WHERE id = ?", {to_variant(id)});
    if (!there) return std::unexpected(there.error());
    if (!there->next()) return fail("result " + std::to_string(id) + " is no longer in " + path);
    for (const Change& change : changes) {
      std::vector<QVariant> values{to_variant(id)};
      if (change.value) values.push_back(to_variant(*change.value));
      if (const auto done = connection.query(change.sql, values); !done) return std::unexpected(done.error());
    }
  }
  return transaction->commit();
}

Result<std::vector<Deleted>> ResultStore::Impl::deleted_before(int64_t utc_ns) {
  auto query =
      connection.query("SELECT id, folder, runs_folder FROM results WHERE deleted_utc_ns < ?", {to_variant(utc_ns)});
  if (!query) return std::unexpected(query.error());
  std::vector<Deleted> all;
  while (query->next()) {
    RowReader reader(*query);
    Deleted& one = all.emplace_back();
    reader("id", one.id);
    reader("folder", one.folder);
    reader("runs_folder", one.runs_folder);
  }
  return all;
}

// The result is claimed first, so that nobody restores it while its files go. What could not be removed stays
// claimed for the next purge.
Result<void> ResultStore::Impl::purge(const Deleted& result, int64_t before_utc_ns) {
  if (is_away(result.runs_folder)) return {};
  const auto claimed = write("UPDATE results SET deleted_utc_ns = ? WHERE id = ? AND deleted_utc_ns < ?",
                             {to_variant(kClaimed), to_variant(result.id), to_variant(before_utc_ns)});
  if (!claimed) return std::unexpected(claimed.error());
  if (*claimed == 0) return {};
  if (auto done = record::remove_run_folder(result.folder, result.runs_folder); !done) return done;
  const auto done = write("DELETE FROM results WHERE id = ?", {to_variant(result.id)});
  if (!done) return std::unexpected(done.error());
  return {};
}

Result<std::string> move_aside(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0) return fail(path + " is not there any more", errno);
  std::string aside = path + ".damaged";
  for (int number = 2; ::access(aside.c_str(), F_OK) == 0; number++)
    aside = path + ".damaged-" + std::to_string(number);
  // What was not written into the file yet lies in others, which go first: alone they would be taken for a new one's.
  for (const char* part : {"-wal", "-shm", ""}) {
    const std::string from = path + part, to = aside + part;
    if (::access(from.c_str(), F_OK) != 0 || ::rename(from.c_str(), to.c_str()) == 0) continue;
    const int error = errno;
    return fail(from + " cannot be moved to " + to + ": " + std::strerror(error) +
                    "; make sure that you may write to their folder",
                error);
  }
  return aside;
}

Result<std::unique_ptr<ResultStore>> ResultStore::open(const std::string& path,
                                                       std::chrono::milliseconds busy_timeout) {
  if (auto made = make_folder_of(path); !made) return std::unexpected(made.error());
  const auto why = why_not_writable(path);
  auto impl = why ? Impl::open_read_only(path, *why, busy_timeout) : Impl::open_writable(path, busy_timeout);
  if (!impl) return std::unexpected(impl.error());
  return std::unique_ptr<ResultStore>(new ResultStore(std::make_unique<Impl>(std::move(*impl))));
}

ResultStore::ResultStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ResultStore::~ResultStore() = default;

const std::string& ResultStore::path() const {
  return impl_->path;
}

const std::optional<std::string>& ResultStore::read_only() const {
  return impl_->read_only;
}

void ResultStore::set_busy_timeout(std::chrono::milliseconds timeout) {
  (void)impl_->connection.number("PRAGMA busy_timeout = " + std::to_string(timeout.count()));
}

Result<int64_t> ResultStore::add(const record::RunRecord& record) {
  auto transaction = impl_->begin_write();
  if (!transaction) return std::unexpected(transaction.error());
  auto id = insert_record(impl_->connection, record);
  if (!id) return id;
  if (auto done = transaction->commit(); !done) return std::unexpected(done.error());
  return id;
}

Result<void> ResultStore::replace(const record::RunRecord& record) {
  auto transaction = impl_->begin_write();
  if (!transaction) return std::unexpected(transaction.error());
  if (auto done = replace_record(impl_->connection, record); !done) return done;
  return transaction->commit();
}

Result<ResultListing> ResultStore::list() const {
  return list_results(impl_->connection);
}

Result<record::RunRecord> ResultStore::load(int64_t id) const {
  return select_record(impl_->connection, id);
}

Result<record::RunRecord> ResultStore::summary(int64_t id) const {
  return select_summary(impl_->connection, id);
}

Result<Presence> ResultStore::presence(int64_t id) const {
  auto query = impl_->connection.query("SELECT deleted_utc_ns FROM results WHERE id = ?", {to_variant(id)});
  if (!query) return std::unexpected(query.error());
  if (!query->next()) return Presence::gone;
  const QVariant deleted = query->value(0);
  if (deleted.isNull()) return Presence::listed;
  return deleted.toLongLong() == kClaimed ? Presence::gone : Presence::deleted;
}

std::optional<int64_t> ResultStore::find_run_folder(const std::string& folder) const {
  std::error_code error;
  const std::string real = fs::weakly_canonical(folder, error).string();
  auto query = impl_->connection.query("SELECT id FROM results WHERE folder IN (?, ?) ORDER BY id DESC LIMIT 1",
                                       {to_variant(folder), to_variant(error ? folder : real)});
  if (!query || !query->next()) return {};
  return query->value(0).toLongLong();
}

std::optional<std::string> ResultStore::folder_of_run(const std::string& name) const {
  auto query = impl_->connection.query(
      "SELECT folder FROM results WHERE folder = runs_folder || '/' || ? ORDER BY id DESC LIMIT 1", {to_variant(name)});
  if (!query || !query->next()) return {};
  return query->value(0).toString().toStdString();
}

bool ResultStore::holds_run_folder(const std::string& folder) const {
  return find_run_folder(folder).has_value();
}

int64_t ResultStore::changes_by_others() const {
  return impl_->connection.number("PRAGMA data_version").value_or(0);
}

Result<void> ResultStore::remove(int64_t id) {
  return impl_->change(id, "UPDATE results SET deleted_utc_ns = coalesce(deleted_utc_ns, ?) WHERE id = ?",
                       {to_variant(wall_ns()), to_variant(id)});
}

Result<void> ResultStore::restore(int64_t id) {
  return impl_->change(id, "UPDATE results SET deleted_utc_ns = NULL WHERE id = ? AND deleted_utc_ns IS NOT ?",
                       {to_variant(id), to_variant(kClaimed)});
}

Result<void> ResultStore::purge(int64_t deleted_before_utc_ns) {
  if (auto may = impl_->may_write(); !may) return may;
  if (const auto claimed = impl_->write(kClaimDeleted, {to_variant(deleted_before_utc_ns)}); !claimed)
    return std::unexpected(claimed.error());
  auto deleted = impl_->deleted_before(deleted_before_utc_ns);
  if (!deleted) return std::unexpected(deleted.error());
  Result<void> worst;
  for (const Deleted& one : *deleted)
    if (auto done = impl_->purge(one, deleted_before_utc_ns); !done) worst = std::move(done);
  if (const auto taken = impl_->write(kTakeDeleted, {}); !taken) worst = std::unexpected(taken.error());
  return worst;
}

Result<void> ResultStore::set_notes(int64_t id, const std::string& text) {
  return impl_->change(id,
                       "INSERT INTO user_notes (result_id, text) SELECT id, ? FROM results WHERE id = ? "
                       "ON CONFLICT (result_id) DO UPDATE SET text = excluded.text",
                       {to_variant(text), to_variant(id)});
}

std::string ResultStore::notes(int64_t id) const {
  auto query = impl_->connection.query("SELECT text FROM user_notes WHERE result_id = ?", {to_variant(id)});
  if (!query || !query->next()) return {};
  return query->value(0).toString().toStdString();
}

Result<void> ResultStore::set_starred(const std::vector<int64_t>& ids, bool starred) {
  return impl_->change_each(ids, {{.sql = starred ? "INSERT OR IGNORE INTO stars (result_id) VALUES (?)"
                                                  : "DELETE FROM stars WHERE result_id = ?"}});
}

Result<void> ResultStore::set_tags(int64_t id, const std::vector<std::string>& tags) {
  const auto checked = record::checked_tags(tags);
  if (!checked) return std::unexpected(checked.error());
  std::vector<Change> changes{{.sql = "DELETE FROM tags WHERE result_id = ?"}};
  for (const std::string& tag : *checked) changes.push_back({.sql = kAddTag, .value = tag});
  return impl_->change_each({id}, changes);
}

Result<void> ResultStore::change_tags(const std::vector<int64_t>& ids, const TagChange& change) {
  const auto added = record::checked_tags(change.added);
  if (!added) return std::unexpected(added.error());
  std::vector<Change> changes;
  for (const std::string& tag : change.removed)
    changes.push_back({.sql = "DELETE FROM tags WHERE result_id = ? AND tag = ?", .value = tag});
  for (const std::string& tag : *added) changes.push_back({.sql = kAddTag, .value = tag});
  return impl_->change_each(ids, changes);
}

Result<std::vector<TagCount>> ResultStore::tags() const {
  auto query = impl_->connection.query(
      "SELECT tag, count(*) FROM tags JOIN results ON id = result_id WHERE deleted_utc_ns IS NULL GROUP BY tag "
      "ORDER BY count(*) DESC, tag");
  if (!query) return std::unexpected(query.error());
  std::vector<TagCount> all;
  while (query->next())
    all.push_back({.tag = query->value(0).toString().toStdString(), .results = query->value(1).toULongLong()});
  if (query->lastError().isValid()) return std::unexpected(impl_->connection.error(query->lastError()));
  return all;
}

}  // namespace n2nq::store
