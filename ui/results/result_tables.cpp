#include "ui/results/result_tables.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/plan/plan_fields.h"
#include "app/text/quantity.h"
#include "ui/results/result_columns.h"

namespace n2nq::results {
namespace {

using theme::qt;

QString count_text(uint64_t value) {
  return qt(text::count(static_cast<int64_t>(value)));
}

QString count_text(const std::optional<uint64_t>& value) {
  return value ? count_text(*value) : QStringLiteral("not known");
}

TextRow pair(const char* name, const QString& value) {
  return {.cells = {QString::fromUtf8(name), value}, .status = {}};
}

struct LatencyColumn {
  const char* header;
  control::LatencyFigures RunRecord::* member;
  bool of_receivers;
};
constexpr LatencyColumn kLatencies[] = {{"From sending", &RunRecord::latency, true},
                                        {"From schedule", &RunRecord::scheduled_latency, true},
                                        {"Warm-up", &RunRecord::warmup_latency, true},
                                        {"Delay", &RunRecord::delay, false},
                                        {"Lateness", &RunRecord::lateness, false}};

// One unit down a column, and for the latencies, which are compared: that of the usual values, not of the largest.
text::Scale scale_of(const RunRecord& record, const LatencyColumn& column) {
  double usual = 0;
  for (const LatencyColumn& other : kLatencies) {
    const auto& p50 = (record.*other.member).p50;
    const bool together = column.of_receivers && other.of_receivers;
    if (p50 && (together || other.member == column.member)) usual = std::max(usual, static_cast<double>(*p50));
  }
  text::Scale scale = text::duration_scale(usual);
  scale.decimals = scale.divisor > 1 ? 1 : 0;
  return scale;
}

struct FigureRow {
  const char* name;
  std::optional<double> (*value)(const control::LatencyFigures&);
};
template <auto Member>
std::optional<double> value_of(const control::LatencyFigures& figures) {
  if (!(figures.*Member)) return {};
  return static_cast<double>(*(figures.*Member));
}
constexpr FigureRow kFigureRows[] = {
    {"min", value_of<&control::LatencyFigures::min>},
    {"p50", value_of<&control::LatencyFigures::p50>},
    {"p90", value_of<&control::LatencyFigures::p90>},
    {"p95", value_of<&control::LatencyFigures::p95>},
    {"p99", value_of<&control::LatencyFigures::p99>},
    {"p99.9", value_of<&control::LatencyFigures::p999>},
    {"max", value_of<&control::LatencyFigures::max>},
    {"mean", value_of<&control::LatencyFigures::mean>},
    {"std. deviation", value_of<&control::LatencyFigures::stddev>},
    {"trimmed mean", value_of<&control::LatencyFigures::trimmed_mean_p95>},
};

QString clock_text(const RunRecord& record) {
  if (record.clock_kind == "same") return QStringLiteral("one clock");
  if (record.clock_kind == "unknown") return QStringLiteral("not known");
  if (!record.clock_bound_ns) return qt(record.clock_kind);
  return QString::fromUtf8("± ") + qt(text::duration(static_cast<double>(*record.clock_bound_ns)));
}

// No latency below the bound can be told from another.
bool is_coarse(const RunRecord& record) {
  return record.clock_bound_ns && record.latency.p50 &&
         static_cast<double>(*record.clock_bound_ns) > static_cast<double>(*record.latency.p50);
}

TextRow clock_row(const RunRecord& record) {
  const bool coarse = is_coarse(record);
  TextRow row = pair(
      "Clocks", coarse ? clock_text(record) + QStringLiteral(", more than the median latency") : clock_text(record));
  if (coarse) row.status = theme::Status::warning;
  return row;
}

QString clock_text(const ProcessRecord& process) {
  if (process.clock_kind == "same") return QStringLiteral("the queue's");
  if (process.clock_kind == "unknown") return QStringLiteral("not known");
  if (!process.clock_offset_ns || !process.clock_bound_ns) return QStringLiteral("-");
  return QStringLiteral("%1 ± %2").arg(qt(text::duration(static_cast<double>(*process.clock_offset_ns))),
                                       qt(text::duration(static_cast<double>(*process.clock_bound_ns))));
}

// Where its share of the counts is from.
QString figures_text(const ProcessRecord& process) {
  if (process.figures_from == "summary") return QStringLiteral("its summary");
  if (process.figures_from == "fetched") return QStringLiteral("its summary, fetched");
  if (process.figures_from == "telemetry") return QStringLiteral("the last heard of it");
  return QStringLiteral("-");
}

QString exit_text(const ProcessRecord& process) {
  return process.exit_code ? QString::number(*process.exit_code) : QStringLiteral("-");
}

QString machine_text(const std::string& key, const nlohmann::ordered_json& value) {
  if (key == "memory_bytes" && value.is_number()) return qt(text::bytes(value.get<double>()));
  if (value.is_string()) return qt(value.get<std::string>());
  if (!value.is_array()) return qt(value.dump());
  QStringList parts;
  for (const auto& part : value)
    parts.append(part.is_number_float() ? QString::number(part.get<double>(), 'f', 2) : qt(part.dump()));
  return parts.join(QStringLiteral(", "));
}

theme::Status status_of(Severity severity) {
  if (severity == Severity::error) return theme::Status::bad;
  return severity == Severity::warning ? theme::Status::warning : theme::Status::info;
}

QString since_text(const std::optional<int64_t>& ns) {
  if (!ns) return QStringLiteral("-");
  return QString::number(static_cast<double>(*ns) / 1e9, 'f', 3) + QStringLiteral(" s");
}

}  // namespace

std::vector<TextColumn> total_columns() {
  return {{.header = QStringLiteral("Total"), .stretch = true}, {.header = QStringLiteral("Value"), .number = true}};
}

std::vector<TextRow> total_rows(const RunRecord& record) {
  const RunTotals& totals = record.totals;
  const int64_t ran_ns = record.began_utc_ns ? record.ended_utc_ns - *record.began_utc_ns : 0;
  std::vector<TextRow> rows{
      pair("Duration", qt(text::duration(static_cast<double>(std::max<int64_t>(ran_ns, 0))))),
      pair("Messages planned", count_text(totals.planned)),
      pair("Messages sent", count_text(totals.sent)),
      pair("Messages accepted", count_text(totals.accepted)),
      pair("Payload sent", qt(text::bytes(static_cast<double>(totals.bytes_sent)))),
      pair("Deliveries expected", count_text(totals.expected)),
      pair("Deliveries received", count_text(totals.received)),
      pair("Lost", count_text(totals.lost)),
      pair("Expired by retention", count_text(totals.expired)),
      pair("Undeliverable", count_text(totals.undeliverable)),
      pair("Duplicates", count_text(totals.duplicates)),
      pair("Reordered", count_text(totals.reordered)),
      pair("Corrupt", count_text(totals.corrupt)),
      pair("Delivered again", count_text(totals.redelivered)),
      pair("Asked rate", record.rate_reached ? QStringLiteral("reached") : QStringLiteral("not reached")),
      clock_row(record),
  };
  return rows;
}

std::vector<TextColumn> latency_columns(const RunRecord& record) {
  std::vector<TextColumn> columns{{.header = QStringLiteral("Latency")}};
  for (const LatencyColumn& latency : kLatencies) {
    const QString unit = QString::fromUtf8(scale_of(record, latency).unit);
    columns.push_back(
        {.header = QStringLiteral("%1 [%2]").arg(QString::fromUtf8(latency.header), unit), .number = true});
  }
  return columns;
}

std::vector<TextRow> latency_rows(const RunRecord& record) {
  std::vector<TextRow> rows;
  for (const FigureRow& figure : kFigureRows) {
    TextRow& row = rows.emplace_back();
    row.cells.push_back(QString::fromUtf8(figure.name));
    for (const LatencyColumn& latency : kLatencies) {
      const auto value = figure.value(record.*latency.member);
      row.cells.push_back(value ? qt(text::scaled(*value, scale_of(record, latency))) : QStringLiteral("-"));
    }
  }
  TextRow& counts = rows.emplace_back();
  counts.cells.push_back(QStringLiteral("values"));
  for (const LatencyColumn& latency : kLatencies) counts.cells.push_back(count_text((record.*latency.member).count));
  return rows;
}

std::vector<TextColumn> setting_columns() {
  return {{.header = QStringLiteral("Changed setting")},
          {.header = QStringLiteral("Value"), .stretch = true},
          {.header = QStringLiteral("Default")}};
}

namespace {

constexpr std::string_view kFilters = "queue.filters";

// What was asked for from when on: the row of the filters has what held at first.
void add_requests(std::vector<TextRow>& rows, const RunRecord& record) {
  if (record.requests.empty()) return;
  const auto said = [](const QString& filters) { return filters.isEmpty() ? QStringLiteral("everything") : filters; };
  QString& first = rows.back().cells[1];
  first = QStringLiteral("at first: %1").arg(first == u"-" ? said({}) : first);
  for (const RequestRecord& request : record.requests) {
    const QString since = qt(text::duration(static_cast<double>(request.since_begin_ns)));
    const QString value = QStringLiteral("from %1 on: %2").arg(since, said(qt(request.filters)));
    rows.push_back({.cells = {qt(kFilters), value, QStringLiteral("-")}, .status = {}});
  }
}

}  // namespace

std::vector<TextRow> setting_rows(const RunRecord& record) {
  std::vector<TextRow> rows;
  const plan::RunPlan usual;
  for (const plan::PlanField& field : plan::plan_fields()) {
    if (field.key == "name") continue;
    const QString value = qt(plan::text_of(field, record.plan));
    const QString before = qt(plan::text_of(field, usual));
    if (value == before && (field.key != kFilters || record.requests.empty())) continue;
    const auto shown = [](const QString& text) { return text.isEmpty() ? QStringLiteral("-") : text; };
    rows.push_back({.cells = {qt(field.key), shown(value), shown(before)}, .status = {}});
    if (field.key == kFilters) add_requests(rows, record);
  }
  return rows;
}

std::vector<TextColumn> machine_columns() {
  return {{.header = QStringLiteral("Computer")}, {.header = QStringLiteral("Value"), .stretch = true}};
}

std::vector<TextRow> machine_rows(const RunRecord& record) {
  std::vector<TextRow> rows;
  const auto machine = nlohmann::ordered_json::parse(record.machine_json, nullptr, false);
  if (!machine.is_object()) return rows;
  for (const auto& [key, value] : machine.items()) {
    QString name = qt(key);
    name.replace(QStringLiteral("_bytes"), QString()).replace(u'_', u' ');
    rows.push_back({.cells = {name, machine_text(key, value)}, .status = {}});
  }
  return rows;
}

std::vector<TextColumn> process_columns() {
  return {{.header = QStringLiteral("Process")},
          {.header = QStringLiteral("Place")},
          {.header = QStringLiteral("PID"), .number = true},
          {.header = QStringLiteral("End")},
          {.header = QStringLiteral("Exit code"), .number = true},
          {.header = QStringLiteral("CPU time"), .number = true},
          {.header = QStringLiteral("Peak memory"), .number = true},
          {.header = QStringLiteral("Clock off by"), .number = true},
          {.header = QStringLiteral("Counts from")},
          {.header = QStringLiteral("In its own words"), .stretch = true}};
}

std::vector<TextRow> process_rows(const RunRecord& record) {
  std::vector<TextRow> rows;
  for (const ProcessRecord& process : record.processes) {
    rows.push_back({.cells = {qt(process.name), qt(process.place),
                              process.pid == 0 ? QStringLiteral("-") : QString::number(process.pid), qt(process.end),
                              exit_text(process), qt(text::duration(static_cast<double>(process.cpu_ns))),
                              qt(text::bytes(static_cast<double>(process.peak_rss_bytes))), clock_text(process),
                              figures_text(process), qt(process.reason)},
                    .status = {}});
  }
  return rows;
}

std::vector<TextColumn> loss_columns() {
  return {{.header = QStringLiteral("Messages of sender"), .number = true},
          {.header = QStringLiteral("Expired"), .number = true},
          {.header = QStringLiteral("Undeliverable"), .number = true}};
}

std::vector<TextRow> loss_rows(const RunRecord& record) {
  std::vector<TextRow> rows;
  for (const LossRecord& loss : record.losses)
    rows.push_back({.cells = {QString::number(loss.sender), count_text(loss.expired), count_text(loss.undeliverable)},
                    .status = {}});
  return rows;
}

std::vector<TextColumn> log_columns() {
  return {{.header = QStringLiteral("Time")},
          {.header = QStringLiteral("Since BEGIN"), .number = true},
          {.header = QStringLiteral("What happened"), .stretch = true}};
}

std::vector<TextRow> log_rows(const RunRecord& record) {
  std::vector<TextRow> rows;
  for (const RunNote& note : record.notes)
    rows.push_back({.cells = {qt(local_time(note.utc_ns)), since_text(note.since_begin_ns), qt(note.text)},
                    .status = status_of(note.severity)});
  return rows;
}

}  // namespace n2nq::results
