#include "app/figures/record_tables.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/figures/limit_text.h"
#include "app/figures/metric.h"
#include "app/figures/setting_text.h"
#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"
#include "app/record/background_loads.h"
#include "app/record/losses.h"
#include "app/record/outages.h"
#include "app/text/quantity.h"
#include "broker/base/join.h"

namespace n2nq::figures {
namespace {

constexpr std::string_view kBusPrefix = "bus.";
constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;

std::string fixed(double value, int decimals) {
  return text::scaled(value, {.unit = "", .divisor = 1, .decimals = decimals});
}

std::string count_text(uint64_t value) {
  return std::string(text::count(static_cast<int64_t>(value)));
}

TableRow pair(const char* name, const std::string& value) {
  return {.cells = {std::string(name), value}, .severity = {}};
}

struct LatencyColumn {
  const char* header;
  Latency latency;
  const char* help;
  bool always = true;                // false: only in runs that have it
  std::optional<bool> of_replies{};  // only in request-reply mode, or only in the others
  bool is_in(const record::RunRecord& record) const {
    if (of_replies && *of_replies != plan::asks_for_replies(record.plan)) return false;
    return always || record.latencies[latency].count > 0;
  }
};
constexpr LatencyColumn kLatencyColumns[] = {
    {"Turnaround", Latency::turnaround, "From when a request was sent until its reply came, by one clock.", false},
    {"Turnaround, intended", Latency::scheduled_turnaround, "From when a request was due until its reply came.", false},
    {"There", Latency::latency, "The way there: from when a request was sent until a replier got it.", false, true},
    {"Service", Latency::in_system, "At the replier: waiting for its service, and the service.", false, true},
    {"Back", Latency::reply_latency, "The way back: from when a reply was sent until the requester got it.", false},
    {"Turnaround, warm-up", Latency::warmup_turnaround, "For requests due within the warm-up.", false},
    {"Actual send", Latency::latency, "From when a message was sent until a receiver got it.", true, false},
    {"Intended send", Latency::scheduled_latency, "From when a message was due until a receiver got it."},
    {"Warm-up", Latency::warmup_latency, "From the actual send, for messages due within the warm-up."},
    {"Publish", Latency::publish,
     "From when a message was sent until the bus answered for it; through a server, the way to receivers is not in it.",
     false},
    {"Delay", Latency::delay, "Time between two messages of a sender."},
    {"Lateness", Latency::lateness, "How far senders were behind schedule, for each message."},
    {"Held by the queue", Latency::held,
     "How long the queue accepted nothing from a sender that had a message due: one value for each time the sender was "
     "behind schedule. If this makes up most of the lateness, the queue caused it, not the sender.",
     false}};

std::string clock_text(const record::RunRecord& record) {
  if (record.clock_kind == "same") return std::string("one clock");
  if (record.clock_kind == "unknown") return std::string("not known");
  if (!record.clock_bound_ns) return std::string(record.clock_kind);
  return std::string("± ") + (text::duration(static_cast<double>(*record.clock_bound_ns)));
}

// No latency below the bound can be told from another.
bool is_coarse(const record::RunRecord& record) {
  const auto& median = record.latencies[Latency::latency].p50;
  return record.clock_bound_ns && median && static_cast<double>(*record.clock_bound_ns) > static_cast<double>(*median);
}

TableRow clock_row(const record::RunRecord& record) {
  const bool coarse = is_coarse(record);
  TableRow row =
      pair("Clocks", coarse ? clock_text(record) + std::string(", more than the median latency") : clock_text(record));
  if (coarse) row.severity = record::Severity::warning;
  return row;
}

bool is_measured(const record::ProcessRecord& process) {
  return process.clock_kind != "same" && process.clock_kind != "unknown" && process.clock_offset_ns &&
         process.clock_bound_ns;
}

// Offsets and bounds of all processes, which are there to be compared.
text::Column clock_figures(const record::RunRecord& record) {
  text::Column figures(text::Unit::duration);
  for (const record::ProcessRecord& process : record.processes) {
    if (!is_measured(process)) continue;
    figures.add(text::real(process.clock_offset_ns));
    figures.add(text::real(process.clock_bound_ns));
  }
  return figures;
}

std::string clock_text(const record::ProcessRecord& process, const text::Column& figures) {
  if (process.clock_kind == "same") return std::string("the queue's");
  if (process.clock_kind == "unknown") return std::string("not known");
  if (!is_measured(process)) return std::string("-");
  return figures.text(text::real(process.clock_offset_ns)) + " ± " + figures.text(text::real(process.clock_bound_ns));
}

// Where its share of the counts is from.
std::string figures_text(const record::ProcessRecord& process) {
  if (process.figures_from == "summary") return std::string("its summary");
  if (process.figures_from == "fetched") return std::string("its summary, fetched");
  if (process.figures_from == "logs") return std::string("its logs, counted");
  if (process.figures_from == "telemetry") return std::string("its last report");
  if (process.figures_from == "nothing") return std::string("none came");
  return std::string("-");
}

std::string exit_text(const record::ProcessRecord& process) {
  return process.exit_code ? std::to_string(*process.exit_code) : std::string("-");
}

std::string machine_text(const std::string& key, const nlohmann::ordered_json& value) {
  if (key == "memory_bytes" && value.is_number()) return std::string(text::bytes(value.get<double>()));
  if (value.is_string()) return std::string(value.get<std::string>());
  if (!value.is_array()) return std::string(value.dump(-1, ' ', false, kReplace));
  return join(value, ", ", [](const nlohmann::ordered_json& part) {
    return part.is_number_float() ? fixed(part.get<double>(), 2) : part.dump(-1, ' ', false, kReplace);
  });
}

std::string since_text(const std::optional<int64_t>& ns) {
  return ns ? fixed(static_cast<double>(*ns) / 1e9, 3) : std::string("-");
}

// What each latency has a row of; the count, which has no unit, stands below them.
text::Column durations_of(const measure::LatencySummary& latency) {
  text::Column durations(text::Unit::duration);
  measure::latency_fields(
      [&durations]<class Value>(const measure::LatencyField&, const Value& value) {
        if constexpr (!std::is_same_v<Value, uint64_t>) durations.add(text::real(value));
      },
      latency);
  return durations;
}

template <class Value>
text::Column process_figures(const record::RunRecord& record, text::Unit unit, Value record::ProcessRecord::* member) {
  text::Column figures(unit);
  for (const record::ProcessRecord& process : record.processes) figures.add(static_cast<double>(process.*member));
  return figures;
}

// What the connections of each process carried, both ways; nothing where it did not say.
text::Column wire_figures(const record::RunRecord& record) {
  text::Column figures(text::Unit::bytes);
  for (const record::ProcessRecord& process : record.processes) {
    const bool told = process.wire_sent_bytes && process.wire_received_bytes;
    figures.add(told ? std::optional(static_cast<double>(*process.wire_sent_bytes + *process.wire_received_bytes))
                     : std::nullopt);
  }
  return figures;
}

}  // namespace

void put_figures(std::vector<TableColumn>& columns, std::vector<TableRow>& rows, size_t at,
                 const text::Column& figures) {
  columns.at(at).header = figures.head(columns.at(at).header);
  for (size_t row = 0; row < rows.size(); row++) rows[row].cells.at(at) = figures.cell(row);
}

std::vector<TableColumn> total_columns() {
  return {{.header = std::string("Total"), .stretch = true}, {.header = std::string("Value"), .number = true}};
}

namespace {

void add_limits(std::vector<TableRow>& rows, const record::RunRecord& record) {
  if (!record.plan.limits.empty() && record.passed_limits.empty())
    rows.push_back(pair("Limits", std::string("none exceeded")));
  for (const record::PassedLimit& passed : record.passed_limits) {
    rows.push_back(pair("Limit exceeded", passed_when_text(passed)));
    rows.back().severity = only_warns(passed) ? record::Severity::warning : record::Severity::error;
  }
}

// What was looked at before the run.
void add_ways(std::vector<TableRow>& rows, const record::RunRecord& record) {
  for (const record::HopRecord& hop : record.paths) {
    const bool last = &hop == &record.paths.back() || (&hop + 1)->from != hop.from;
    if (!last) continue;
    const std::string hops = text::amount(hop.hop, "hop");
    rows.push_back(
        {.cells = {std::string("Path " + hop.from + " - " + hop.to),
                   std::string(hops + (hop.reached ? "" : ", then no answer") + ", by " + record::way_of(hop))},
         .severity = {}});
  }
  for (const record::BandwidthRecord& one : record.bandwidths)
    rows.push_back({.cells = {std::string("Bandwidth " + one.from + " - " + one.to),
                              std::string(text::bytes(one.bytes_per_s()) + "/s")},
                    .severity = {}});
}

void add_background(std::vector<TableRow>& rows, const record::RunRecord& record) {
  for (const record::BackgroundLoad& one : record.background_loads) {
    rows.push_back({.cells = {std::string("Background load " + one.from + " - " + one.to), record::load_text(one)},
                    .severity = {}});
    if (!one.trouble.empty()) rows.back().severity = record::Severity::warning;
  }
}

}  // namespace

namespace {

// Where receivers confirm what they get; a result that was read without its services does not tell.
void add_responses(std::vector<TableRow>& rows, const record::RunRecord& record) {
  const auto receivers = record::services_of(record, Role::receiver);
  if (!record.plan.queue.responses || receivers.empty()) return;
  live::ServiceFigures all;
  for (const live::ServiceFigures& receiver : receivers) {
    all.responses += receiver.responses;
    all.deliveries += receiver.deliveries;
  }
  const auto open = live::outstanding(all);
  rows.push_back(pair("Confirmed", std::string(text::count(all.responses))));
  rows.push_back(pair("Outstanding", open ? std::string(text::count(*open)) : std::string("not known")));
}

// "Server 1 (leader) killed at 5.00 s", "no delivery for 8.00 s, ..."
void add_outages(std::vector<TableRow>& rows, const record::RunRecord& record) {
  for (const record::Outage& one : record.outages)
    rows.push_back({.cells = {text::capital(record::outage_title(one)),
                              record::outage_text(one, record.totals.unanswered.has_value())},
                    .severity = {}});
}

}  // namespace

std::vector<TableRow> total_rows(const record::RunRecord& record) {
  const int64_t ran_ns = record.began_utc_ns ? record.ended_utc_ns - *record.began_utc_ns : 0;
  std::vector<TableRow> rows{
      pair("Duration", std::string(text::duration(static_cast<double>(std::max<int64_t>(ran_ns, 0)))))};
  for (const MetricPart part : {MetricPart::counts, MetricPart::rates})
    for (const Metric& metric : all_metrics())
      if (metric.part == part && metric.places.total != nullptr && concerns(metric, record.plan))
        rows.push_back(pair(metric.places.total, text_of(metric, record, "not known")));
  add_outages(rows, record);
  add_responses(rows, record);
  rows.push_back(pair("Requested rate", record.rate_reached ? std::string("reached") : std::string("not reached")));
  if (!record.plan.bus.traits().server.empty())
    rows.push_back(pair("Server", record.server.empty() ? "not known" : record.server));
  if (!record.plan.bus.traits().own_queue)
    rows.push_back(pair("Client library", record.bus_client.empty() ? "not known" : record.bus_client));
  const std::string kept = record::kept_in(record);
  rows.push_back(pair("Messages kept in", kept.empty() ? "not known" : kept));
  rows.push_back(clock_row(record));
  add_limits(rows, record);
  add_ways(rows, record);
  add_background(rows, record);
  return rows;
}

std::vector<TableColumn> latency_columns(const record::RunRecord& record) {
  std::vector<TableColumn> columns{
      {.header = std::string("Latency"),
       .help = "p99.9 is known from 2,995 values on: with fewer nothing bounds it from above with 95 % confidence."}};
  for (const LatencyColumn& latency : kLatencyColumns)
    if (latency.is_in(record))
      columns.push_back({.header = durations_of(record.latencies[latency.latency]).head(latency.header),
                         .number = true,
                         .help = latency.help});
  return columns;
}

std::vector<TableRow> latency_rows(const record::RunRecord& record) {
  std::vector<TableRow> rows;
  TableRow counts;
  measure::latency_fields(
      [&]<class Value>(const measure::LatencyField& field, const Value&) {
        TableRow& row = std::is_same_v<Value, uint64_t> ? counts : rows.emplace_back();
        row.cells = {std::string(field.label)};
      },
      measure::LatencySummary());
  for (const LatencyColumn& latency : kLatencyColumns) {
    if (!latency.is_in(record)) continue;
    const text::Column durations = durations_of(record.latencies[latency.latency]);
    for (size_t i = 0; i < rows.size(); i++) rows[i].cells.push_back(durations.cell(i));
    counts.cells.push_back(count_text(record.latencies[latency.latency].count));
  }
  rows.push_back(std::move(counts));
  return rows;
}

std::vector<TableColumn> setting_columns() {
  return {{.header = std::string("Setting")},
          {.header = std::string("Value"), .stretch = true},
          {.header = std::string("Default")}};
}

namespace {

constexpr std::string_view kFilters = "queue.filters";

// What was asked for from when on: the row of the filters has what held at first.
void add_requests(std::vector<TableRow>& rows, const record::RunRecord& record) {
  const auto said = [](const std::string& filters) { return filters.empty() ? std::string("everything") : filters; };
  std::string& first = rows.back().cells[1];
  first = "at first: " + (first == "-" ? said({}) : first);
  for (const record::RequestRecord& request : record.requests) {
    const std::string since = std::string(text::duration(static_cast<double>(request.since_begin_ns)));
    const std::string value = "from " + since + " on: " + said(request.filters);
    rows.push_back({.cells = {setting_name(kFilters), value, std::string("-")}, .severity = {}});
  }
}

struct SettingRows {
  std::vector<TableRow> changing{}, others{};
};

// A seed makes no run another one, nor does what is as it is by default.
SettingRows settings_of(const record::RunRecord& record) {
  SettingRows rows;
  const plan::RunPlan usual, plan = record::plan_as_run(record);
  for (const plan::PlanField& field : plan::plan_fields()) {
    if (field.key == "name") continue;
    const bus::Setting* of_bus = field.key.starts_with(kBusPrefix) && !record.bus_settings.empty()
                                     ? bus::find_setting(field.key.substr(kBusPrefix.size()))
                                     : nullptr;
    const bool asked_later = field.key == kFilters && !record.requests.empty();
    const bool changed = plan::text_of(field, plan) != plan::text_of(field, usual);
    if (!changed && (of_bus == nullptr || of_bus->of_bench) && !asked_later) continue;
    if (plan::is_idle(field, plan)) continue;
    const bool changes_the_run = (changed || asked_later) && !field.key.ends_with(".seed");
    std::vector<TableRow>& to = changes_the_run ? rows.changing : rows.others;
    to.push_back(
        {.cells = {setting_name(field.key), setting_value(field, plan), setting_value(field, usual)}, .severity = {}});
    if (asked_later) add_requests(to, record);
  }
  return rows;
}

}  // namespace

std::vector<TableRow> setting_rows(const record::RunRecord& record) {
  SettingRows rows = settings_of(record);
  std::ranges::move(rows.others, std::back_inserter(rows.changing));
  return std::move(rows.changing);
}

std::vector<TableRow> changing_setting_rows(const record::RunRecord& record) {
  return settings_of(record).changing;
}

std::vector<TableColumn> machine_columns() {
  return {{.header = std::string("Computer")},
          {.header = std::string("Property")},
          {.header = std::string("Value"), .stretch = true}};
}

namespace {

// Of one of the connections that the messages of a process travel over.
std::string socket_text(const record::ProcessRecord& process) {
  if (!record::knows_socket(process)) return "-";
  const auto size = [](const std::optional<uint64_t>& bytes) {
    return bytes ? text::bytes(static_cast<double>(*bytes)) : std::string("-");
  };
  const std::string nodelay = !process.nodelay ? "-" : *process.nodelay ? "on" : "off";
  return "TCP_NODELAY " + nodelay + ", send buffer " + size(process.send_buffer_bytes) + ", receive buffer " +
         size(process.receive_buffer_bytes) + ", congestion control " +
         (process.congestion.empty() ? "-" : process.congestion);
}

class MachineRows {
 public:
  explicit MachineRows(std::string computer) : computer_(std::move(computer)) {}

