#include "app/store/schema.h"

#include <unistd.h>

#include <QSqlError>
#include <filesystem>
#include <utility>

#include "broker/base/new_file.h"

namespace n2nq::store {
namespace {

const SchemaStep kFirst = {
    R"(CREATE TABLE results (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  mode TEXT NOT NULL,
  requests INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  senders INTEGER NOT NULL,
  receivers INTEGER NOT NULL,
  run_id TEXT NOT NULL,
  started_utc_ns INTEGER NOT NULL,
  began_utc_ns INTEGER,
  ended_utc_ns INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  reason TEXT NOT NULL,
  planned INTEGER,
  sent INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  bytes_sent INTEGER NOT NULL,
  expected INTEGER,
  received INTEGER NOT NULL,
  lost INTEGER,
  expired INTEGER NOT NULL,
  undeliverable INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  reordered INTEGER NOT NULL,
  corrupt INTEGER NOT NULL,
  redelivered INTEGER NOT NULL,
  clock_kind TEXT NOT NULL,
  clock_bound_ns INTEGER,
  rate_reached INTEGER NOT NULL,
  folder TEXT NOT NULL,
  master_file TEXT NOT NULL,
  runs_folder TEXT NOT NULL,
  stored_bytes INTEGER NOT NULL,
  file_bytes INTEGER NOT NULL,
  deleted_utc_ns INTEGER,
  plan TEXT NOT NULL,
  machine TEXT NOT NULL
))",    "CREATE INDEX results_by_folder ON results (folder)",
    R"(CREATE TABLE figures (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  min_ns INTEGER,
  p50_ns INTEGER,
  p90_ns INTEGER,
  p95_ns INTEGER,
  p99_ns INTEGER,
  p999_ns INTEGER,
  max_ns INTEGER,
  mean_ns REAL,
  stddev_ns REAL,
  trimmed_mean_p95_ns REAL,
  PRIMARY KEY (result_id, name)
))",
    R"(CREATE TABLE histograms (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  min_ns INTEGER NOT NULL,
  max_ns INTEGER NOT NULL,
  sum_ns REAL NOT NULL,
  sum_squares REAL NOT NULL,
  buckets BLOB NOT NULL,
  PRIMARY KEY (result_id, name)
))",
    R"(CREATE TABLE services (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  number INTEGER NOT NULL,
  worker INTEGER NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  rate_per_s REAL NOT NULL,
  accepted INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  reordered INTEGER NOT NULL,
  corrupt INTEGER NOT NULL,
  redelivered INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  log_stalls INTEGER NOT NULL,
  delay_ns INTEGER,
  lateness_ns INTEGER,
  latency_ns INTEGER,
  scheduled_latency_ns INTEGER,
  latency_p50_ns INTEGER,
  latency_p99_ns INTEGER
))",   "CREATE INDEX services_by_result ON services (result_id)",
    R"(CREATE TABLE processes (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  place TEXT NOT NULL,
  first_service INTEGER NOT NULL,
  services INTEGER NOT NULL,
  pid INTEGER NOT NULL,
  end_text TEXT NOT NULL,
  exit_code INTEGER,
  reason TEXT NOT NULL,
  cpu_ns INTEGER NOT NULL,
  peak_rss_bytes INTEGER NOT NULL,
  log_dir TEXT NOT NULL
))",  "CREATE INDEX processes_by_result ON processes (result_id)",
    R"(CREATE TABLE series (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  start_ns INTEGER NOT NULL,
  width_ns INTEGER NOT NULL,
  sent REAL NOT NULL,
  received REAL NOT NULL,
  p50_ns INTEGER,
  p95_ns INTEGER,
  p99_ns INTEGER,
  max_ns INTEGER
))",     "CREATE INDEX series_by_result ON series (result_id)",
    R"(CREATE TABLE losses (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  sender INTEGER NOT NULL,
  expired INTEGER NOT NULL,
  undeliverable INTEGER NOT NULL
))",     "CREATE INDEX losses_by_result ON losses (result_id)",
    R"(CREATE TABLE run_log (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  utc_ns INTEGER NOT NULL,
  since_begin_ns INTEGER,
  severity TEXT NOT NULL,
  text TEXT NOT NULL
))",    "CREATE INDEX run_log_by_result ON run_log (result_id)",
    R"(CREATE TABLE user_notes (
  result_id INTEGER PRIMARY KEY REFERENCES results (id) ON DELETE CASCADE,
  text TEXT NOT NULL
))",
};

// Services were kept as of the last look before the end; what they were over the run is not known any more but for
// their rate.
const SchemaStep kSecond = {
    R"(CREATE TABLE requests (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  since_begin_ns INTEGER NOT NULL,
  filters TEXT NOT NULL
))",
    "CREATE INDEX requests_by_result ON requests (result_id)",
    "UPDATE services SET delay_ns = NULL, lateness_ns = NULL, latency_ns = NULL, scheduled_latency_ns = NULL, "
    "rate_per_s = coalesce((SELECT services.count * 1e9 / (r.ended_utc_ns - r.began_utc_ns) FROM results r "
    "WHERE r.id = services.result_id AND r.ended_utc_ns > r.began_utc_ns), 0)",
};

