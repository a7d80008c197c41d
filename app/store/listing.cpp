#include "app/store/record_rows.h"

#include <unordered_map>

#include "app/record/columns.h"
#include "app/record/shown_latency.h"

namespace n2nq::store {
namespace {

constexpr char kRows[] =
    "SELECT r.id, r.run_id, r.name, r.started_utc_ns, r.ended_utc_ns - coalesce(r.began_utc_ns, r.ended_utc_ns), "
    "r.verdict, r.reason, r.mode, r.requests, r.responses, r.senders, r.receivers, r.sent, r.received, r.lost, "
    "f.p50_ns, f.p99_ns, f.trimmed_mean_p95_ns, r.folder, r.stored_bytes, r.file_bytes, s.result_id IS NOT NULL, "
    "coalesce(n.text, ''), r.bus, coalesce(c.name, ''), r.campaign_id, r.campaign_point, r.campaign_repeat, "
    "r.campaign_attempt, i.p50_ns, i.p99_ns, i.trimmed_mean_p95_ns "
    "FROM results r LEFT JOIN figures f ON f.result_id = r.id AND "
    "f.name = CASE r.mode WHEN 'request-reply' THEN 'turnaround_ns' ELSE 'latency_ns' END "
    "LEFT JOIN figures i ON i.result_id = r.id AND "
    "i.name = CASE r.mode WHEN 'request-reply' THEN 'scheduled_turnaround_ns' ELSE 'scheduled_latency_ns' END "
    "LEFT JOIN stars s ON s.result_id = r.id LEFT JOIN user_notes n ON n.result_id = r.id "
    "LEFT JOIN campaigns c ON c.id = r.campaign_id "
    "WHERE r.deleted_utc_ns IS NULL ORDER BY r.started_utc_ns DESC, r.id DESC";

constexpr char kLimits[] =
    "SELECT result_id, metric, at_most, limit_value, value, since_begin_ns, stopped, fails FROM passed_limits "
    "ORDER BY rowid";

constexpr char kTrust[] = "SELECT id, trust FROM results INDEXED BY results_by_trust";

// In the order of kRows.
bool read_row(const QSqlQuery& query, ResultRow& row) {
  RowReader reader(query);
  reader("id", row.id);
  reader("run_id", row.run_id);
  reader("name", row.name);
  reader("started_utc_ns", row.started_utc_ns);
  reader("duration_ns", row.duration_ns);
  reader("verdict", row.verdict);
  reader("reason", row.reason);
  reader("mode", row.mode);
  reader("requests", row.requests);
  reader("responses", row.responses);
  reader("senders", row.senders);
  reader("receivers", row.receivers);
  reader("sent", row.sent);
  reader("received", row.received);
  reader("lost", row.lost);
  reader("p50_ns", row.p50_ns);
  reader("p99_ns", row.p99_ns);
  reader("trimmed_mean_p95_ns", row.trimmed_mean_ns);
  reader("folder", row.folder);
  reader("stored_bytes", row.stored_bytes);
  reader("file_bytes", row.file_bytes);
  reader("starred", row.starred);
  reader("notes", row.notes);
  reader("bus", row.bus);
  reader("campaign_name", row.campaign_name);
  record::CampaignPlace place;
  record::columns(reader, place);
  if (place.campaign != 0) row.campaign = place;
  ListedLatency intended;
  reader("p50_ns", intended.p50_ns);
  reader("p99_ns", intended.p99_ns);
  reader("trimmed_mean_p95_ns", intended.trimmed_mean_ns);
  if (record::shows_intended({.p50 = row.p50_ns, .p99 = row.p99_ns}, {.p50 = intended.p50_ns, .p99 = intended.p99_ns}))
    row.intended = intended;
  return reader.good();
}

using ById = std::unordered_map<int64_t, ResultRow*>;

// Calls `take(query, row)` for each answer about a result that is in the list; its first column is the result's id.
template <class Take>
Result<void> for_each(Connection& connection, const char* sql, const ById& rows, const Take& take) {
  auto query = connection.query(sql);
  if (!query) return std::unexpected(query.error());
  while (query->next()) {
    const auto found = rows.find(query->value(0).toLongLong());
    if (found != rows.end()) take(*query, *found->second);
  }
  if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
  return {};
}

Result<void> read_marks(Connection& connection, const ById& rows) {
  auto tags =
      for_each(connection, "SELECT result_id, tag FROM tags ORDER BY result_id, tag", rows,
               [](const QSqlQuery& one, ResultRow& row) { row.tags.push_back(one.value(1).toString().toStdString()); });
  if (!tags) return tags;
  auto trust = for_each(connection, kTrust, rows, [](const QSqlQuery& one, ResultRow& row) {
    record::from_word(one.value(1).toString().toStdString(), row.trust);
  });
  if (!trust) return trust;
  return for_each(connection, kLimits, rows, [](const QSqlQuery& one, ResultRow& row) {
    RowReader reader(one);
    int64_t id = 0;
    reader("id", id);
    record::columns(reader, row.passed_limits.emplace_back());
  });
}

Result<ResultListing> read_listing(Connection& connection) {
  auto query = connection.query(kRows);
  if (!query) return std::unexpected(query.error());
  ResultListing listing;
  while (query->next()) {
    ResultRow row;
    if (read_row(*query, row))
      listing.rows.push_back(std::move(row));
    else
      listing.unknown++;
  }
  if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
  ById rows;
  for (ResultRow& row : listing.rows) rows.emplace(row.id, &row);
  if (auto done = read_marks(connection, rows); !done) return std::unexpected(done.error());
  return listing;
}

}  // namespace

Result<ResultListing> list_results(Connection& connection) {
  // All of it as of one moment.
  if (auto begun = connection.run("BEGIN"); !begun) return std::unexpected(begun.error());
  auto listing = read_listing(connection);
  auto ended = connection.run("COMMIT");
  if (listing && !ended) return std::unexpected(ended.error());
  return listing;
}

std::string campaign_text(const ResultRow& row) {
  if (!row.campaign) return "";
  return "#" + std::to_string(row.campaign->campaign) + " " + row.campaign_name + " " +
         std::to_string(row.campaign->point) + "." + std::to_string(row.campaign->repeat);
}

ListedLatency shown_latency(const ResultRow& row) {
  return row.intended.value_or(ListedLatency{row.p50_ns, row.p99_ns, row.trimmed_mean_ns});
}

std::string bus_text(const ResultRow& row) {
  const bus::BusTraits* bus = bus::find_bus(row.bus);
  return bus != nullptr ? std::string(bus->title) : row.bus;
}

}  // namespace n2nq::store