  void operator()(const char* name, const std::string& fact) { add(name, fact.empty() ? "not known" : fact); }
  void operator()(const char* name, uint32_t fact) { add(name, fact == 0 ? "not known" : std::to_string(fact)); }
  void operator()(const char*, uint64_t bytes) {
    add("memory", bytes == 0 ? "not known" : text::bytes(static_cast<double>(bytes)));
  }
  void operator()(const char*, const std::optional<double>& average) {
    add_part(load_, ", ", average ? fixed(*average, 2) : "not known");
    if (++averages_ == 3) add("load averages", load_);
  }
  void add(std::string name, std::string value) {
    std::ranges::replace(name, '_', ' ');
    rows.push_back({.cells = {computer_, std::move(name), std::move(value)}, .severity = {}});
  }

  std::vector<TableRow> rows{};

 private:
  std::string computer_;
  std::string load_{};
  int averages_ = 0;
};

// Those that are alike in one row.
void add_sockets(MachineRows& rows, const record::RunRecord& record, const std::string& place) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const record::ProcessRecord& process : record.processes) {
    if (process.place != place || process.role == Role::broker) continue;
    const std::string text = socket_text(process);
    const auto alike = std::ranges::find(all, text, &std::pair<std::string, std::string>::second);
    if (alike == all.end())
      all.emplace_back(process.name, text);
    else
      alike->first += ", " + process.name;
  }
  for (const auto& [names, text] : all) rows.add("connections of " + names, text);
}