// With hosts, each process has a clock of its own.
const SchemaStep kThird = {
    "ALTER TABLE processes ADD COLUMN clock_kind TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE processes ADD COLUMN clock_offset_ns INTEGER",
    "ALTER TABLE processes ADD COLUMN clock_bound_ns INTEGER",
};

// What the bound of a clock is made of, and where the figures of a process are from.
const SchemaStep kFourth = {
    "ALTER TABLE processes ADD COLUMN clock_round_trip_ns INTEGER",
    "ALTER TABLE processes ADD COLUMN clock_drift_ns INTEGER",
    "ALTER TABLE processes ADD COLUMN figures_from TEXT NOT NULL DEFAULT ''",
};

// No run of a campaign is there twice: a point's repeat may have several attempts, each with its number.
const SchemaStep kCampaigns = {
    R"(CREATE TABLE campaigns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  started_utc_ns INTEGER NOT NULL,
  ended_utc_ns INTEGER,
  end_text TEXT NOT NULL DEFAULT ''
))",
    "ALTER TABLE results ADD COLUMN campaign_id INTEGER REFERENCES campaigns (id)",
    "ALTER TABLE results ADD COLUMN campaign_point INTEGER",
    "ALTER TABLE results ADD COLUMN campaign_repeat INTEGER",
    "ALTER TABLE results ADD COLUMN campaign_attempt INTEGER",
    ("CREATE UNIQUE INDEX results_by_campaign ON results (campaign_id, campaign_point, campaign_repeat, "
     "campaign_attempt) WHERE campaign_id IS NOT NULL"),
};

// What each layer between two hosts took.
const SchemaStep kLayers = {
    R"(CREATE TABLE layers (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  from_host TEXT NOT NULL,
  to_host TEXT NOT NULL,
  layer TEXT NOT NULL,
  method TEXT NOT NULL,
  sent INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  count INTEGER NOT NULL,
  min_ns INTEGER,
  p50_ns INTEGER,
  p90_ns INTEGER,
  p95_ns INTEGER,
  p99_ns INTEGER,
  p999_ns INTEGER,
  max_ns INTEGER,
  mean_ns REAL,
  stddev_ns REAL,
  trimmed_mean_p95_ns REAL
))",     "CREATE INDEX layers_by_result ON layers (result_id)",
    R"(CREATE TABLE paths (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  from_host TEXT NOT NULL,
  to_host TEXT NOT NULL,
  hop INTEGER NOT NULL,
  address TEXT NOT NULL,
  round_trip_ns INTEGER,
  reached INTEGER NOT NULL
))",      "CREATE INDEX paths_by_result ON paths (result_id)",
    R"(CREATE TABLE bandwidths (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  from_host TEXT NOT NULL,
  to_host TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  duration_ns INTEGER NOT NULL
))", "CREATE INDEX bandwidths_by_result ON bandwidths (result_id)",
};

// What the user marks runs with. In tables of their own: a column behind the plan would cost the list a look at it.
const SchemaStep kMarks = {
    R"(CREATE TABLE stars (
  result_id INTEGER PRIMARY KEY REFERENCES results (id) ON DELETE CASCADE
))",
    R"(CREATE TABLE tags (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (result_id, tag)
) WITHOUT ROWID)",
};

// How long messages waited for their service, in batches over the time of the run.
const SchemaStep kWaiting = {
    R"(CREATE TABLE waiting (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  start_ns INTEGER NOT NULL,
  width_ns INTEGER NOT NULL,
  count INTEGER NOT NULL,
  sum_ns REAL NOT NULL
))",
    "CREATE INDEX waiting_by_result ON waiting (result_id)",
};

// When a campaign was deleted, with the results that have the same time.
const SchemaStep kDeletedCampaigns = {
    "ALTER TABLE campaigns ADD COLUMN deleted_utc_ns INTEGER",
};

// The computers that a run was on. Runs before have that of the bench alone.
const SchemaStep kMachines = {
    R"(CREATE TABLE machines (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  processor TEXT NOT NULL,
  cores INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  kernel TEXT NOT NULL,
  governor TEXT NOT NULL,
  congestion_control TEXT NOT NULL,
  clocksource TEXT NOT NULL,
  virtualisation TEXT NOT NULL,
  load_1_min REAL,
  load_5_min REAL,
  load_15_min REAL,
  machine_id TEXT NOT NULL,
  boot_id TEXT NOT NULL
))",
    "CREATE INDEX machines_by_result ON machines (result_id)",
};

// What came to a receiver that confirms it: what is beyond its responses was outstanding.
const SchemaStep kDeliveries = {
    "ALTER TABLE services ADD COLUMN deliveries INTEGER NOT NULL DEFAULT 0",
};

// The limits of a run's plan that it passed.
const SchemaStep kPassedLimits = {
    R"(CREATE TABLE passed_limits (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  at_most INTEGER NOT NULL,
  limit_value REAL NOT NULL,
  value REAL NOT NULL,
  since_begin_ns INTEGER,
  stopped INTEGER NOT NULL
))",
    "CREATE INDEX passed_limits_by_result ON passed_limits (result_id)",
};

