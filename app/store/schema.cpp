#include "app/store/schema.h"

#include <unistd.h>

#include <QSqlError>
#include <algorithm>
#include <concepts>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "app/plan/plain_text.h"
#include "app/record/columns.h"
#include "broker/base/new_file.h"

namespace n2nq::store {
namespace {

// What came after the first version, in the step to its own: columns, and lists.
constexpr std::string_view kLater[] = {"trust",
                                       "fails",
                                       "warnings",
                                       "outages",
                                       "background_loads",
                                       "server",
                                       "bus_settings",
                                       "bus_client",
                                       "nodelay",
                                       "send_buffer_bytes",
                                       "receive_buffer_bytes",
                                       "congestion",
                                       "refused",
                                       "unanswered",
                                       "refused_received",
                                       "unanswered_received",
                                       "unsent",
                                       "accepted_messages",
                                       "was_started",
                                       "of_whom",
                                       "was_killed",
                                       "paused_senders",
                                       "of_senders",
                                       "held",
                                       "tcp_slow_start_after_idle",
                                       "tcp_autocorking",
                                       "tcp_receive_buffers",
                                       "tcp_send_buffers",
                                       "delay_p50_ns",
                                       "delay_p99_ns",
                                       "lateness_p50_ns",
                                       "lateness_p99_ns",
                                       "port",
                                       "source_port"};

bool is_later(std::string_view name) {
  return std::ranges::find(kLater, name) != std::end(kLater);
}

// The columns of a row, as their types go in SQL: what may be unknown may be NULL.
struct ColumnList {
  std::string text{};

  template <class T>
  void operator()(const char* name, const T&) {
    if (is_later(name)) return;
    text.append(",\n  ").append(name).append(sql_type(static_cast<const T*>(nullptr)));
  }

 private:
  template <class T>
  static const char* sql_type(const T*) {
    if constexpr (std::integral<T>) return " INTEGER NOT NULL";
    if constexpr (std::floating_point<T>) return " REAL NOT NULL";
    return " TEXT NOT NULL";
  }
  template <class T>
  static const char* sql_type(const std::optional<T>*) {
    if constexpr (std::integral<T>) return " INTEGER";
    if constexpr (std::floating_point<T>) return " REAL";
    return " TEXT";
  }
};

template <class Row>
std::string columns_of() {
  ColumnList list;
  const Row row{};
  record::columns(list, row);
  return list.text;
}

// A table of what results have; a row or more of each.
std::string of_results(const std::string& table, const std::string& columns) {
  return "CREATE TABLE " + table + " (\n  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE" +
         columns + "\n)";
}

void add_list(SchemaStep& step, const std::string& table, const std::string& columns) {
  step.push_back(of_results(table, columns));
  step.push_back("CREATE INDEX " + table + "_by_result ON " + table + " (result_id)");
}

// The plan stands last: what is behind it would cost the list a look at it. No run of a campaign is there twice: a
// point's repeat may have several attempts, each with its number. What the user marks runs with is in tables of its
// own.
SchemaStep first_version() {
  SchemaStep step{
      R"(CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  started_utc_ns INTEGER NOT NULL,
  ended_utc_ns INTEGER,
  end_text TEXT NOT NULL DEFAULT '',
  deleted_utc_ns INTEGER
))",
      R"(CREATE TABLE results (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  bus TEXT NOT NULL,
  mode TEXT NOT NULL,
  requests INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  senders INTEGER NOT NULL,
  receivers INTEGER NOT NULL)" +
          columns_of<record::RunRecord>() + R"(,
  runs_folder TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  file_bytes INTEGER NOT NULL,
  deleted_utc_ns INTEGER,
  campaign_id INTEGER REFERENCES campaigns (id),
  campaign_point INTEGER,
  campaign_repeat INTEGER,
  campaign_attempt INTEGER,
  plan TEXT NOT NULL
))",
      "CREATE INDEX results_by_folder ON results (folder)",
      std::string("CREATE UNIQUE INDEX results_by_campaign ON results (campaign_id, campaign_point, ") +
          "campaign_repeat, campaign_attempt) WHERE campaign_id IS NOT NULL",
      of_results("figures", ",\n  name TEXT NOT NULL" + columns_of<measure::LatencySummary>() +
                                ",\n  PRIMARY KEY (result_id, name)"),
      of_results("histograms", ",\n  name TEXT NOT NULL" + columns_of<control::HistogramMoments>() +
                                   ",\n  buckets BLOB NOT NULL,\n  PRIMARY KEY (result_id, name)"),
      R"(CREATE TABLE user_notes (
  result_id INTEGER PRIMARY KEY REFERENCES results (id) ON DELETE CASCADE,
  text TEXT NOT NULL
))",
      R"(CREATE TABLE stars (
  result_id INTEGER PRIMARY KEY REFERENCES results (id) ON DELETE CASCADE
))",
      of_results("tags", ",\n  tag TEXT NOT NULL,\n  PRIMARY KEY (result_id, tag)") + " WITHOUT ROWID"};
  record::lists([&]<class Row>(const record::NamedList& list, std::vector<Row> record::RunRecord::*) {
    if (!is_later(list.name)) add_list(step, list.name, columns_of<Row>());
  });
  add_list(step, "hosts", R"(,
  place TEXT NOT NULL,
  start_ns BLOB NOT NULL,
  width_ns BLOB NOT NULL)");
  add_list(step, "host_series", R"(,
  place TEXT NOT NULL,
  of_what TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  why TEXT NOT NULL,
  readings BLOB NOT NULL)");
  return step;
}