// For the bench's own computer; where it took part in the run, what its processes have said of it already is left out.
std::vector<TableRow> bench_rows(const record::RunRecord& record) {
  const bool took_part = record::facts_of(record, record::kThisPlace) != nullptr;
  // Before results said whose facts these are, there were these alone.
  MachineRows rows(took_part ? record::kThisPlace : "the bench's");
  const auto machine = nlohmann::ordered_json::parse(record.machine_json, nullptr, false);
  if (!machine.is_object()) return {};
  for (const auto& [key, value] : machine.items()) {
    if (took_part && key != "bench" && key != "qt" && key != "compiler") continue;
    rows.add(key == "memory_bytes" ? "memory" : key, machine_text(key, value));
  }
  return std::move(rows.rows);
}

}  // namespace

std::vector<TableRow> machine_rows(const record::RunRecord& record) {
  std::vector<TableRow> all;
  const bool tells_sockets = std::ranges::any_of(record.processes, record::knows_socket);
  for (const record::MachineRecord& machine : record.machines) {
    MachineRows rows(machine.place + (machine.place == record::queue_place(record) ? " (the queue's)" : ""));
    machine_fields(rows, machine.facts);
    if (tells_sockets) add_sockets(rows, record, machine.place);
    all.insert(all.end(), rows.rows.begin(), rows.rows.end());
  }
  for (TableRow& row : bench_rows(record)) all.push_back(std::move(row));
  return all;
}

