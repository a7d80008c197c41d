#include "app/cli/result_json.h"

#include <nlohmann/json.hpp>

#include "app/cli/exit_code.h"
#include "app/figures/limit_text.h"
#include "app/figures/metric.h"
#include "app/figures/waiting.h"
#include "app/record/host_json.h"
#include "app/record/words.h"
#include "broker/base/machine_json.h"

namespace n2nq::cli {
namespace {

using Ordered = nlohmann::ordered_json;

template <class Value>
Ordered maybe(const std::optional<Value>& value) {
  return value ? Ordered(*value) : Ordered(nullptr);
}

Ordered maybe(uint64_t value) {
  return value;
}

Ordered latency_json(const measure::LatencySummary& latency) {
  Ordered object = Ordered::object();
  measure::latency_fields(
      [&object](const measure::LatencyField& field, const auto& value) { object[field.word] = maybe(value); }, latency);
  return object;
}

// Null where the run does not measure it.
Ordered latency_json(const record::RunRecord& run, Latency latency) {
  const control::Needs needs = control::row_of(latency).needs;
  const bool measured = needs == control::Needs::answers
                            ? plan::times_answers(run.plan)
                            : needs != control::Needs::replies || plan::asks_for_replies(run.plan);
  return measured ? latency_json(run.latencies[latency]) : Ordered(nullptr);
}

Ordered wire_json(const record::ProcessRecord& process) {
  if (!process.wire_sent_bytes) return nullptr;
  return {{"sent_bytes", *process.wire_sent_bytes},
          {"received_bytes", maybe(process.wire_received_bytes)},
          {"connections", maybe(process.connections)}};
}

Ordered socket_json(const record::ProcessRecord& process) {
  if (!record::knows_socket(process)) return nullptr;
  return {{"nodelay", maybe(process.nodelay)},
          {"send_buffer_bytes", maybe(process.send_buffer_bytes)},
          {"receive_buffer_bytes", maybe(process.receive_buffer_bytes)},
          {"congestion_control", process.congestion.empty() ? Ordered(nullptr) : Ordered(process.congestion)}};
}

Ordered process_json(const record::ProcessRecord& process) {
  return {{"name", process.name},
          {"role", record::word_of(process.role)},
          {"place", process.place},
          {"end", process.end},
          {"exit_code", maybe(process.exit_code)},
          {"clock_kind", process.clock_kind.empty() ? Ordered(nullptr) : Ordered(process.clock_kind)},
          {"clock_offset_ns", maybe(process.clock_offset_ns)},
          {"clock_bound_ns", maybe(process.clock_bound_ns)},
          {"clock_round_trip_ns", maybe(process.clock_round_trip_ns)},
          {"clock_drift_ns", maybe(process.clock_drift_ns)},
          {"figures_from", process.figures_from.empty() ? Ordered(nullptr) : Ordered(process.figures_from)},
          {"wire", wire_json(process)},
          {"socket", socket_json(process)}};
}

Ordered processes_json(const record::RunRecord& run) {
  Ordered processes = Ordered::array();
  for (const record::ProcessRecord& process : run.processes) processes.push_back(process_json(process));
  return processes;
}

// By the names that the store has for its columns.
Ordered machines_json(const record::RunRecord& run) {
  Ordered machines = Ordered::array();
  for (const record::MachineRecord& machine : run.machines) {
    Ordered json{{"place", machine.place}};
    put_machine(json, machine.facts);
    json["beside_queue"] = maybe(record::is_beside_queue(run, machine.place));
    machines.push_back(std::move(json));
  }
  return machines;
}

Ordered layers_json(const record::RunRecord& run) {
  Ordered layers = Ordered::array();
  for (const record::LayerRecord& layer : run.layers)
    layers.push_back({{"from", layer.from},
                      {"to", layer.to},
                      {"layer", record::word_of(layer.layer)},
                      {"method", layer.method.empty() ? Ordered(nullptr) : Ordered(layer.method)},
                      {"sent", layer.sent},
                      {"lost", layer.lost},
                      {"time_ns", latency_json(layer.figures)}});
  return layers;
}

Ordered paths_json(const record::RunRecord& run) {
  Ordered paths = Ordered::array();
  for (const record::HopRecord& hop : run.paths)
    paths.push_back({{"from", hop.from},
                     {"to", hop.to},
                     {"hop", hop.hop},
                     {"address", hop.address.empty() ? Ordered(nullptr) : Ordered(hop.address)},
                     {"round_trip_ns", maybe(hop.round_trip_ns)},
                     {"reached", hop.reached},
                     {"port", hop.port == 0 ? Ordered(nullptr) : Ordered(hop.port)},
                     {"source_port", hop.port == 0 ? Ordered(nullptr) : Ordered(hop.source_port)}});
  return paths;
}

Ordered bandwidths_json(const record::RunRecord& run) {
  Ordered bandwidths = Ordered::array();
  for (const record::BandwidthRecord& one : run.bandwidths)
    bandwidths.push_back({{"from", one.from},
                          {"to", one.to},
                          {"bytes", one.bytes},
                          {"duration_ns", one.duration_ns},
                          {"bytes_per_s", one.bytes_per_s()}});
  return bandwidths;
}

Ordered background_loads_json(const record::RunRecord& run) {
  Ordered loads = Ordered::array();
  for (const record::BackgroundLoad& one : run.background_loads)
    loads.push_back({{"from", one.from},
                     {"to", one.to},
                     {"asked_ns", one.asked_ns},
                     {"at_ns", maybe(one.at_ns)},
                     {"duration_ns", maybe(one.duration_ns)},
                     {"bytes", maybe(one.bytes)},
                     {"bytes_per_s", one.bytes ? Ordered(one.bytes_per_s()) : Ordered(nullptr)},
                     {"cut_short", one.cut_short},
                     {"trouble", one.trouble}});
  return loads;
}

Ordered passed_limits_json(const record::RunRecord& run) {
  Ordered limits = Ordered::array();
  for (const record::PassedLimit& passed : run.passed_limits)
    limits.push_back({{"metric", passed.metric},
                      {passed.at_most ? "at_most" : "at_least", passed.limit},
                      {"value", passed.value},
                      {"since_begin_ns", maybe(passed.since_begin_ns)},
                      {"stopped", passed.stopped},
                      {"fails", passed.fails},
                      {"text", figures::passed_when_text(passed)}});
  return limits;
}

Ordered events_json(const record::RunRecord& run) {
  Ordered events = Ordered::array();
  for (const record::RunNote& note : run.notes)
    if (note.kind != record::EventKind::none)
      events.push_back({{"since_begin_ns", maybe(note.since_begin_ns)},
                        {"kind", record::word_of(note.kind)},
                        {"severity", record::word_of(note.severity)},
                        {"text", note.text}});
  return events;
}

Ordered warnings_json(const record::RunRecord& run) {
  Ordered all = Ordered::array();
  for (const record::RunWarning& one : run.warnings)
    all.push_back({{"id", one.id},
                   {"text", one.text},
                   {"from_ns", maybe(one.from_ns)},
                   {"held_ns", maybe(one.held_ns)},
                   {"doubt", one.doubt}});
  return all;
}

Ordered catch_ups_json(const record::RunRecord& run) {
  Ordered all = Ordered::array();
  for (const record::CatchUp& one : run.catch_ups)
    all.push_back({{"paused_ns", one.paused_ns},
                   {"resumed_ns", one.resumed_ns},
                   {"backlog_before", one.before},
                   {"backlog_most", one.most},
                   {"took_ns", maybe(one.took_ns)}});
  return all;
}

Ordered outages_json(const record::RunRecord& run) {
  Ordered all = Ordered::array();
  for (const record::Outage& one : run.outages)
    all.push_back({{"at_ns", one.at_ns},
                   {"server", one.server},
                   {"killed", one.killed},
                   {"gap_ns", maybe(one.gap_ns)},
                   {"answer_gap_ns", maybe(one.answer_gap_ns)},
                   {"flows_after_ns", maybe(one.flows_after_ns)},
                   {"within_ns", one.within_ns}});
  return all;
}

Ordered model_json(const figures::Waiting& waiting, const figures::WaitingModel& model) {
  const double ns = waiting.predicted_ns(model);
  return {{"model", model.name},
          {"fits_plan", model.fits_plan},
          {"waiting_ns", ns},
          {"queue_length", waiting.number(ns)},
          {"in_system_ns", waiting.predicted_in_system_ns(model)},
          {"in_system_count", waiting.number(waiting.predicted_in_system_ns(model))},
          {"empty_probability", maybe(model.prediction.empty_probability)},
          {"theory_waiting_ns", model.prediction.waiting_s * 1e9}};
}

// Null without a service time.
Ordered waiting_json(const record::RunRecord& run) {
  const auto waiting = figures::waiting_of(run);
  if (!waiting) return nullptr;
  return {{"messages", waiting->messages},
          {"mean_ns", waiting->mean_ns},
          {"low_ns", maybe(waiting->low_ns)},
          {"high_ns", maybe(waiting->high_ns)},
          {"batches", waiting->batches},
          {"queue_length", waiting->number(waiting->mean_ns)},
          {"in_system_ns", waiting->in_system_ns},
          {"in_system_count", waiting->number(waiting->in_system_ns)},
          {"handover_ns", waiting->handover_ns},
          {"service_ns", waiting->service_ns},
          {"arrivals_per_s", waiting->arrivals_per_s},
          {"services_per_s", waiting->services_per_s},
          {"utilisation", waiting->utilisation()},
          {"models", models_json(*waiting)},
          {"agrees", maybe(waiting->agrees())},
          {"verdict", figures::verdict_text(*waiting)},
          {"caveats", waiting->caveats}};
}

void add_metrics(Ordered& object, const record::RunRecord& run, figures::MetricPart part) {
  for (const figures::Metric& metric : figures::all_metrics()) {
    if (metric.part != part || metric.places.json == nullptr) continue;
    const auto value = metric.value(run);
    const bool whole = value && metric.quantity == figures::Quantity::messages;
    object[metric.places.json] = whole ? Ordered(static_cast<uint64_t>(*value)) : maybe(value);
  }
}

Ordered bus_settings_json(const record::RunRecord& run) {
  if (run.bus_settings.empty()) return nullptr;
  const plan::RunPlan plan = record::plan_as_run(run);
  Ordered object = Ordered::object();
  for (const bus::Setting& setting : plan.bus.traits().settings) {
    const plan::PlanField& field = *plan::find_field("bus." + std::string(setting.key));
    if (!plan::is_idle(field, plan) && !setting.of_bench) object[std::string(setting.key)] = field.get(plan);
  }
  return object;
}

Ordered run_json(const record::RunRecord& run) {
  const std::string kept = record::kept_in(run);
  Ordered object{{"bus", run.plan.bus.kind},
                 {"kept_in", kept.empty() ? Ordered() : Ordered(kept)},
                 {"server", run.server.empty() ? Ordered() : Ordered(run.server)},
                 {"client", run.bus_client.empty() ? Ordered() : Ordered(run.bus_client)},
                 {"bus_settings", bus_settings_json(run)},
                 {"mode", plan::to_text(run.plan.queue.mode)},
                 {"verdict", record::to_word(run.verdict)},
                 {"reason", run.reason},
                 {"trust", record::word_of(run.trust)},
                 {"warnings", warnings_json(run)},
                 {"requests", run.plan.queue.requests.on},
                 {"responses", run.plan.queue.responses},
                 {"senders", run.plan.senders.fleet.count},
                 {"receivers", run.plan.receivers.fleet.count}};
  add_metrics(object, run, figures::MetricPart::counts);
  for (const Latency latency : {Latency::latency, Latency::scheduled_latency, Latency::publish, Latency::turnaround,
                                Latency::scheduled_turnaround, Latency::warmup_turnaround, Latency::reply_latency})
    object[control::name_of(latency)] = latency_json(run, latency);
  const Ordered rest{{"closed_loop", maybe(run.closed_loop)},
                     {"wire_bytes", maybe(run.totals.wire_bytes)},
                     {"connections", maybe(run.totals.connections)},
                     {"waiting", waiting_json(run)},
                     {"passed_limits", passed_limits_json(run)},
                     {"catch_ups", catch_ups_json(run)},
                     {"outages", outages_json(run)},
                     {"events", events_json(run)},
                     {"clock_kind", run.clock_kind},
                     {"clock_bound_ns", maybe(run.clock_bound_ns)},
                     {"processes", processes_json(run)},
                     {"machines", machines_json(run)},
                     {"hosts", record::hosts_json(run)},
                     {"layers", layers_json(run)},
                     {"paths", paths_json(run)},
                     {"bandwidths", bandwidths_json(run)},
                     {"background_loads", background_loads_json(run)},
                     {"result_id", run.id == 0 ? Ordered(nullptr) : Ordered(run.id)},
                     {"folder", run.folder},
                     {"master_file", run.master_file}};
  object.update(rest);
  add_metrics(object, run, figures::MetricPart::rates);
  add_metrics(object, run, figures::MetricPart::service);
  add_metrics(object, run, figures::MetricPart::outages);
  add_metrics(object, run, figures::MetricPart::hosts);
  return object;
}

}  // namespace

Ordered models_json(const figures::Waiting& waiting) {
  Ordered models = Ordered::array();
  for (const figures::WaitingModel& model : waiting.models) models.push_back(model_json(waiting, model));
  return models;
}

BenchResult result_of(std::vector<record::RunRecord> runs, bool interrupted) {
  record::Verdict verdict = interrupted ? record::Verdict::stopped : record::Verdict::passed;
  for (const record::RunRecord& run : runs) verdict = worse_of(verdict, run.verdict);
  BenchResult result{
      .verdict = verdict, .reason = interrupted ? "stopped by a signal" : "no run was started", .runs = {}};
  for (size_t i = 0; i < runs.size(); i++) {
    if (runs[i].verdict != verdict) continue;
    result.reason = runs[i].reason;
    if (runs.size() > 1)
      result.reason =
          "run " + std::to_string(i + 1) + " (" + plan::to_text(runs[i].plan.queue.mode) + "): " + result.reason;
    break;
  }
  if (verdict == record::Verdict::passed && runs.size() > 1)
    result.reason = runs.size() == 2 ? "both runs passed" : "all " + std::to_string(runs.size()) + " runs passed";
  result.runs = std::move(runs);
  return result;
}

void judge_runs(BenchResult& result, const std::vector<compare::Condition>& conditions) {
  if (conditions.empty()) return;
  for (const record::RunRecord& run : result.runs) {
    JudgedConditions& judged = result.conditions.emplace_back();
    for (const compare::Condition& condition : conditions)
      judged.push_back({.condition = condition, .judgement = compare::judge(condition, run)});
  }
}

std::string to_json(const BenchResult& result) {
  Ordered object{{"verdict", record::to_word(result.verdict)}, {"reason", result.reason}, {"runs", Ordered::array()}};
  for (size_t i = 0; i < result.runs.size(); i++) {
    object["runs"].push_back(run_json(result.runs[i]));
    object["runs"].back()["conditions"] =
        i < result.conditions.size() ? to_json(result.conditions[i]) : Ordered::array();
  }
  return object.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace n2nq::cli
