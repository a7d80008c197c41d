#include "app/store/host_rows.h"

#include <QByteArray>
#include <QtEndian>
#include <algorithm>
#include <bit>
#include <cmath>

namespace n2nq::store {
namespace {

using live::HostHistory;
using live::HostSeries;

constexpr qsizetype kNumberBytes = 8;
constexpr quint32 kLargestNumbers = 4 << 20;  // a blob that promises more is damaged

template <class Number>
QByteArray pack_numbers(const std::vector<Number>& numbers) {
  QByteArray plain(static_cast<qsizetype>(numbers.size()) * kNumberBytes, Qt::Uninitialized);
  char* at = plain.data();
  for (const Number number : numbers) {
    qToLittleEndian<quint64>(std::bit_cast<quint64>(number), at);
    at += kNumberBytes;
  }
  return qCompress(plain);
}

template <class Number>
Result<std::vector<Number>> unpack_numbers(const QByteArray& blob) {
  std::vector<Number> numbers;
  if (blob.isEmpty()) return numbers;
  if (blob.size() < 4) return fail("the figures of a host are damaged: a blob is too short");
  const auto length = qFromBigEndian<quint32>(blob.constData());
  if (length == 0) return numbers;
  if (length > kLargestNumbers || length % kNumberBytes != 0)
    return fail("the figures of a host are damaged: a length is wrong");
  const QByteArray plain = qUncompress(blob);
  if (plain.size() != static_cast<qsizetype>(length))
    return fail("the figures of a host are damaged: a blob cannot be unpacked");
  for (const char* at = plain.constData(); at != plain.constData() + plain.size(); at += kNumberBytes)
    numbers.push_back(std::bit_cast<Number>(qFromLittleEndian<quint64>(at)));
  return numbers;
}

// Columns of the two tables: one list each for reading and writing.
template <class Visit, class Host>
void host_columns(Visit& visit, Host& place, Host& awake, QByteArray& starts, QByteArray& widths, bool whole) {
  visit("place", place);
  visit("awake", awake);
  if (!whole) return;
  visit("start_ns", starts);
  visit("width_ns", widths);
}

struct SeriesRow {
  std::string place{};
  std::string of{};
  HostSeries series{};
  QByteArray readings{};
};

template <class Visit, class Row>
void series_columns(Visit& visit, Row& row, bool whole) {
  visit("place", row.place);
  visit("of_what", row.of);
  visit("subject", row.series.subject);
  visit("name", row.series.name);
  visit("value", row.series.value);
  visit("why", row.series.why);
  if (whole) visit("readings", row.readings);
}

Result<uint64_t> insert(Connection& connection, const char* table, const RowWriter& row,
                        std::optional<QSqlQuery>& query) {
  if (!query) {
    auto prepared = connection.prepare(row.insert_into(table));
    if (!prepared) return std::unexpected(prepared.error());
    query.emplace(std::move(*prepared));
  }
  if (auto done = connection.execute(*query, row.values); !done) return std::unexpected(done.error());
  return row.bytes;
}

bool are_times(const std::vector<int64_t>& times) {
  return std::ranges::all_of(times, [](int64_t time) { return time >= 0 && time <= live::kLatestSlotNs; });
}

// Nothing but readings, and what stands for none.
bool are_readings(const std::vector<double>& values) {
  return std::ranges::none_of(values, [](double value) { return std::isinf(value); });
}

Result<QSqlQuery> select(Connection& connection, const std::string& names, const char* table, int64_t id) {
  return connection.query("SELECT " + names + " FROM " + table + " WHERE result_id = ? ORDER BY rowid",
                          {to_variant(id)});
}

Result<std::vector<HostHistory>> select_places(Connection& connection, int64_t id, bool whole) {
  NameList names;
  std::string place, awake;
  QByteArray starts, widths;
  host_columns(names, place, awake, starts, widths, whole);
  auto query = select(connection, names.text, "hosts", id);
  if (!query) return std::unexpected(query.error());
  std::vector<HostHistory> hosts;
  while (query->next()) {
    RowReader reader(*query);
    host_columns(reader, place, awake, starts, widths, whole);
    auto start_ns = unpack_numbers<int64_t>(starts);
    auto width_ns = unpack_numbers<int64_t>(widths);
    if (!start_ns || !width_ns) return std::unexpected(start_ns ? width_ns.error() : start_ns.error());
    if (start_ns->size() != width_ns->size())
      return fail("the figures of a host are damaged: its slots have no widths");
    if (start_ns->size() > live::kMostStoredSlots || !are_times(*start_ns) || !are_times(*width_ns))
      return fail("the figures of a host are damaged: its slots lie beyond any run");
    hosts.push_back({.place = place,
                     .start_ns = std::move(*start_ns),
                     .width_ns = std::move(*width_ns),
                     .series = {},
                     .awake = awake});
  }
  if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
  return hosts;
}

Result<void> take_series(SeriesRow row, std::vector<HostHistory>& hosts) {
  const auto host = std::ranges::find(hosts, row.place, &HostHistory::place);
  const auto of = control::recorded_of(row.of);
  if (host == hosts.end() || !of) return fail("the figures of a host are damaged");
  row.series.of = *of;
  auto values = unpack_numbers<double>(row.readings);
  if (!values) return std::unexpected(values.error());
  if (!values->empty() && values->size() != host->start_ns.size())
    return fail("the figures of a host are damaged: a series has other slots than its host");
  if (!are_readings(*values) || (row.series.value && !std::isfinite(*row.series.value)))
    return fail("the figures of a host are damaged: a reading is no number");
  row.series.values = std::move(*values);
  if (live::column_of(row.series) != nullptr) host->series.push_back(std::move(row.series));
  return {};
}

}  // namespace

Result<uint64_t> insert_hosts(Connection& connection, int64_t id, const std::vector<HostHistory>& hosts) {
  uint64_t bytes = 0;
  std::optional<QSqlQuery> into_hosts, into_series;
  for (const HostHistory& host : hosts) {
    RowWriter row;
    row("result_id", id);
    QByteArray starts = pack_numbers(host.start_ns), widths = pack_numbers(host.width_ns);
    host_columns(row, host.place, host.awake, starts, widths, true);
    auto done = insert(connection, "hosts", row, into_hosts);
    if (!done) return done;
    bytes += *done;
    for (const HostSeries& series : host.series) {
      RowWriter of_series;
      of_series("result_id", id);
      const SeriesRow one{.place = host.place,
                          .of = std::string(control::to_text(series.of)),
                          .series = series,
                          .readings = series.values.empty() ? QByteArray("") : pack_numbers(series.values)};
      series_columns(of_series, one, true);
      done = insert(connection, "host_series", of_series, into_series);
      if (!done) return done;
      bytes += *done;
    }
  }
  return bytes;
}

Result<std::vector<HostHistory>> select_hosts(Connection& connection, int64_t id, bool whole) {
  auto hosts = select_places(connection, id, whole);
  if (!hosts) return hosts;
  NameList names;
  SeriesRow row;
  series_columns(names, row, whole);
  auto query = select(connection, names.text, "host_series", id);
  if (!query) return std::unexpected(query.error());
  while (query->next()) {
    RowReader reader(*query);
    series_columns(reader, row, whole);
    if (auto taken = take_series(row, *hosts); !taken)
      return fail(connection.path() + ": result " + std::to_string(id) + ": " + taken.error().text);
  }
  if (query->lastError().isValid()) return std::unexpected(connection.error(query->lastError()));
  return hosts;
}

}  // namespace n2nq::store