// Which notes are events, and latencies over time from the intended send too.
const SchemaStep kEvents = {
    "ALTER TABLE run_log ADD COLUMN kind TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE series ADD COLUMN scheduled_p50_ns INTEGER",
    "ALTER TABLE series ADD COLUMN scheduled_p99_ns INTEGER",
};

// What the hosts of a run did over its time. Runs before have none.
const SchemaStep kHosts = {
    R"(CREATE TABLE hosts (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  start_ns BLOB NOT NULL,
  width_ns BLOB NOT NULL
))",
    "CREATE INDEX hosts_by_result ON hosts (result_id)",
    R"(CREATE TABLE host_series (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  place TEXT NOT NULL,
  of_what TEXT NOT NULL,
  subject TEXT NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  why TEXT NOT NULL,
  readings BLOB NOT NULL
))",
    "CREATE INDEX host_series_by_result ON host_series (result_id)",
};

// How receivers caught up after pauses, and when deliveries were skipped.
const SchemaStep kCatchUps = {
    R"(CREATE TABLE catch_ups (
  result_id INTEGER NOT NULL REFERENCES results (id) ON DELETE CASCADE,
  paused_ns INTEGER NOT NULL,
  resumed_ns INTEGER NOT NULL,
  backlog_before REAL NOT NULL,
  backlog_most REAL NOT NULL,
  took_ns INTEGER
))",
    "CREATE INDEX catch_ups_by_result ON catch_ups (result_id)",
    "ALTER TABLE series ADD COLUMN lost REAL",
};

// Requests and replies, and other buses than our own, which runs before had none of; and what connections carried,
// which workers did not tell.
const SchemaStep kRepliesAndBuses = {
    "ALTER TABLE results ADD COLUMN replies INTEGER",
    "ALTER TABLE results ADD COLUMN timeouts INTEGER",
    "ALTER TABLE results ADD COLUMN late_replies INTEGER",
    "ALTER TABLE results ADD COLUMN double_replies INTEGER",
    "ALTER TABLE results ADD COLUMN closed_loop INTEGER",
    "ALTER TABLE services ADD COLUMN replies INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE services ADD COLUMN timeouts INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE services ADD COLUMN late_replies INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE services ADD COLUMN double_replies INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE services ADD COLUMN turnaround_ns INTEGER",
    "ALTER TABLE series ADD COLUMN replies REAL",
    "ALTER TABLE series ADD COLUMN timeouts REAL",
    "ALTER TABLE series ADD COLUMN turnaround_p50_ns INTEGER",
    "ALTER TABLE series ADD COLUMN turnaround_p95_ns INTEGER",
    "ALTER TABLE series ADD COLUMN turnaround_p99_ns INTEGER",
    "ALTER TABLE series ADD COLUMN turnaround_max_ns INTEGER",
    "ALTER TABLE series ADD COLUMN scheduled_turnaround_p50_ns INTEGER",
    "ALTER TABLE series ADD COLUMN scheduled_turnaround_p99_ns INTEGER",
    "ALTER TABLE series ADD COLUMN reply_p50_ns INTEGER",
    "ALTER TABLE series ADD COLUMN reply_p99_ns INTEGER",
    "ALTER TABLE results ADD COLUMN bus TEXT NOT NULL DEFAULT 'n2nq'",
    "CREATE INDEX results_by_bus ON results (bus) WHERE bus <> 'n2nq'",
    "ALTER TABLE results ADD COLUMN wire_bytes INTEGER",
    "ALTER TABLE results ADD COLUMN connections INTEGER",
    "ALTER TABLE processes ADD COLUMN wire_sent_bytes INTEGER",
    "ALTER TABLE processes ADD COLUMN wire_received_bytes INTEGER",
    "ALTER TABLE processes ADD COLUMN connections INTEGER",
};

const SchemaStep kSteps[] = {kFirst,    kSecond,           kThird,    kFourth,     kCampaigns,    kLayers, kMarks,
                             kWaiting,  kDeletedCampaigns, kMachines, kDeliveries, kPassedLimits, kEvents, kHosts,
                             kCatchUps, kRepliesAndBuses};

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

std::span<const SchemaStep> schema_steps() {
  return kSteps;
}

int64_t schema_version() {
  return static_cast<int64_t>(schema_steps().size());
}

Result<StoreVersion> version_of(Connection& connection) {
  // At one look, as another program may be making the tables.
  auto answer = connection.query(
      "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), "
      "(SELECT count(*) FROM sqlite_master)");
  if (!answer) return std::unexpected(answer.error());
  if (!answer->next()) return std::unexpected(connection.error(answer->lastError()));
  StoreVersion found{.version = answer->value(0).toLongLong(), .empty = answer->value(2).toLongLong() == 0};
  const int64_t application = answer->value(1).toLongLong();
  found.ours = application == kApplicationId || (application == 0 && found.version == 0 && found.empty);
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