// The server is one that carried the messages; of before none is known, nor all settings of the bus. Trust stands
// behind the plan, where the list reads it from an index of its own. No run of before failed by a limit that did not
// end it.
SchemaStep second_version() {
  SchemaStep step{"ALTER TABLE results ADD COLUMN trust TEXT NOT NULL DEFAULT 'not_judged'",
                  "CREATE INDEX results_by_trust ON results (id, trust)",
                  "ALTER TABLE results ADD COLUMN server TEXT NOT NULL DEFAULT ''",
                  "ALTER TABLE results ADD COLUMN bus_settings TEXT NOT NULL DEFAULT ''",
                  "ALTER TABLE results ADD COLUMN bus_client TEXT NOT NULL DEFAULT ''",
                  "ALTER TABLE passed_limits ADD COLUMN fails INTEGER NOT NULL DEFAULT 0",
                  "ALTER TABLE processes ADD COLUMN nodelay INTEGER",
                  "ALTER TABLE processes ADD COLUMN send_buffer_bytes INTEGER",
                  "ALTER TABLE processes ADD COLUMN receive_buffer_bytes INTEGER",
                  "ALTER TABLE processes ADD COLUMN congestion TEXT NOT NULL DEFAULT ''",
                  "ALTER TABLE series ADD COLUMN accepted_messages REAL",
                  "ALTER TABLE hosts ADD COLUMN awake TEXT NOT NULL DEFAULT ''"};
  for (const char* count : {"refused", "unanswered", "refused_received", "unanswered_received", "unsent"})
    step.push_back(std::string("ALTER TABLE results ADD COLUMN ") + count + " INTEGER");
  add_list(step, "warnings", columns_of<record::RunWarning>());
  add_list(step, "outages", columns_of<record::Outage>());
  return step;
}

// What an event was of, and how it was, was in its words alone: "senders: 2 of 3 paused", "server 1: killed by the
// bench", "receivers: killed by signal 9".
SchemaStep third_version() {
  return {"ALTER TABLE processes ADD COLUMN was_started INTEGER NOT NULL DEFAULT 1",
          "ALTER TABLE run_log ADD COLUMN of_whom TEXT NOT NULL DEFAULT ''",
          "ALTER TABLE run_log ADD COLUMN was_killed INTEGER NOT NULL DEFAULT 0",
          "ALTER TABLE run_log ADD COLUMN paused_senders INTEGER NOT NULL DEFAULT 0",
          "ALTER TABLE run_log ADD COLUMN of_senders INTEGER NOT NULL DEFAULT 0",
          R"(UPDATE run_log SET of_whom = substr(text, 1, instr(text, ': ') - 1) WHERE instr(text, ': ') > 0 AND
             kind IN ('pause', 'resume', 'stop', 'lost', 'server', 'link-lost', 'silent', 'responding'))",
          R"(UPDATE run_log SET was_killed = 1 WHERE kind IN ('lost', 'server') AND
             substr(text, length(of_whom) + 1, 8) = ': killed')",
          R"(UPDATE run_log SET paused_senders = substr(text, length('senders: ') + 1) + 0,
             of_senders = substr(text, instr(text, ' of ') + 4) + 0 WHERE kind = 'pause' AND of_whom = 'senders')",
          R"(UPDATE run_log SET paused_senders = substr(text, length('senders: resumed, ') + 1) + 0,
             of_senders = substr(text, instr(text, ' of ') + 4) + 0
             WHERE kind = 'resume' AND of_whom = 'senders' AND instr(text, ' of ') > 0)",
          R"(UPDATE run_log SET of_senders = (SELECT max(senders, 1) FROM results WHERE id = result_id)
             WHERE kind IN ('pause', 'resume') AND of_whom = 'senders' AND of_senders = 0)"};
}

// Older benches did not count how often the queue held a sender up.
SchemaStep fourth_version() {
  return {std::string("ALTER TABLE services ADD COLUMN held INTEGER NOT NULL DEFAULT ") +
          std::to_string(control::kNotCounted)};
}

SchemaStep fifth_version() {
  SchemaStep step;
  for (const char* fact : {"tcp_slow_start_after_idle", "tcp_autocorking", "tcp_receive_buffers", "tcp_send_buffers"})
    step.push_back(std::string("ALTER TABLE machines ADD COLUMN ") + fact + " TEXT NOT NULL DEFAULT ''");
  for (const char* figure : {"delay_p50_ns", "delay_p99_ns", "lateness_p50_ns", "lateness_p99_ns"})
    step.push_back(std::string("ALTER TABLE series ADD COLUMN ") + figure + " INTEGER");
  for (const char* port : {"port", "source_port"})
    step.push_back(std::string("ALTER TABLE paths ADD COLUMN ") + port + " INTEGER NOT NULL DEFAULT 0");
  add_list(step, "background_loads", columns_of<record::BackgroundLoad>());
  return step;
}

