#include "workers/control/summary.h"

#include "workers/control/json_fields.h"

namespace n2nq::control {
namespace {

template <class Value>
OrderedJson or_null(const std::optional<Value>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson or_null(uint64_t value) {
  return value;
}

OrderedJson to_json(const measure::LatencySummary& latency) {
  OrderedJson object = OrderedJson::object();
  measure::latency_fields(
      [&object](const measure::LatencyField& field, const auto& value) { object[field.word] = or_null(value); },
      latency);
  return object;
}

OrderedJson to_json(const ServiceSummary& service) {
  return {{"served", service.served},
          {"waiting_ns", to_json(service.waiting_ns)},
          {"service_ns", to_json(service.service_ns)},
          {"in_system_ns", to_json(service.in_system_ns)},
          {"handover_ns", to_json(service.handover_ns)},
          {"occupied_ns", to_json(service.occupied_ns)}};
}

OrderedJson to_json(const TurnaroundSummary& turnaround) {
  return {{"replies", turnaround.replies},
          {"timeouts", turnaround.timeouts},
          {"late", turnaround.late},
          {"doubles", turnaround.doubles},
          {"corrupt", turnaround.corrupt},
          {"turnaround_ns", to_json(turnaround.turnaround_ns)},
          {"scheduled_turnaround_ns", to_json(turnaround.scheduled_turnaround_ns)},
          {"warmup_turnaround_ns", to_json(turnaround.warmup_turnaround_ns)},
          {"reply_latency_ns", to_json(turnaround.reply_latency_ns)},
          {"closed_loop", turnaround.closed_loop}};
}

OrderedJson to_json(const ClockFigures& clock) {
  OrderedJson object{{"kind", clock.kind},
                     {"offset_ns", or_null(clock.offset_ns)},
                     {"bound_ns", or_null(clock.bound_ns)},
                     {"own_bound_ns", or_null(clock.own_bound_ns)},
                     {"round_trip_ns", or_null(clock.round_trip_ns)},
                     {"drift_ns", or_null(clock.drift_ns)},
                     {"probes", clock.probes},
                     {"intervals", OrderedJson::array()}};
  for (const auto& interval : clock.intervals)
    object["intervals"].push_back(
        {{"from_ns", interval.from_ns}, {"offset_ns", interval.offset_ns}, {"bound_ns", interval.bound_ns}});
  return object;
}

OrderedJson to_json(const RoundTripFigures& figures) {
  return {{"method", to_text(figures.network.method)},
          {"sent", figures.network.sent},
          {"lost", figures.network.lost},
          {"last_ns", or_null(figures.network.last_ns)},
          {"network_ns", to_json(figures.network_ns)},
          {"tcp_ns", to_json(figures.tcp_ns)},
          {"probe_ns", to_json(figures.probe_ns)}};
}

OrderedJson begin_summary(const char* role, const Outcome& outcome) {
  return {{"type", "summary"},
          {"role", role},
          {"services", outcome.services},
          {"exit_code", outcome.exit_code},
          {"verdict", outcome.verdict},
          {"reason", outcome.reason}};
}

void end_summary(OrderedJson& object, const Outcome& outcome) {
  object["cpu_ns"] = outcome.cpu_ns;
  object["peak_rss_bytes"] = outcome.peak_rss_bytes;
  if (outcome.disk_written_bytes) object["disk_written_bytes"] = *outcome.disk_written_bytes;
  if (outcome.wire)
    object["wire"] = {{"sent_bytes", outcome.wire->sent_bytes},
                      {"received_bytes", outcome.wire->received_bytes},
                      {"connections", outcome.wire->connections}};
}

}  // namespace

std::string to_line(const ReceiverSummary& summary) {
  OrderedJson object = begin_summary("receiver", summary.outcome);
  object["expected"] = or_null(summary.expected);
  object["received"] = summary.received;
  object["lost"] = or_null(summary.lost);
  object["duplicates"] = summary.duplicates;
  object["reordered"] = summary.reordered;
  object["corrupt"] = summary.corrupt;
  object["redelivered"] = summary.redelivered;
  object["requests"] = summary.requests;
  object["responses"] = summary.responses;
  object["latency_ns"] = to_json(summary.latency_ns);
  object["scheduled_latency_ns"] = to_json(summary.scheduled_latency_ns);
  object["warmup_latency_ns"] = to_json(summary.warmup_latency_ns);
  object["clock"] = to_json(summary.clock);
  object["bytes"] = summary.bytes;
  object["expired"] = summary.expired;
  object["undeliverable"] = summary.undeliverable;
  object["log_stalls"] = summary.log_stalls;
  object["losses"] = OrderedJson::array();
  for (const LossFigures& loss : summary.losses)
    object["losses"].push_back(
        {{"sender", loss.sender}, {"expired", loss.expired}, {"undeliverable", loss.undeliverable}});
  if (summary.service) object["service"] = to_json(*summary.service);
  if (summary.replies) object["replies"] = *summary.replies;
  object["round_trips"] = to_json(summary.round_trips);
  end_summary(object, summary.outcome);
  return to_line(object);
}

std::string to_line(const SenderSummary& summary) {
  OrderedJson object = begin_summary("sender", summary.outcome);
  object["sent"] = summary.sent;
  object["accepted"] = summary.accepted;
  object["bytes"] = summary.bytes;
  object["delay_ns"] = to_json(summary.delay_ns);
  object["lateness_ns"] = to_json(summary.lateness_ns);
  object["rate_reached"] = summary.rate_reached;
  object["log_stalls"] = summary.log_stalls;
  if (summary.turnaround) object["turnaround"] = to_json(*summary.turnaround);
  object["clock"] = to_json(summary.clock);
  object["round_trips"] = to_json(summary.round_trips);
  end_summary(object, summary.outcome);
  return to_line(object);
}

}  // namespace n2nq::control
