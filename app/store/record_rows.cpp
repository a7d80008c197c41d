#include "app/store/record_rows.h"

#include <QByteArray>
#include <QtEndian>

#include "app/plan/plan_file.h"
#include "app/record/columns.h"
#include "app/record/run_folder.h"
#include "app/store/host_rows.h"
#include "workers/control/telemetry.h"

namespace n2nq::store {
namespace {

// Buckets as docs/store.md, "Histograms", has them.
constexpr qsizetype kBucketBytes = 12;
constexpr qsizetype kLengthBytes = 4;
// More than all buckets of both signs; a blob that promises more is damaged, and no memory is given to it.
constexpr quint32 kLargest = 4 << 20;

QByteArray pack_buckets(const std::vector<control::BucketCount>& buckets) {
  QByteArray plain(static_cast<qsizetype>(buckets.size()) * kBucketBytes, Qt::Uninitialized);
  char* at = plain.data();
  for (const auto& bucket : buckets) {
    qToLittleEndian<qint32>(bucket.index, at);
    qToLittleEndian<quint64>(bucket.count, at + 4);
    at += kBucketBytes;
  }
  return qCompress(plain);
}

Result<std::vector<control::BucketCount>> unpack_buckets(const QByteArray& blob) {
  if (blob.size() < kLengthBytes) return fail("a histogram is damaged: it is too short");
  const auto length = qFromBigEndian<quint32>(blob.constData());
  if (length == 0) return std::vector<control::BucketCount>();
  if (length > kLargest || length % kBucketBytes != 0) return fail("a histogram is damaged: its length is wrong");
  const QByteArray plain = qUncompress(blob);
  if (plain.size() != static_cast<qsizetype>(length)) return fail("a histogram is damaged: it cannot be unpacked");
  std::vector<control::BucketCount> buckets;
  buckets.reserve(length / kBucketBytes);
  for (const char* at = plain.constData(); at != plain.constData() + plain.size(); at += kBucketBytes)
    buckets.push_back({.index = qFromLittleEndian<qint32>(at), .count = qFromLittleEndian<quint64>(at + 4)});
  return buckets;
}

template <class Row>
std::string names_of() {
  NameList names;
  const Row row{};
  record::columns(names, row);
  return names.text;
}

// Inserts the rows of one result, a statement prepared once a table.
class Inserter {
 public:
  Inserter(Connection& connection, int64_t id) : connection_(connection), id_(id) {}

  template <class Row>
  Result<void> rows(const std::string& table, const std::vector<Row>& rows) {
    std::optional<QSqlQuery> query;
    for (const Row& row : rows) {
      RowWriter writer = begin_row();
      record::columns(writer, row);
      if (auto done = put(table, writer, query); !done) return done;
    }
    return {};
  }
  Result<void> figures(const record::RunRecord& record) {
    std::optional<QSqlQuery> query;
    for (const control::LatencyRow& row : control::kLatencies) {
      if (!record::has_latency(record, row)) continue;
      RowWriter writer = begin_row();
      writer("name", std::string(row.name));
      record::columns(writer, record.latencies[row.latency]);
      if (auto done = put("figures", writer, query); !done) return done;
    }
    return {};
  }
  Result<void> histograms(const record::RunRecord& record) {
    std::optional<QSqlQuery> query;
    for (const record::HistogramRecord& histogram : record.histograms) {
      RowWriter writer = begin_row();
      writer("name", histogram.name);
      record::columns(writer, histogram.moments);
      writer("buckets", pack_buckets(histogram.buckets));
      if (auto done = put("histograms", writer, query); !done) return done;
    }
    return {};
  }
  uint64_t bytes() const { return bytes_; }

 private:
  RowWriter begin_row() const {
    RowWriter writer;
    writer("result_id", id_);
    return writer;
  }
  Result<void> put(const std::string& table, const RowWriter& writer, std::optional<QSqlQuery>& query) {
    bytes_ += writer.bytes;
    if (!query) {
      auto prepared = connection_.prepare(writer.insert_into(table));
      if (!prepared) return std::unexpected(prepared.error());
      query.emplace(std::move(*prepared));
    }
    return connection_.execute(*query, writer.values);
  }