// To be finished only when it is known that nobody else was faster.
Result<NewFile> make_backup(Connection& connection, int64_t version) {
  auto backup = NewFile::create(connection.path() + ".version-" + std::to_string(version), {.mode = 0644});
  if (!backup) return fail("no copy of the store can be kept: " + backup.error().text);
  if (auto copied = connection.query("VACUUM INTO ?", {to_variant(backup->path_until_finished())}); !copied)
    return fail("the store could not be copied before its upgrade: " + copied.error().text);
  return backup;
}

Result<void> run_steps(Connection& connection, int64_t from, std::span<const SchemaStep> steps) {
  for (const SchemaStep& step : steps.subspan(static_cast<size_t>(from))) {
    for (const std::string& statement : step)
      if (auto done = connection.run(statement); !done) return done;
  }
  if (auto done = connection.run("PRAGMA application_id = " + std::to_string(kApplicationId)); !done) return done;
  return connection.run("PRAGMA user_version = " + std::to_string(steps.size()));
}

}  // namespace

// Once a version is released its step stays as it is, with the columns of that day: docs/store.md has them. Their order
// may change, as all is read by name.
std::span<const SchemaStep> schema_steps() {
  static const std::vector<SchemaStep> steps{first_version(), second_version(), third_version(), fourth_version(),
                                             fifth_version()};
  return steps;
}

int64_t schema_version() {
  return static_cast<int64_t>(schema_steps().size());
}

Result<StoreVersion> version_of(Connection& connection) {
  // At one look, as another program may be making the tables.
  auto answer = connection.query(
      "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), "
      "(SELECT count(*) FROM sqlite_master), (SELECT name FROM sqlite_master WHERE type IN ('trigger', 'view') LIMIT "
      "1)");
  if (!answer) return std::unexpected(answer.error());
  if (!answer->next()) return std::unexpected(connection.error(answer->lastError()));
  StoreVersion found{.version = answer->value(0).toLongLong(), .empty = answer->value(2).toLongLong() == 0};
  const int64_t application = answer->value(1).toLongLong();
  found.ours = application == kApplicationId || (application == 0 && found.version == 0 && found.empty);
  // They would change what is stored, or what is read of it, behind the user's back.
  if (found.ours && !answer->value(3).isNull())
    return fail(connection.path() + " has a trigger or view, \"" +
                plan::one_line(answer->value(3).toString().left(60).toStdString()) +
                "\", which no N2NQ Bench has made; nothing was changed in it. Have whoever gave it to you export an " +
                "archive instead");
  return found;
}

std::optional<std::string> why_not_writable(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (::access(path.c_str(), F_OK) == 0 && ::eaccess(path.c_str(), W_OK) != 0)
    return "no permission to write " + path + "; results can be viewed, but new ones are not saved";
  if (::eaccess(folder.c_str(), W_OK) != 0)
    return "no permission to write to the folder " + folder + "; results can be viewed, but new ones are not saved";
  return {};
}

// A file in a folder that cannot be written may lack the shared memory that readers of a WAL need; what nobody can
// write needs none.
Result<Connection> open_to_read(const std::string& path, std::chrono::milliseconds busy_timeout) {
  for (const Access access : {Access::read_only, Access::immutable}) {
    auto connection = Connection::open(path, access, busy_timeout);
    if (!connection) return connection;
    auto version = version_of(*connection);
    if (version || access == Access::immutable) return connection;
  }
  std::unreachable();
}

Result<Transaction> begin_write(Connection& connection) {
  auto transaction = Transaction::begin(connection);
  if (!transaction) return transaction;
  const auto version = version_of(connection);
  if (!version) return std::unexpected(version.error());
  if (version->version != schema_version())
    return fail(connection.path() + " is of schema " + std::to_string(version->version) + ", this bench writes " +
                std::to_string(schema_version()) + "; use the bench that wrote it");
  return transaction;
}

Result<void> upgrade(Connection& connection, std::span<const SchemaStep> steps) {
  const auto wanted = static_cast<int64_t>(steps.size());
  const auto before = version_of(connection);
  if (!before) return std::unexpected(before.error());
  if (before->version >= wanted) return {};
  std::optional<NewFile> backup;
  if (!before->empty) {
    auto made = make_backup(connection, before->version);
    if (!made) return std::unexpected(made.error());
    backup.emplace(std::move(*made));
  }
  auto transaction = Transaction::begin(connection);
  if (!transaction) return std::unexpected(transaction.error());
  const auto now = version_of(connection);
  if (!now) return std::unexpected(now.error());
  if (now->version != before->version) return {};  // another program was faster
  if (backup)
    if (auto kept = backup->finish(); !kept) return fail("no copy of the store can be kept: " + kept.error().text);
  if (auto done = run_steps(connection, now->version, steps); !done) return done;
  return transaction->commit();
}

}  // namespace n2nq::store