std::vector<TableColumn> process_columns(const record::RunRecord& record) {
  return {
      {.header = std::string("Process")},
      {.header = std::string("Host")},
      {.header = std::string("PID"), .number = true},
      {.header = std::string("End")},
      {.header = std::string("Exit code"), .number = true},
      {.header = process_figures(record, text::Unit::duration, &record::ProcessRecord::cpu_ns).head("CPU time"),
       .number = true},
      {.header = process_figures(record, text::Unit::bytes, &record::ProcessRecord::peak_rss_bytes).head("Peak memory"),
       .number = true},
      {.header = wire_figures(record).head("On the wire"), .number = true},
      {.header = clock_figures(record).head("Clock off by"), .number = true},
      {.header = std::string("Counts from")},
      {.header = std::string("Reason"), .stretch = true}};
}

std::vector<TableRow> process_rows(const record::RunRecord& record) {
  std::vector<TableRow> rows;
  const text::Column cpu = process_figures(record, text::Unit::duration, &record::ProcessRecord::cpu_ns);
  const text::Column memory = process_figures(record, text::Unit::bytes, &record::ProcessRecord::peak_rss_bytes);
  const text::Column wire = wire_figures(record);
  const text::Column clock = clock_figures(record);
  for (const record::ProcessRecord& process : record.processes) {
    rows.push_back(
        {.cells = {std::string(process.name), std::string(process.place),
                   process.pid == 0 ? std::string("-") : std::to_string(process.pid), std::string(process.end),
                   exit_text(process), cpu.cell(rows.size()), memory.cell(rows.size()), wire.cell(rows.size()),
                   clock_text(process, clock), figures_text(process), std::string(process.reason)},
         .severity = {}});
  }
  return rows;
}

