// The columns of everything that a result consists of: one list each, behind the tables of the store, its
// INSERT and SELECT, and the rows of a journal. `visit(name, member)` is called for each column in order.
#pragma once

#include <array>
#include <concepts>
#include <type_traits>

#include "app/live/live_figures.h"
#include "app/live/service_figures.h"
#include "app/live/time_series.h"
#include "app/record/run_record.h"
#include "broker/base/machine_facts.h"

namespace n2nq::record {

// How much room a list takes at the most: journals end with the small ones first, so that a full disk keeps them.
enum class Bulk { small, medium, large };
// The lists of a run: each has a table of this name in the store, and a field in JSON.
struct NamedList {
  const char* name;
  Bulk bulk;
  bool in_summary = false;        // it stays where a result is read without what has many rows
  bool always = true;             // false: only in runs with a service time
  const char* in_journal = name;  // what journals call it
};
// `visit(list, member)` for each of them.
template <class Visit>
void lists(Visit&& visit) {
  visit(NamedList{"processes", Bulk::small, true}, &RunRecord::processes);
  visit(NamedList{"machines", Bulk::small, true}, &RunRecord::machines);
  visit(NamedList{"requests", Bulk::medium}, &RunRecord::requests);
  visit(NamedList{"services", Bulk::large}, &RunRecord::services);
  visit(NamedList{"layers", Bulk::small, true}, &RunRecord::layers);
  visit(NamedList{"paths", Bulk::small}, &RunRecord::paths);
  visit(NamedList{"bandwidths", Bulk::small}, &RunRecord::bandwidths);
  visit(NamedList{"background_loads", Bulk::small, true}, &RunRecord::background_loads);
  visit(NamedList{"losses", Bulk::small}, &RunRecord::losses);
  visit(NamedList{"passed_limits", Bulk::small, true}, &RunRecord::passed_limits);
  visit(NamedList{"catch_ups", Bulk::small, true}, &RunRecord::catch_ups);
  visit(NamedList{"outages", Bulk::small, true}, &RunRecord::outages);
  visit(NamedList{"warnings", Bulk::small, true}, &RunRecord::warnings);
  visit(NamedList{.name = "run_log", .bulk = Bulk::medium, .in_journal = "notes"}, &RunRecord::notes);
  visit(NamedList{"series", Bulk::large}, &RunRecord::series);
  visit(NamedList{"waiting", Bulk::large, true, false}, &RunRecord::waiting_batches);
}

// T or const T, so that one list serves reading and writing.
template <class Any, class T>
concept Either = std::same_as<std::remove_const_t<Any>, T>;

template <class Visit, Either<live::ServiceFigures> Row>
void columns(Visit& visit, Row& row) {
  visit("role", row.role);
  visit("number", row.number);
  visit("worker", row.worker);
  visit("state", row.state);
  for (const control::Counter& counter : control::kCounters) visit(counter.name, row.*counter.member);
  visit("rate_per_s", row.rate_per_s);
  visit("delay_ns", row.delay_ns);
  visit("lateness_ns", row.lateness_ns);
  visit("latency_ns", row.latency_ns);
  visit("scheduled_latency_ns", row.scheduled_latency_ns);
  visit("latency_p50_ns", row.latency_p50_ns);
  visit("latency_p99_ns", row.latency_p99_ns);
  visit("turnaround_ns", row.turnaround_ns);
}

template <class Visit, Either<live::SeriesPoint> Row>
void columns(Visit& visit, Row& row) {
  visit("start_ns", row.start_ns);
  visit("width_ns", row.width_ns);
  visit("sent", row.sent);
  visit("received", row.received);
  visit("p50_ns", row.p50_ns);
  visit("p95_ns", row.p95_ns);
  visit("p99_ns", row.p99_ns);
  visit("max_ns", row.max_ns);
  visit("scheduled_p50_ns", row.scheduled_p50_ns);
  visit("scheduled_p99_ns", row.scheduled_p99_ns);
  visit("lost", row.lost);
  visit("replies", row.replies);
  visit("timeouts", row.timeouts);
  visit("turnaround_p50_ns", row.turnaround_p50_ns);
  visit("turnaround_p95_ns", row.turnaround_p95_ns);
  visit("turnaround_p99_ns", row.turnaround_p99_ns);
  visit("turnaround_max_ns", row.turnaround_max_ns);
  visit("scheduled_turnaround_p50_ns", row.scheduled_turnaround_p50_ns);
  visit("scheduled_turnaround_p99_ns", row.scheduled_turnaround_p99_ns);
  visit("reply_p50_ns", row.reply_p50_ns);
  visit("reply_p99_ns", row.reply_p99_ns);
  visit("accepted_messages", row.accepted);
  later_fact(visit, "delay_p50_ns", row.delay_p50_ns);
  later_fact(visit, "delay_p99_ns", row.delay_p99_ns);
  later_fact(visit, "lateness_p50_ns", row.lateness_p50_ns);
  later_fact(visit, "lateness_p99_ns", row.lateness_p99_ns);
}

template <class Visit, Either<live::WaitingBatch> Row>
void columns(Visit& visit, Row& row) {
  visit("start_ns", row.start_ns);
  visit("width_ns", row.width_ns);
  visit("count", row.count);
  visit("sum_ns", row.sum_ns);
}

template <class Visit, Either<ProcessRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("name", row.name);
  visit("role", row.role);
  visit("place", row.place);
  visit("first_service", row.first_service);
  visit("services", row.services);
  visit("pid", row.pid);
  visit("end_text", row.end);
  visit("exit_code", row.exit_code);
  visit("reason", row.reason);
  visit("cpu_ns", row.cpu_ns);
  visit("peak_rss_bytes", row.peak_rss_bytes);
  visit("log_dir", row.log_dir);
  visit("clock_kind", row.clock_kind);
  visit("clock_offset_ns", row.clock_offset_ns);
  visit("clock_bound_ns", row.clock_bound_ns);
  visit("clock_round_trip_ns", row.clock_round_trip_ns);
  visit("clock_drift_ns", row.clock_drift_ns);
  visit("figures_from", row.figures_from);
  visit("wire_sent_bytes", row.wire_sent_bytes);
  visit("wire_received_bytes", row.wire_received_bytes);
  visit("connections", row.connections);
  visit("nodelay", row.nodelay);
  visit("send_buffer_bytes", row.send_buffer_bytes);
  visit("receive_buffer_bytes", row.receive_buffer_bytes);
  visit("congestion", row.congestion);
  visit("was_started", row.was_started);
}

