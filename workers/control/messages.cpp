#include "workers/control/messages.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "workers/control/host_figures_reader.h"
#include "workers/control/json_fields.h"
#include "workers/control/telemetry_reader.h"

namespace n2nq::control {
namespace {

using nlohmann::json;

uint32_t small(Fields& fields, const char* name) {
  const uint64_t value = fields.whole(name);
  if (value > std::numeric_limits<uint32_t>::max()) fields.reject(name, "it is too large");
  return static_cast<uint32_t>(value);
}

Role role_of(Fields& fields) {
  const auto role = parse_role(fields.text("role"));
  if (!role) fields.reject("role", "broker, sender, receiver or recorder is expected");
  return role.value_or(Role::receiver);
}

// A worker's own words may be anything, and people read them.
struct MachineReader {
  Fields& fields;
  void operator()(const char* name, std::string& fact) {
    constexpr size_t kLongest = 200;
    fact = fields.maybe_text(name).value_or("");
    fact.resize(std::min(fact.size(), kLongest));
    for (char& letter : fact)
      if (static_cast<unsigned char>(letter) < ' ' || letter == 0x7F) letter = ' ';
  }
  void operator()(const char* name, uint32_t& fact) {
    if (fields.has(name)) fact = small(fields, name);
  }
  void operator()(const char* name, uint64_t& fact) { fact = fields.maybe_whole(name).value_or(0); }
  void operator()(const char* name, std::optional<double>& fact) { fact = fields.maybe_real(name); }
};

MachineFacts read_machine(Fields& outer) {
  Fields fields(outer.object("machine"), "ready machine");
  MachineFacts facts;
  MachineReader reader{fields};
  machine_fields(reader, facts);
  outer.adopt(fields);
  return facts;
}

Result<Message> parse_ready(Fields& fields) {
  Ready ready{.role = role_of(fields), .pid = fields.number("pid"), .version = fields.text("version")};
  if (fields.has("port")) {
    const uint64_t port = fields.whole("port");
    if (port > std::numeric_limits<uint16_t>::max()) fields.reject("port", "it is too large");
    ready.port = static_cast<uint16_t>(port);
  }
  if (fields.has("first_service")) ready.first_service = small(fields, "first_service");
  if (fields.has("services")) ready.services = small(fields, "services");
  ready.log_dir = fields.maybe_text("log_dir");
  ready.run_id = fields.maybe_text("run_id");
  if (fields.has("machine")) ready.machine = read_machine(fields);
  return fields.result<Message>(std::move(ready));
}

Result<Message> parse_joined(Fields& fields) {
  const Joined joined{.joined = small(fields, "joined"), .services = small(fields, "services")};
  return fields.result<Message>(joined);
}

PathFigures read_path(Fields& outer) {
  Fields fields(outer.object("path"), "looked path");
  PathFigures path{.reached = fields.truth("reached"), .trouble = fields.maybe_text("trouble").value_or("")};
  const auto hops = fields.source().find("hops");
  if (hops == fields.source().end() || !hops->is_array()) {
    fields.reject("hops", "an array is expected");
  } else {
    for (const json& each : *hops) {
      Fields hop(each, "looked path hop");
      if (!each.is_object()) fields.reject("hops", "objects are expected");
      path.hops.push_back(
          {.address = hop.maybe_text("address").value_or(""), .round_trip_ns = hop.maybe_number("round_trip_ns")});
      fields.adopt(hop);
    }
  }
  outer.adopt(fields);
  return path;
}

BandwidthFigures read_bandwidth(Fields& outer) {
  Fields fields(outer.object("bandwidth"), "looked bandwidth");
  BandwidthFigures bandwidth{.bytes = fields.whole("bytes"),
                             .duration_ns = fields.number("duration_ns"),
                             .trouble = fields.maybe_text("trouble").value_or("")};
  outer.adopt(fields);
  return bandwidth;
}

Result<Message> parse_looked(Fields& fields) {
  Looked looked;
  if (fields.has("path")) looked.path = read_path(fields);
  if (fields.has("bandwidth")) looked.bandwidth = read_bandwidth(fields);
  if (!is_plausible(looked)) fields.reject("path", "there are too many hops, no addresses, or no times");
  return fields.result<Message>(std::move(looked));
}

Result<Message> parse_begin(Fields& fields) {
  Begin begin{.run_id = fields.text("run_id"),
              .origin_monotonic_ns = fields.number("origin_monotonic_ns"),
              .origin_utc_ns = fields.number("origin_utc_ns"),
              .senders = small(fields, "senders"),
              .receivers = small(fields, "receivers")};
  return fields.result<Message>(std::move(begin));
}

Result<Message> parse_end(Fields& fields) {
  End end{.reason = fields.text("reason")};
  return fields.result<Message>(std::move(end));
}

Result<Message> parse_warning(Fields& fields) {
  Warning warning{.text = fields.text("text"), .service = {}};
  if (fields.has("service")) warning.service = small(fields, "service");
  return fields.result<Message>(std::move(warning));
}

Result<Message> parse_error(Fields& fields) {
  ErrorReply error{.text = fields.text("text")};
  return fields.result<Message>(std::move(error));
}

Result<Message> parse_pong(Fields& fields) {
  const Pong pong{.id = fields.whole("id"), .monotonic_ns = fields.number("monotonic_ns")};
  return fields.result<Message>(pong);
}

ServiceRow read_totals(Fields& outer, Role role) {
  Fields fields(outer.object("totals"), "telemetry totals");
  ServiceRow row;
  for (const auto& column : columns_of(role, true).subspan(2))
    if (!column.may_lack || fields.source().contains(column.name))
      row.*column.value = fields.maybe_number(std::string(column.name).c_str()).value_or(kNoFigure);
  outer.adopt(fields);
  return row;
}

NetworkFigures read_network(Fields& fields) {
  NetworkFigures network{
      .sent = fields.whole("sent"), .lost = fields.whole("lost"), .last_ns = fields.maybe_number("last_ns")};
  const auto method = parse_network_method(fields.text("method"));
  if (!method) fields.reject("method", "none, icmp or tcp_connect is expected");
  network.method = method.value_or(NetworkMethod::none);
  if (!is_plausible(network)) fields.reject("lost", "no more than sent, and last_ns up to an hour, are expected");
  return network;
}

// Not there in the lines of an older worker.
NetworkFigures read_telemetry_network(Fields& outer) {
  if (!outer.has("network")) return {};
  Fields fields(outer.object("network"), "telemetry network");
  const NetworkFigures network = read_network(fields);
  outer.adopt(fields);
  return network;
}

ClockFigures read_clock(Fields& outer) {
  Fields fields(outer.object("clock"), "clock");
  ClockFigures clock{.kind = fields.text("kind"),
                     .offset_ns = fields.maybe_number("offset_ns"),
                     .bound_ns = fields.maybe_whole("bound_ns"),
                     .own_bound_ns = fields.maybe_whole("own_bound_ns"),
                     .round_trip_ns = fields.maybe_whole("round_trip_ns"),
                     .drift_ns = fields.maybe_whole("drift_ns"),
                     .probes = fields.whole("probes"),
                     .intervals = {}};
  const auto intervals = fields.source().find("intervals");
  if (intervals != fields.source().end() && intervals->is_array())
    for (const json& each : *intervals) {
      Fields interval(each, "clock interval");
      clock.intervals.push_back({.from_ns = interval.number("from_ns"),
                                 .offset_ns = interval.number("offset_ns"),
                                 .bound_ns = interval.whole("bound_ns")});
      fields.adopt(interval);
    }
  outer.adopt(fields);
  return clock;
}

std::optional<WireFigures> read_wire(Fields& outer) {
  if (!outer.has("wire")) return std::nullopt;
  Fields fields(outer.object("wire"), "wire");
  const WireFigures wire{.sent_bytes = fields.whole("sent_bytes"),
                         .received_bytes = fields.whole("received_bytes"),
                         .connections = fields.whole("connections")};
  outer.adopt(fields);
  return wire;
}

ProcessFigures read_process(Fields& outer) {
  Fields tcp(outer.object("tcp"), "telemetry tcp");
  const ProcessFigures process{.tcp = {.connections = tcp.whole("connections"),
                                       .rtt_us = tcp.whole("rtt_us"),
                                       .rtt_us_max = tcp.whole("rtt_us_max"),
                                       .cwnd = tcp.whole("cwnd"),
                                       .retransmits = tcp.whole("retransmits")},
                               .network = read_telemetry_network(outer),
                               .cpu_ns = outer.whole("cpu_ns"),
                               .rss_bytes = outer.whole("rss_bytes"),
                               .log_lines_not_written = outer.whole("log_lines_not_written"),
                               .dropped_lines = outer.whole("dropped_lines"),
                               .wire = read_wire(outer),
                               .clock = outer.has("clock") ? std::optional(read_clock(outer)) : std::nullopt};
  outer.adopt(tcp);
  return process;
}

void read_column(Fields& outer, const json& values, const ServiceColumn& column, std::vector<ServiceRow>& rows) {
  for (size_t i = 0; i < rows.size(); i++) {
    const bool whole = values[i].is_number_integer();
    if (!whole && !values[i].is_null()) outer.reject("services", "a column holds something else than whole numbers");
    rows[i].*column.value = whole ? values[i].get<int64_t>() : kNoFigure;
  }
}

std::vector<ServiceRow> read_services(Fields& outer, Role role) {
  const json& columns = outer.object("services");
  std::vector<ServiceRow> rows;
  bool first = true;
  for (const auto& column : columns_of(role, true)) {
    const auto found = columns.find(column.name);
    if (found == columns.end() && column.may_lack) continue;
    if (found == columns.end() || !found->is_array() || (!first && found->size() != rows.size())) {
      outer.reject("services", "column \"" + std::string(column.name) + "\" is missing or not as long as the first");
      return {};
    }
    if (first) rows.resize(found->size());
    first = false;
    read_column(outer, *found, column, rows);
  }
  return rows;
}

bool is_bucket_index(const json& value) {
  if (value.is_number_unsigned()) return std::in_range<int32_t>(value.get<uint64_t>());
  return value.is_number_integer() && std::in_range<int32_t>(value.get<int64_t>());
}

std::vector<BucketCount> read_buckets(Fields& fields) {
  const auto found = fields.source().find("buckets");
  if (found == fields.source().end() || !found->is_array() || found->size() % 2 != 0) {
    fields.reject("buckets", "pairs of index and count are expected");
    return {};
  }
  std::vector<BucketCount> buckets;
  for (size_t i = 0; i < found->size(); i += 2) {
    const json& index = (*found)[i];
    const json& count = (*found)[i + 1];
    if (!is_bucket_index(index) || !count.is_number_unsigned()) {
      fields.reject("buckets", "pairs of index and count are expected");
      return {};
    }
    buckets.push_back({.index = index.get<int32_t>(), .count = count.get<uint64_t>()});
  }
  return buckets;
}

HistogramDelta read_histogram(Fields& outer, const std::string& name, const json& object) {
  Fields fields(object, "telemetry histogram " + name);
  HistogramDelta delta{.name = name,
                       .moments = {.count = fields.whole("count"),
                                   .min = fields.maybe_number("min").value_or(0),
                                   .max = fields.maybe_number("max").value_or(0),
                                   .sum = fields.real("sum"),
                                   .sum_squares = fields.real("sum_squares")},
                       .buckets = read_buckets(fields)};
  outer.adopt(fields);
  return delta;
}

Result<Message> parse_broker_telemetry(Fields& fields) {
  BrokerTelemetry telemetry{.monotonic_ns = fields.number("monotonic_ns"),
                            .phase = fields.text("phase"),
                            .accepted = fields.whole("accepted"),
                            .owed = fields.whole("owed"),
                            .delivered = fields.whole("delivered"),
                            .confirmed = fields.whole("confirmed"),
                            .expired = fields.whole("expired"),
                            .undeliverable = fields.whole("undeliverable"),
                            .in_doubt = fields.whole("in_doubt"),
                            .redelivered = fields.whole("redelivered"),
                            .requests = fields.whole("requests"),
                            .refused_connections = fields.whole("refused_connections"),
                            .senders = fields.whole("senders"),
                            .receivers = fields.whole("receivers"),
                            .kept_bytes = fields.whole("kept_bytes"),
                            .max_bytes = fields.whole("max_bytes"),
                            .cpu_ns = fields.whole("cpu_ns"),
                            .rss_bytes = fields.whole("rss_bytes")};
  return fields.result<Message>(std::move(telemetry));
}

Result<Message> parse_telemetry(Fields& fields) {
  if (role_of(fields) == Role::broker) return parse_broker_telemetry(fields);
  Telemetry telemetry{.role = role_of(fields),
                      .sequence = fields.whole("sequence"),
                      .time_ns = fields.number("time_ns"),
                      .interval_ns = fields.number("interval_ns"),
                      .merged = fields.whole("merged"),
                      .waiting = fields.whole("waiting"),
                      .messages_per_s = fields.real("messages_per_s"),
                      .bytes_per_s = fields.real("bytes_per_s")};
  telemetry.totals = read_totals(fields, telemetry.role);
  telemetry.process = read_process(fields);
  telemetry.services = read_services(fields, telemetry.role);
  if (fields.has("histograms"))
    for (const auto& [name, object] : fields.object("histograms").items())
      telemetry.histograms.push_back(read_histogram(fields, name, object));
  return fields.result<Message>(std::move(telemetry));
}

measure::LatencySummary read_latency(Fields& outer, const char* name) {
  Fields fields(outer.object(name), std::string("summary ") + name);
  measure::LatencySummary latency;
  measure::latency_fields(
      [&fields]<class Value>(const measure::LatencyField& field, Value& value) {
        if constexpr (std::is_same_v<Value, uint64_t>)
          value = fields.whole(field.word);
        else if constexpr (std::is_same_v<Value, std::optional<int64_t>>)
          value = fields.maybe_number(field.word);
        else
          value = fields.maybe_real(field.word);
      },
      latency);
  outer.adopt(fields);
  return latency;
}

// Not there in the summary of an older worker.
RoundTripFigures read_round_trips(Fields& outer) {
  if (!outer.has("round_trips")) return {};
  Fields fields(outer.object("round_trips"), "summary round_trips");
  const RoundTripFigures figures{.network = read_network(fields),
                                 .network_ns = read_latency(fields, "network_ns"),
                                 .tcp_ns = read_latency(fields, "tcp_ns"),
                                 .probe_ns = read_latency(fields, "probe_ns")};
  outer.adopt(fields);
  return figures;
}

std::optional<ServiceSummary> read_service(Fields& outer) {
  if (!outer.has("service")) return std::nullopt;
  Fields fields(outer.object("service"), "summary service");
  const ServiceSummary service{.served = fields.whole("served"),
                               .waiting_ns = read_latency(fields, "waiting_ns"),
                               .service_ns = read_latency(fields, "service_ns"),
                               .in_system_ns = read_latency(fields, "in_system_ns"),
                               .handover_ns = read_latency(fields, "handover_ns"),
                               .occupied_ns = read_latency(fields, "occupied_ns")};
  outer.adopt(fields);
  return service;
}

std::optional<TurnaroundSummary> read_turnaround(Fields& outer) {
  if (!outer.has("turnaround")) return std::nullopt;
  Fields fields(outer.object("turnaround"), "summary turnaround");
  const TurnaroundSummary turnaround{.replies = fields.whole("replies"),
                                     .timeouts = fields.whole("timeouts"),
                                     .late = fields.whole("late"),
                                     .doubles = fields.whole("doubles"),
                                     .corrupt = fields.whole("corrupt"),
                                     .turnaround_ns = read_latency(fields, "turnaround_ns"),
                                     .scheduled_turnaround_ns = read_latency(fields, "scheduled_turnaround_ns"),
                                     .warmup_turnaround_ns = read_latency(fields, "warmup_turnaround_ns"),
                                     .reply_latency_ns = read_latency(fields, "reply_latency_ns"),
                                     .closed_loop = small(fields, "closed_loop")};
  outer.adopt(fields);
  return turnaround;
}

Outcome read_outcome(Fields& fields) {
  return {.services = fields.has("services") ? small(fields, "services") : 0,
          .cpu_ns = fields.whole("cpu_ns"),
          .peak_rss_bytes = fields.whole("peak_rss_bytes"),
          .disk_written_bytes = fields.maybe_whole("disk_written_bytes"),
          .wire = read_wire(fields),
          .exit_code = static_cast<int>(fields.number("exit_code")),
          .verdict = fields.text("verdict"),
          .reason = fields.maybe_text("reason").value_or("")};
}

std::vector<LossFigures> read_losses(Fields& outer) {
  std::vector<LossFigures> losses;
  const auto list = outer.source().find("losses");
  if (list == outer.source().end() || !list->is_array()) return losses;
  for (const json& each : *list) {
    Fields fields(each, "summary losses");
    losses.push_back({.sender = small(fields, "sender"),
                      .expired = fields.whole("expired"),
                      .undeliverable = fields.whole("undeliverable")});
    outer.adopt(fields);
  }
  return losses;
}

Result<Message> parse_receiver_summary(Fields& fields) {
  ReceiverSummary summary{.outcome = read_outcome(fields),
                          .expected = fields.maybe_whole("expected"),
                          .received = fields.whole("received"),
                          .lost = fields.maybe_whole("lost"),
                          .duplicates = fields.whole("duplicates"),
                          .reordered = fields.whole("reordered"),
                          .corrupt = fields.whole("corrupt"),
                          .redelivered = fields.whole("redelivered"),
                          .requests = fields.whole("requests"),
                          .responses = fields.whole("responses"),
                          .latency_ns = read_latency(fields, "latency_ns"),
                          .scheduled_latency_ns = read_latency(fields, "scheduled_latency_ns"),
                          .warmup_latency_ns = read_latency(fields, "warmup_latency_ns"),
                          .clock = read_clock(fields),
                          .bytes = fields.whole("bytes"),
                          .expired = fields.whole("expired"),
                          .undeliverable = fields.whole("undeliverable"),
                          .log_stalls = fields.whole("log_stalls"),
                          .losses = read_losses(fields),
                          .service = read_service(fields),
                          .replies = fields.maybe_whole("replies"),
                          .round_trips = read_round_trips(fields)};
  return fields.result<Message>(std::move(summary));
}

Result<Message> parse_sender_summary(Fields& fields) {
  SenderSummary summary{.outcome = read_outcome(fields),
                        .sent = fields.whole("sent"),
                        .accepted = fields.whole("accepted"),
                        .bytes = fields.whole("bytes"),
                        .delay_ns = read_latency(fields, "delay_ns"),
                        .lateness_ns = read_latency(fields, "lateness_ns"),
                        .rate_reached = fields.truth("rate_reached"),
                        .log_stalls = fields.whole("log_stalls"),
                        .turnaround = read_turnaround(fields),
                        .clock = read_clock(fields),
                        .round_trips = read_round_trips(fields)};
  return fields.result<Message>(std::move(summary));
}

Result<Message> parse_broker_summary(Fields& fields) {
  BrokerSummary summary{.outcome = read_outcome(fields),
                        .accepted = fields.whole("accepted"),
                        .owed = fields.whole("owed"),
                        .delivered = fields.whole("delivered"),
                        .confirmed = fields.whole("confirmed"),
                        .expired = fields.whole("expired"),
                        .undeliverable = fields.whole("undeliverable"),
                        .in_doubt = fields.whole("in_doubt"),
                        .redelivered = fields.whole("redelivered"),
                        .requests = fields.whole("requests"),
                        .refused_connections = fields.whole("refused_connections"),
                        .senders_vanished = fields.whole("senders_vanished"),
                        .receivers_vanished = fields.whole("receivers_vanished")};
  return fields.result<Message>(std::move(summary));
}

Result<Message> parse_recorder_summary(Fields& fields) {
  RecorderSummary summary{.outcome = read_outcome(fields), .readings = fields.whole("readings")};
  return fields.result<Message>(std::move(summary));
}

Result<Message> parse_record(Fields& fields) {
  Recorded recorded = read_recorded(fields);
  return fields.result<Message>(std::move(recorded));
}

Result<Message> parse_summary(Fields& fields) {
  switch (role_of(fields)) {
    case Role::broker:
      return parse_broker_summary(fields);
    case Role::sender:
      return parse_sender_summary(fields);
    case Role::receiver:
      return parse_receiver_summary(fields);
    case Role::recorder:
      return parse_recorder_summary(fields);
  }
  return fail("summary: field \"role\"");
}

using Parser = Result<Message> (*)(Fields&);

constexpr std::pair<std::string_view, Parser> kParsers[] = {
    {"telemetry", parse_telemetry}, {"pong", parse_pong},       {"ready", parse_ready},  {"joined", parse_joined},
    {"looked", parse_looked},       {"begin", parse_begin},     {"end", parse_end},      {"warning", parse_warning},
    {"error", parse_error},         {"summary", parse_summary}, {"record", parse_record}};

}  // namespace

Result<Message> parse_message(std::string_view line) {
  if (auto telemetry = read_telemetry(line)) return Message(std::move(*telemetry));
  const auto object = parse_object(line);
  if (!object) return std::unexpected(object.error());
  const auto& type = object->at("type").get_ref<const std::string&>();
  Fields fields(*object, type);
  for (const auto& [name, parse] : kParsers)
    if (name == type) return parse(fields);
  return fail("field \"type\": \"" + type.substr(0, 64) + "\" is not a worker message");
}

}  // namespace n2nq::control