  Connection& connection_;
  int64_t id_;
  uint64_t bytes_ = 0;
};

RowWriter result_row(const record::RunRecord& record) {
  RowWriter row;
  row("name", record.plan.name);
  row("bus", record.plan.bus.kind);
  row("mode", record.plan.queue.mode);
  row("requests", record.plan.queue.requests.on);
  row("responses", record.plan.queue.responses);
  row("senders", record.plan.senders.fleet.count);
  row("receivers", record.plan.receivers.fleet.count);
  record::columns(row, record);
  row("runs_folder", record::runs_folder_of(record.folder));
  row("file_bytes", record::folder_bytes(record.folder));
  row("plan", plan::plan_to_json(record.plan));
  return row;
}

// Reads all rows of one result from a table.
template <class Row>
Result<std::vector<Row>> select_rows(Connection& connection, const std::string& table, int64_t id) {
  auto query = connection.query("SELECT " + names_of<Row>() + " FROM " + table + " WHERE result_id = ? ORDER BY rowid",
                                {to_variant(id)});
  if (!query) return std::unexpected(query.error());
  std::vector<Row> rows;
  while (query->next()) {
    RowReader reader(*query);
    Row row{};
    record::columns(reader, row);
    if (!reader.good()) return fail(connection.path() + ": the table " + table + " has an unknown word");
    rows.push_back(std::move(row));
  }
  if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
  return rows;
}

template <class Row>
Result<void> read_rows(Connection& connection, const std::string& table, int64_t id, std::vector<Row>& into) {
  auto rows = select_rows<Row>(connection, table, id);
  if (!rows) return std::unexpected(rows.error());
  into = std::move(*rows);
  return {};
}

Result<void> read_figures(Connection& connection, record::RunRecord& record) {
  auto query =
      connection.query("SELECT name, " + names_of<measure::LatencySummary>() + " FROM figures WHERE result_id = ?",
                       {to_variant(record.id)});
  if (!query) return std::unexpected(query.error());
  while (query->next()) {
    RowReader reader(*query);
    std::string name;
    measure::LatencySummary figures;
    reader("name", name);
    record::columns(reader, figures);
    if (const auto* row = control::find_latency(name)) record.latencies[row->latency] = figures;
  }
  if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
  return {};
}

Result<void> read_histograms(Connection& connection, record::RunRecord& record) {
  auto query = connection.query("SELECT name, " + names_of<control::HistogramMoments>() +
                                    ", buckets FROM histograms WHERE result_id = ? ORDER BY rowid",
                                {to_variant(record.id)});
  if (!query) return std::unexpected(query.error());
  while (query->next()) {
    RowReader reader(*query);
    record::HistogramRecord histogram;
    QByteArray blob;
    reader("name", histogram.name);
    record::columns(reader, histogram.moments);
    reader("buckets", blob);
    auto buckets = unpack_buckets(blob);
    if (!buckets)
      return fail(connection.path() + ": result " + std::to_string(record.id) + ": " + buckets.error().text);
    histogram.buckets = std::move(*buckets);
    record.histograms.push_back(std::move(histogram));
  }
  if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
  return {};
}

Result<record::RunRecord> read_result(Connection& connection, int64_t id) {
  auto query = connection.query("SELECT " + names_of<record::RunRecord>() + ", plan, " +
                                    names_of<record::CampaignPlace>() + " FROM results WHERE id = ?",
                                {to_variant(id)});
  if (!query) return std::unexpected(query.error());
  if (!query->next()) return fail("result " + std::to_string(id) + " is not in " + connection.path());
  record::RunRecord record;
  std::string plan_json;
  RowReader reader(*query);
  record::columns(reader, record);
  reader("plan", plan_json);
  record::CampaignPlace place;
  record::columns(reader, place);
  if (place.campaign != 0) record.campaign = place;
  if (!reader.good()) return fail(connection.path() + ": result " + std::to_string(id) + " has an unknown verdict");
  auto plan = plan::stored_plan_from_json(plan_json);
  if (!plan)
    return fail(connection.path() + ": the plan of result " + std::to_string(id) +
                " is not readable: " + plan.error().text);
  record.plan = std::move(*plan);
  record.id = id;
  return record;
}

Result<void> read_received_bytes(Connection& connection, record::RunRecord& record) {
  auto query = connection.query("SELECT sum(bytes) FROM services WHERE result_id = ? AND role = ?",
                                {to_variant(record.id), to_variant(std::string(record::word_of(Role::receiver)))});
  if (!query) return std::unexpected(query.error());
  if (query->next() && !query->value(0).isNull()) record.received_bytes = query->value(0).toULongLong();
  return {};
}

Result<void> read_hosts(Connection& connection, record::RunRecord& record, bool whole) {
  auto hosts = select_hosts(connection, record.id, whole);
  if (!hosts) return std::unexpected(hosts.error());
  record.hosts = std::move(*hosts);
  return {};
}

Result<bool> has_campaign(Connection& connection, int64_t id) {
  auto query = connection.query("SELECT 1 FROM campaigns WHERE id = ?", {to_variant(id)});
  if (!query) return std::unexpected(query.error());
  return query->next();
}

}  // namespace

Result<uint32_t> last_attempt(Connection& connection, const record::CampaignPlace& place) {
  auto query = connection.query(
      "SELECT coalesce(max(campaign_attempt), 0) FROM results "
      "WHERE campaign_id = ? AND campaign_point = ? AND campaign_repeat = ?",
      {to_variant(place.campaign), to_variant(place.point), to_variant(place.repeat)});
  if (!query) return std::unexpected(query.error());
  if (!query->next()) return std::unexpected(connection.error(query->lastError()));
  return static_cast<uint32_t>(query->value(0).toLongLong());
}

namespace {

// All rows of a result but its own; how many bytes they take.
Result<uint64_t> insert_parts(Connection& connection, int64_t id, const record::RunRecord& record) {
  Inserter inserter(connection, id);
  Result<void> done = inserter.figures(record);
  if (done) done = inserter.histograms(record);
  record::lists([&](const record::NamedList& list, auto member) {
    if (done) done = inserter.rows(list.name, record.*member);
  });
  if (!done) return std::unexpected(done.error());
  const auto host_bytes = insert_hosts(connection, id, record.hosts);
  if (!host_bytes) return host_bytes;
  return inserter.bytes() + *host_bytes;
}

}  // namespace

Result<void> replace_record(Connection& connection, const record::RunRecord& record) {
  std::vector<std::string> tables{"figures", "histograms", "hosts", "host_series"};
  record::lists([&](const record::NamedList& list, auto) { tables.emplace_back(list.name); });
  for (const std::string& table : tables)
    if (auto gone = connection.query("DELETE FROM " + table + " WHERE result_id = ?", {to_variant(record.id)}); !gone)
      return std::unexpected(gone.error());
  const auto bytes = insert_parts(connection, record.id, record);
  if (!bytes) return std::unexpected(bytes.error());
  RowWriter row = result_row(record);
  row("stored_bytes", row.bytes + *bytes);
  const std::string update = row.update("results");
  row.values.push_back(to_variant(record.id));
  if (auto updated = connection.query(update, row.values); !updated) return std::unexpected(updated.error());
  return {};
}

Result<int64_t> insert_record(Connection& connection, const record::RunRecord& record) {
  RowWriter row = result_row(record);
  // A run that was cut off may be taken in after its campaign has gone permanently.
  const auto placed = record.campaign ? has_campaign(connection, record.campaign->campaign) : false;
  if (!placed) return std::unexpected(placed.error());
  if (*placed) {
    record::CampaignPlace place = *record.campaign;
    // Runs that were cut off may be taken in after others were made: each gets the next number of its run.
    const auto attempt = last_attempt(connection, place);
    if (!attempt) return std::unexpected(attempt.error());
    place.attempt = *attempt + 1;
    record::columns(row, place);
  }
  const uint64_t bytes_of_result = row.bytes;
  row("stored_bytes", bytes_of_result);
  auto result = connection.query(row.insert_into("results"), row.values);
  if (!result) return std::unexpected(result.error());
  const int64_t id = result->lastInsertId().toLongLong();
  const auto bytes = insert_parts(connection, id, record);
  if (!bytes) return std::unexpected(bytes.error());
  // A result of a deleted campaign is deleted with it.
  auto sized = connection.query(
      "UPDATE results SET stored_bytes = ?, deleted_utc_ns = (SELECT abs(c.deleted_utc_ns) FROM campaigns c "
      "WHERE c.id = campaign_id) WHERE id = ?",
      {to_variant(bytes_of_result + *bytes), to_variant(id)});
  if (!sized) return std::unexpected(sized.error());
  return id;
}

record::RunRecord as_summary(record::RunRecord record) {
  record.received_bytes = record::received_bytes(record);
  const auto free = []<class List>(List& list) { list = List(); };
  free(record.histograms);
  for (live::HostHistory& host : record.hosts) {
    free(host.start_ns);
    free(host.width_ns);
    for (live::HostSeries& series : host.series) free(series.values);
  }
  record::lists([&](const record::NamedList& list, auto member) {
    if (!list.in_summary) free(record.*member);
  });
  return record;
}

namespace {

Result<record::RunRecord> select_most(Connection& connection, int64_t id, bool whole_hosts) {
  auto record = read_result(connection, id);
  if (!record) return record;
  Result<void> done = read_figures(connection, *record);
  if (done) done = read_received_bytes(connection, *record);
  if (done) done = read_hosts(connection, *record, whole_hosts);
  record::lists([&](const record::NamedList& list, auto member) {
    const bool wanted = list.in_summary && (list.always || record->latencies[Latency::waiting].count > 0);
    if (done && wanted) done = read_rows(connection, list.name, id, (*record).*member);
  });
  if (!done) return std::unexpected(done.error());
  return record;
}

}  // namespace

Result<record::RunRecord> select_summary(Connection& connection, int64_t id) {
  return select_most(connection, id, false);
}

Result<record::RunRecord> select_record(Connection& connection, int64_t id) {
  auto record = select_most(connection, id, true);
  if (!record) return record;
  Result<void> done = read_histograms(connection, *record);
  record::lists([&](const record::NamedList& list, auto member) {
    if (done && !list.in_summary) done = read_rows(connection, list.name, id, (*record).*member);
  });
  if (!done) return std::unexpected(done.error());
  return record;
}

}  // namespace n2nq::store