template <class Visit, Either<MachineRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("place", row.place);
  machine_fields(visit, row.facts);
}

template <class Visit, Either<LossRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("sender", row.sender);
  visit("expired", row.expired);
  visit("undeliverable", row.undeliverable);
}

template <class Visit, Either<RunNote> Row>
void columns(Visit& visit, Row& row) {
  visit("utc_ns", row.utc_ns);
  visit("since_begin_ns", row.since_begin_ns);
  visit("severity", row.severity);
  visit("text", row.text);
  visit("kind", row.kind);
  visit("of_whom", row.subject);
  visit("was_killed", row.was_killed);
  visit("paused_senders", row.paused);
  visit("of_senders", row.senders);
}

template <class Visit, Either<RunWarning> Row>
void columns(Visit& visit, Row& row) {
  visit("id", row.id);
  visit("text", row.text);
  visit("from_ns", row.from_ns);
  visit("held_ns", row.held_ns);
  visit("doubt", row.doubt);
}

template <class Visit, Either<RequestRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("since_begin_ns", row.since_begin_ns);
  visit("filters", row.filters);
}

template <class Visit, Either<PassedLimit> Row>
void columns(Visit& visit, Row& row) {
  visit("metric", row.metric);
  visit("at_most", row.at_most);
  visit("limit_value", row.limit);
  visit("value", row.value);
  visit("since_begin_ns", row.since_begin_ns);
  visit("stopped", row.stopped);
  visit("fails", row.fails);
}

template <class Visit, Either<CatchUp> Row>
void columns(Visit& visit, Row& row) {
  visit("paused_ns", row.paused_ns);
  visit("resumed_ns", row.resumed_ns);
  visit("backlog_before", row.before);
  visit("backlog_most", row.most);
  visit("took_ns", row.took_ns);
}

template <class Visit, Either<Outage> Row>
void columns(Visit& visit, Row& row) {
  visit("at_ns", row.at_ns);
  visit("subject", row.server);
  visit("killed", row.killed);
  visit("gap_ns", row.gap_ns);
  visit("answer_gap_ns", row.answer_gap_ns);
  visit("flows_after_ns", row.flows_after_ns);
  visit("within_ns", row.within_ns);
}