std::vector<TableColumn> loss_columns() {
  return {
      {.header = std::string("Service")},
      {.header = std::string("Messages"), .number = true, .help = "That the sender sent, or the receiver received."},
      {.header = std::string("Not accepted"),
       .number = true,
       .help = "Messages of the sender that were refused, or for which no answer came."},
      {.header = std::string("Expired"),
       .number = true,
       .help = "Deliveries of the sender's messages that the queue left out as they had become too old."},
      {.header = std::string("Undeliverable"),
       .number = true,
       .help = "Deliveries of the sender's messages that the queue gave up."},
      {.header = std::string("Lost"), .number = true, .help = "Deliveries that were due to the receiver."},
      {.header = std::string("Doubled"),
       .number = true,
       .help = "Deliveries of messages that it, or with a load balancer another receiver of its process, had received "
               "before."}};
}

std::vector<TableRow> loss_rows(const record::RunRecord& record) {
  std::vector<TableRow> rows;
  for (const record::ServiceLosses& one : record::losses_by_service(record)) {
    TableRow row{.cells = {(one.role == Role::sender ? "sender " : "receiver ") + std::to_string(one.number),
                           one.messages ? count_text(*one.messages) : "-"},
                 .severity = {}};
    for (const auto& count : {one.not_accepted, one.expired, one.undeliverable, one.lost, one.doubled})
      row.cells.push_back(count ? count_text(*count) : "-");
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string no_losses_text(const record::RunRecord& record) {
  const record::RunTotals& totals = record.totals;
  if (!totals.lost) return "What was lost is not known: not every receiver was told that the run had ended.";
  if (*totals.lost + totals.refused.value_or(0) + totals.unanswered.value_or(0) + totals.duplicates > 0)
    return "It is not known which services these losses were of: see the totals.";
  return "No message was lost, refused or received twice.";
}

std::vector<TableColumn> warning_columns() {
  return {{.header = std::string("Since BEGIN [s]"), .number = true},
          {.header = std::string("Held [s]"), .number = true},
          {.header = std::string("Makes it doubtful")},
          {.header = std::string("Warning"), .stretch = true}};
}

std::vector<TableRow> warning_rows(const record::RunRecord& record) {
  std::vector<TableRow> rows;
  for (const record::RunWarning& one : record.warnings)
    rows.push_back(
        {.cells = {since_text(one.from_ns), since_text(one.held_ns), one.doubt ? "yes" : "no", with_names(one.text)},
         .severity = one.doubt ? record::Severity::warning : record::Severity::info});
  return rows;
}

std::vector<TableColumn> log_columns() {
  return {{.header = std::string("Time")},
          {.header = std::string("Since BEGIN [s]"), .number = true},
          {.header = std::string("Event"), .stretch = true}};
}

std::vector<TableRow> log_rows(const record::RunRecord& record, std::string (*time_text)(int64_t utc_ns)) {
  std::vector<TableRow> rows;
  for (const record::RunNote& note : record.notes)
    rows.push_back({.cells = {time_text(note.utc_ns), since_text(note.since_begin_ns), with_names(note.text)},
                    .severity = note.severity});
  return rows;
}

}  // namespace n2nq::figures
