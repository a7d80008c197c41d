#include "app/report/run_report.h"

#include <algorithm>
#include <map>

#include "app/campaign/point_notes.h"
#include "app/figures/figures.h"
#include "app/figures/host_tables.h"
#include "app/figures/limit_text.h"
#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"
#include "app/record/run_command.h"
#include "app/record/shown_latency.h"
#include "app/record/tags.h"
#include "app/record/words.h"
#include "app/report/front_page.h"
#include "app/text/quantity.h"

namespace n2nq::report {
namespace {

using figures::TableColumn;
using figures::TableRow;
using record::RunRecord;
using record::Severity;
using record::Verdict;

constexpr size_t kMostLines = 300;  // of a run's log

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

Severity severity_of(Verdict verdict) {
  if (verdict == Verdict::passed) return Severity::info;
  return verdict == Verdict::lost_allowed || verdict == Verdict::stopped ? Severity::warning : Severity::error;
}

std::string subtitle_of(const RunRecord& record) {
  const plan::RunPlan& plan = record.plan;
  const bus::BusTraits& bus = plan.bus.traits();
  std::string over = bus.own_queue ? "" : " over " + std::string(bus.title);
  const std::string kept = record::kept_in(record);
  if (!bus.server.empty() && !kept.empty())
    over += " (messages kept in " + kept + (kept == bus.kept ? ")" : "; a loss of power was not tried)");
  return plan::to_text(plan.queue.mode) + over + ", " + text::amount(plan.senders.fleet.count, "sender") + ", " +
         text::amount(plan.receivers.fleet.count, "receiver") + "; started " + utc_text(record.started_utc_ns);
}

void add_verdict(Report& report, const RunRecord& record) {
  report.say("Verdict: " + to_text(record.verdict) + (record.reason.empty() ? "" : ": " + record.reason),
             severity_of(record.verdict));
  add_exceeded(report, record);
  add_trust(report, record);
}

// All of them, whether or not they make the run doubtful.
void add_warnings(Report& report, const RunRecord& record) {
  std::vector<TableRow> rows = figures::warning_rows(record);
  if (rows.empty()) return;
  report.heading("Warnings", 3);
  report.table(figures::warning_columns(), std::move(rows));
}

// A hop a row.
void add_ways(Report& report, const RunRecord& record) {
  if (!record.paths.empty()) {
    report.heading("Network path before the run", 3);
    std::vector<TableRow> rows;
    for (const record::HopRecord& hop : record.paths)
      rows.push_back(
          {.cells = {hop.from, hop.to, std::to_string(hop.hop), hop.address.empty() ? "no answer" : hop.address, "",
                     hop.reached ? "yes" : "no", record::way_of(hop)},
           .severity = {}});
    text::Column round_trip(text::Unit::duration);
    for (const record::HopRecord& hop : record.paths) round_trip.add(text::real(hop.round_trip_ns));
    std::vector<TableColumn> columns{{.header = "From"},
                                     {.header = "To"},
                                     {.header = "Hop", .number = true},
                                     {.header = "Address", .stretch = true},
                                     {.header = "Round trip", .number = true},
                                     {.header = "Reached"},
                                     {.header = "By"}};
    figures::put_figures(columns, rows, 4, round_trip);
    report.table(std::move(columns), std::move(rows));
  }
  if (record.bandwidths.empty()) return;
  report.heading("Bandwidth before the run", 3);
  std::vector<TableRow> rows;
  text::Column sent(text::Unit::bytes), took(text::Unit::duration), bandwidth(text::Unit::bytes_per_s);
  for (const record::BandwidthRecord& one : record.bandwidths) {
    rows.push_back({.cells = {one.from, one.to, "", "", ""}, .severity = {}});
    sent.add(static_cast<double>(one.bytes));
    took.add(static_cast<double>(one.duration_ns));
    bandwidth.add(one.bytes_per_s());
  }
  std::vector<TableColumn> columns{{.header = "From"},
                                   {.header = "To", .stretch = true},
                                   {.header = "Sent", .number = true},
                                   {.header = "In", .number = true},
                                   {.header = "Bandwidth", .number = true}};
  for (size_t at = 2; const text::Column* figures : {&sent, &took, &bandwidth})
    figures::put_figures(columns, rows, at++, *figures);
  report.table(std::move(columns), std::move(rows));
}

void add_background(Report& report, const RunRecord& record) {
  if (record.background_loads.empty()) return;
  report.heading("Background load", 3);
  std::vector<TableRow> rows;
  text::Column since(text::Unit::duration), took(text::Unit::duration), arrived(text::Unit::bytes),
      rate(text::Unit::bytes_per_s);
  for (const record::BackgroundLoad& one : record.background_loads) {
    rows.push_back({.cells = {one.from, one.to, "", "", "", "", one.trouble}, .severity = {}});
    if (!one.trouble.empty()) rows.back().severity = record::Severity::warning;
    since.add(text::real(one.at_ns));
    took.add(text::real(one.duration_ns));
    arrived.add(text::real(one.bytes));
    rate.add(one.bytes ? std::optional(one.bytes_per_s()) : std::nullopt);
  }
  std::vector<TableColumn> columns{{.header = "From"},
                                   {.header = "To"},
                                   {.header = "Since BEGIN", .number = true},
                                   {.header = "In", .number = true},
                                   {.header = "Arrived", .number = true},
                                   {.header = "Rate", .number = true},
                                   {.header = "Problem", .stretch = true}};
  for (size_t at = 2; const text::Column* figures : {&since, &took, &arrived, &rate})
    figures::put_figures(columns, rows, at++, *figures);
  report.table(std::move(columns), std::move(rows));
}

void add_requests(Report& report, const RunRecord& record) {
  if (record.requests.empty()) return;
  report.heading("Requests made in the run", 3);
  std::vector<TableRow> rows;
  text::Column since(text::Unit::duration);
  for (const record::RequestRecord& one : record.requests) {
    rows.push_back({.cells = {"", one.filters.empty() ? "everything" : one.filters}, .severity = {}});
    since.add(static_cast<double>(one.since_begin_ns));
  }
  std::vector<TableColumn> columns{{.header = "Since BEGIN", .number = true},
                                   {.header = "Requested from then on", .stretch = true}};
  figures::put_figures(columns, rows, 0, since);
  report.table(std::move(columns), std::move(rows));
}

// Nothing waits where nothing is served: that such a figure is empty tells nothing. Of hosts one says why it is empty.
bool is_asked_for(const figures::Figure& figure, const RunRecord& record) {
  const auto lane = figures::host_lane(figure);
  if (lane && (*lane != figures::HostLane::processor || !record.plan.recorder.on)) return !figure.empty();
  const bool of_service = figure.id == "waiting" || figure.id == "queue-length";
  return !of_service || !figure.empty() || record.plan.receivers.service_time.exists();
}

void add_losses(Report& report, const RunRecord& record) {
  auto rows = figures::loss_rows(record);
  if (rows.empty()) return;
  report.heading("Losses by service", 3);
  report.table(figures::loss_columns(), std::move(rows));
}

void add_log(Report& report, const RunRecord& record) {
  report.heading("Run log");
  std::vector<TableRow> rows = figures::log_rows(record, utc_text);
  const size_t more = rows.size() > kMostLines ? rows.size() - kMostLines : 0;
  rows.resize(rows.size() - more);
  if (rows.empty()) return report.say("The run log is empty.");
  report.table(figures::log_columns(), std::move(rows));
  if (more > 0) report.say(text::amount(more, "more line") + " are in the result.");
}

void add_repeat(Report& report, const RunRecord& record) {
  report.heading("How to repeat it");
  report.say("On the computer that has this result, as number " + std::to_string(record.id) + ":");
  report.code("n2nq-bench run --result " + std::to_string(record.id));
  report.say("Anywhere else, in a shell (this is the complete plan, with its seeds):");
  report.code(record::run_command(record.plan));
  if (!record.requests.empty())
    report.say("Requests made during the run are not part of its plan: make them again at the same times.",
               Severity::warning);
}

}  // namespace

std::string name_of(const RunRecord& record) {
  return "#" + std::to_string(record.id) + " " + record.plan.name;
}

std::vector<std::string> exclusions(const RunRecord& record) {
  std::vector<std::string> out;
  if (record.plan.warmup_ns > 0)
    out.push_back("Warm-up: messages due within " + text::duration(static_cast<double>(record.plan.warmup_ns)) +
                  " after the start are reported separately (" +
                  count_text(record.latencies[Latency::warmup_latency].count) +
                  " latencies) and are in no other figure.");
  else
    out.push_back("Warm-up: none; no message is left out.");
  for (const record::Measured& some : {record::measured_deliveries(record), record::measured_replies(record)})
    if (!some.complete()) out.push_back("Not measured: " + record::missing_text(some) + ".");
  out.push_back(
      "Trimming: only the trimmed mean leaves out the slowest 5 % of the latencies; percentiles, maximum and mean "
      "include all.");
  if (record::shown_latency(record).count > 0 && !record::shown_latency(record).p999)
    out.push_back("p99.9: not known; with fewer than 2,995 values nothing bounds it from above with 95 % confidence.");
  const record::RunTotals& totals = record.totals;
  if (plan::closed_loop(record.plan) > 0)
    out.push_back("Closed loop: " + text::count(plan::closed_loop(record.plan)) +
                  " requests outstanding at a time; a slow replier is asked less often, which hides waiting.");
  if (totals.timeouts)
    out.push_back("Timeouts: " + (*totals.timeouts == 0 ? std::string("none") : count_text(*totals.timeouts)) + " of " +
                  count_text(totals.sent) + " requests" +
                  (*totals.timeouts == 0 ? "." : " got no reply in time; they have no turnaround."));
  if (!totals.lost)
    out.push_back("Losses: unknown, as the queue could not tell every receiver how much was due.");
  else if (*totals.lost == 0)
    out.push_back("Losses: none; " + count_text(totals.received) + " of " + count_text(totals.expected.value_or(0)) +
                  " deliveries due were made.");
  else
    out.push_back("Losses: " + count_text(*totals.lost) + " of " + count_text(totals.expected.value_or(0)) +
                  " deliveries due were not made" +
                  (record.plan.bus.traits().own_queue ? " (" + count_text(totals.expired) + " expired by retention, " +
                                                            count_text(totals.undeliverable) + " undeliverable)"
                                                      : std::string()) +
                  "; they have no latency.");
  if (totals.refused.value_or(0) + totals.unanswered.value_or(0) > 0)
    out.push_back("Answers: of " + text::amount(totals.sent, "message") + " sent the bus accepted " +
                  count_text(totals.accepted) + ", refused " + count_text(*totals.refused) +
                  " and gave no answer for " + count_text(totals.unanswered.value_or(0)) +
                  ". Only accepted messages that do not arrive are lost; of the others " +
                  (totals.unsent
                       ? text::amount(totals.refused_received.value_or(0) + totals.unanswered_received.value_or(0),
                                      "delivery", "deliveries")
                       : std::string("it is not known how many")) +
                  " arrived.");
  if (totals.unsent.value_or(0) > 0)
    out.push_back("Strangers: " + text::amount(*totals.unsent, "delivery", "deliveries") +
                  " of messages that no sender of the run sent; they are in the figures.");
  if (totals.duplicates > 0) out.push_back("Duplicates: " + count_text(totals.duplicates) + ", counted once.");
  if (totals.corrupt > 0)
    out.push_back("Corrupt: " + text::amount(totals.corrupt, "message") + " did not match the checksum.");
  if (!record.rate_reached)
    out.push_back(
        "Rate: the senders did not reach the planned rate; see the latencies from the intended send, and their "
        "lateness.");
  if (record.clock_kind == "unknown")
    out.push_back("Clocks: the offset is unknown; latencies between computers cannot be trusted.");
  else if (record.clock_bound_ns)
    out.push_back("Clocks: latencies are accurate within ± " +
                  text::duration(static_cast<double>(*record.clock_bound_ns)) +
                  "; do not compare anything below that.");
  else
    out.push_back("Clocks: one clock; no clock error in latencies.");
  return out;
}

void add_plan(Report& report, const plan::RunPlan& plan) {
  const plan::RunPlan usual;
  std::vector<TableRow> rows;
  for (const plan::PlanField& field : plan::plan_fields()) {
    const std::string value = plan::text_of(field, plan);
    const std::string before = plan::text_of(field, usual);
    rows.push_back({.cells = {std::string(field.key), or_dash(plan::told(value)),
                              value == before ? "default" : or_dash(plan::told(before))},
                    .severity = {}});
  }
  report.table({{.header = "Setting"}, {.header = "Value", .stretch = true}, {.header = "Default"}}, std::move(rows));
}

void add_clocks(Report& report, const RunRecord& record) {
  std::vector<TableRow> rows;
  text::Column offset(text::Unit::duration), bound(text::Unit::duration), round_trip(text::Unit::duration),
      drift(text::Unit::duration);
  for (const record::ProcessRecord& process : record.processes) {
    const bool same = process.clock_kind == "same";
    rows.push_back(
        {.cells = {process.name, process.place, same ? "the queue's" : or_dash(process.clock_kind), "", "", "", ""},
         .severity = {}});
    offset.add(same ? std::nullopt : text::real(process.clock_offset_ns));
    bound.add(same ? std::nullopt : text::real(process.clock_bound_ns));
    round_trip.add(text::real(process.clock_round_trip_ns));
    drift.add(text::real(process.clock_drift_ns));
  }
  std::vector<TableColumn> columns{{.header = "Process"},
                                   {.header = "Host", .stretch = true},
                                   {.header = "Clock"},
                                   {.header = "Offset to the queue's", .number = true},
                                   {.header = "± at most", .number = true},
                                   {.header = "Round trip", .number = true},
                                   {.header = "Drift", .number = true}};
  for (size_t at = 3; const text::Column* figures : {&offset, &bound, &round_trip, &drift})
    figures::put_figures(columns, rows, at++, *figures);
  report.table(std::move(columns), std::move(rows));
}

void add_layers(Report& report, const RunRecord& record) {
  if (record.layers.empty()) return;
  std::vector<TableRow> rows;
  text::Column p50(text::Unit::duration), p99(text::Unit::duration), max(text::Unit::duration);
  for (const record::LayerRecord& one : record.layers) {
    const bool tcp = one.layer == record::Layer::tcp;
    rows.push_back({.cells = {one.from, one.to, std::string(record::word_of(one.layer)),
                              tcp ? "TCP_INFO, with delayed acknowledgements" : or_dash(one.method),
                              count_text(one.figures.count), count_text(one.lost), "", "", ""},
                    .severity = {}});
    p50.add(text::real(one.figures.p50));
    p99.add(text::real(one.figures.p99));
    max.add(text::real(one.figures.max));
  }
  std::vector<TableColumn> columns{{.header = "From"},
                                   {.header = "To", .stretch = true},
                                   {.header = "Layer"},
                                   {.header = "By"},
                                   {.header = "Values", .number = true},
                                   {.header = "Lost", .number = true},
                                   {.header = "p50", .number = true},
                                   {.header = "p99", .number = true},
                                   {.header = "Max", .number = true}};
  for (size_t at = 6; const text::Column* figures : {&p50, &p99, &max})
    figures::put_figures(columns, rows, at++, *figures);
  report.table(std::move(columns), std::move(rows));
}

void add_machine(Report& report, const RunRecord& record) {
  auto rows = figures::machine_rows(record);
  if (rows.empty()) return report.say("Nothing is known about the computers it ran on.", Severity::warning);
  const auto elsewhere = [](const record::ProcessRecord& process) { return process.place != record::kThisPlace; };
  if (record.machines.empty() && std::ranges::any_of(record.processes, elsewhere))
    report.say("Nothing was recorded about the hosts it ran on: what follows is only the bench's computer.",
               Severity::warning);
  report.table(figures::machine_columns(), std::move(rows));
}

void add_words(Report& report, const OwnWords& words) {
  if (words.starred) report.say("Starred.");
  if (!words.tags.empty()) report.say("Tags: " + record::tags_text(words.tags));
  if (!words.notes.empty()) report.say("Notes: " + words.notes);
}

Report run_report(const RunRecord& record, const OwnWords& words) {
  Report report{.title = "Result " + name_of(record), .subtitle = subtitle_of(record)};
  add_verdict(report, record);
  std::vector<figures::Figure> figures = figures::figures_of(record);
  std::erase_if(figures, [&](const figures::Figure& figure) { return !is_asked_for(figure, record); });
  add_front_page(report, record, words, take_front_figure(figures));
  report.heading("Latencies");
  report.table(figures::latency_columns(record), figures::latency_rows(record));
  report.heading("Exclusions and notes");
  report.list(exclusions(record));
  report.heading("Figures");
  for (const figures::Figure& figure : figures) report.figure(figure);
  report.heading("Totals");
  report.table(figures::total_columns(), figures::total_rows(record));
  add_losses(report, record);
  add_warnings(report, record);
  report.heading("Clocks");
  add_clocks(report, record);
  if (!record.layers.empty()) report.heading("Layers between the computers");
  add_layers(report, record);
  add_ways(report, record);
  add_background(report, record);
  if (!record.hosts.empty()) {
    report.heading("Hosts");
    report.table(figures::host_columns(), figures::host_rows(record));
  }
  report.heading("Processes");
  report.table(figures::process_columns(record), figures::process_rows(record));
  report.heading("Computers");
  add_machine(report, record);
  report.heading("Settings");
  add_plan(report, record::plan_as_run(record));
  add_requests(report, record);
  add_log(report, record);
  add_repeat(report, record);
  return report;
}

}  // namespace n2nq::report