template <class Visit, Either<measure::LatencySummary> Row>
void columns(Visit& visit, Row& row) {
  measure::latency_fields([&visit](const measure::LatencyField& field, auto& value) { visit(field.column, value); },
                          row);
}

template <class Visit, Either<HopRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("from_host", row.from);
  visit("to_host", row.to);
  visit("hop", row.hop);
  visit("address", row.address);
  visit("round_trip_ns", row.round_trip_ns);
  visit("reached", row.reached);
  later_fact(visit, "port", row.port);
  later_fact(visit, "source_port", row.source_port);
}

template <class Visit, Either<BandwidthRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("from_host", row.from);
  visit("to_host", row.to);
  visit("bytes", row.bytes);
  visit("duration_ns", row.duration_ns);
}

template <class Visit, Either<BackgroundLoad> Row>
void columns(Visit& visit, Row& row) {
  visit("from_host", row.from);
  visit("to_host", row.to);
  visit("asked_ns", row.asked_ns);
  visit("at_ns", row.at_ns);
  visit("duration_ns", row.duration_ns);
  visit("bytes", row.bytes);
  visit("cut_short", row.cut_short);
  visit("trouble", row.trouble);
}

template <class Visit, Either<LayerRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("from_host", row.from);
  visit("to_host", row.to);
  visit("layer", row.layer);
  visit("method", row.method);
  visit("sent", row.sent);
  visit("lost", row.lost);
  columns(visit, row.figures);
}

template <class Visit, Either<control::HistogramMoments> Row>
void columns(Visit& visit, Row& row) {
  visit("count", row.count);
  visit("min_ns", row.min);
  visit("max_ns", row.max);
  visit("sum_ns", row.sum);
  visit("sum_squares", row.sum_squares);
}

template <class Visit, Either<RunTotals> Row>
void columns(Visit& visit, Row& row) {
  visit("planned", row.planned);
  visit("sent", row.sent);
  visit("accepted", row.accepted);
  visit("bytes_sent", row.bytes_sent);
  visit("expected", row.expected);
  visit("received", row.received);
  visit("lost", row.lost);
  visit("expired", row.expired);
  visit("undeliverable", row.undeliverable);
  visit("duplicates", row.duplicates);
  visit("reordered", row.reordered);
  visit("corrupt", row.corrupt);
  visit("redelivered", row.redelivered);
}

template <class Visit, Either<CampaignPlace> Row>
void columns(Visit& visit, Row& row) {
  visit("campaign_id", row.campaign);
  visit("campaign_point", row.point);
  visit("campaign_repeat", row.repeat);
  visit("campaign_attempt", row.attempt);
}

// The run itself, with its totals but without its plan.
template <class Visit, Either<RunRecord> Row>
void columns(Visit& visit, Row& row) {
  visit("run_id", row.run_id);
  visit("started_utc_ns", row.started_utc_ns);
  visit("began_utc_ns", row.began_utc_ns);
  visit("ended_utc_ns", row.ended_utc_ns);
  visit("verdict", row.verdict);
  visit("reason", row.reason);
  columns(visit, row.totals);
  visit("clock_kind", row.clock_kind);
  visit("clock_bound_ns", row.clock_bound_ns);
  visit("rate_reached", row.rate_reached);
  visit("folder", row.folder);
  visit("master_file", row.master_file);
  visit("replies", row.totals.replies);
  visit("timeouts", row.totals.timeouts);
  visit("late_replies", row.totals.late_replies);
  visit("double_replies", row.totals.double_replies);
  visit("closed_loop", row.closed_loop);
  visit("wire_bytes", row.totals.wire_bytes);
  visit("connections", row.totals.connections);
  visit("machine", row.machine_json);
  visit("trust", row.trust);
  visit("server", row.server);
  visit("bus_settings", row.bus_settings);
  visit("bus_client", row.bus_client);
  visit("refused", row.totals.refused);
  visit("unanswered", row.totals.unanswered);
  visit("refused_received", row.totals.refused_received);
  visit("unanswered_received", row.totals.unanswered_received);
  visit("unsent", row.totals.unsent);
}

}  // namespace n2nq::record
