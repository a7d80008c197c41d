#include "app/record/run_record.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/live/exported_moments.h"
#include "app/live/merged_histogram.h"
#include "broker/base/clock.h"
#include "broker/base/exit_code.h"

namespace n2nq::record {
namespace {

struct VerdictName {
  Verdict verdict;
  const char* word;
  const char* text;
};
constexpr std::array<VerdictName, 7> kVerdicts{{{Verdict::passed, "passed", "passed"},
                                                {Verdict::lost_allowed, "lost_allowed", "lost as the plan allows"},
                                                {Verdict::failed, "failed", "failed"},
                                                {Verdict::stopped, "stopped", "stopped"},
                                                {Verdict::cut_off, "cut_off", "cut off"},
                                                {Verdict::limit, "stopped_by_limit", "failed"},
                                                {Verdict::exceeded, "limit_exceeded", "failed"}}};

}  // namespace

std::string to_text(Verdict verdict) {
  return std::ranges::find(kVerdicts, verdict, &VerdictName::verdict)->text;
}

std::string to_text(Trust trust) {
  return trust == Trust::not_judged ? "not judged" : trust == Trust::sound ? "sound" : "doubtful";
}

std::string way_of(const HopRecord& hop) {
  if (hop.port == 0) return "datagrams";
  return "TCP from port " + std::to_string(hop.source_port) + " to " + std::to_string(hop.port);
}

std::string to_word(Verdict verdict) {
  return std::ranges::find(kVerdicts, verdict, &VerdictName::verdict)->word;
}

std::optional<Verdict> parse_verdict(const std::string& word) {
  for (const VerdictName& name : kVerdicts)
    if (word == name.word) return name.verdict;
  return {};
}

bool is_failure(Verdict verdict) {
  return verdict == Verdict::failed || verdict == Verdict::limit || verdict == Verdict::exceeded;
}

bool lacks_server(const RunRecord& record) {
  if (!record.plan.bus.starts_server() || record.began_utc_ns) return false;
  return std::ranges::any_of(record.processes, [](const ProcessRecord& process) {
    return process.role == Role::broker && process.exit_code == static_cast<int>(ExitCode::server_missing);
  });
}

uint64_t surplus_deliveries(const RunRecord& record) {
  const RunTotals& totals = record.totals;
  // Our own queue gives a message to another only once it is sure, or where a plan says so.
  if (record.plan.bus.traits().own_queue && !plan::takes_over(record.plan)) return 0;
  if (!plan::balances(record.plan.queue) || is_at_least(record, Role::sender)) return 0;
  const uint64_t came = totals.received - std::min(totals.received, totals.unsent.value_or(0));
  const uint64_t most = std::max(came, totals.expected.value_or(0));
  return most - std::min(most, totals.sent);
}

bool is_uncertain(const ProcessRecord& process) {
  return process.figures_from == "telemetry" || process.figures_from == "nothing";
}

bool is_at_least(const RunRecord& record, Role role) {
  return std::ranges::any_of(
      record.processes, [role](const ProcessRecord& process) { return process.role == role && is_uncertain(process); });
}

void set_socket(ProcessRecord& process, const control::BusFacts& bus) {
  process.nodelay = bus.nodelay;
  process.send_buffer_bytes = bus.send_buffer_bytes;
  process.receive_buffer_bytes = bus.receive_buffer_bytes;
  process.congestion = bus.congestion_control.value_or("");
}

bool knows_socket(const ProcessRecord& process) {
  return process.nodelay || process.send_buffer_bytes || process.receive_buffer_bytes || !process.congestion.empty();
}

void set_wire(ProcessRecord& process, const control::WireFigures& wire) {
  process.wire_sent_bytes = wire.sent_bytes;
  process.wire_received_bytes = wire.received_bytes;
  process.connections = wire.connections;
}

void add_note(RunRecord& record, Severity severity, std::string text) {
  record.notes.push_back({.utc_ns = wall_ns(), .severity = severity, .text = std::move(text)});
}

const measure::LatencySummary& first_latency(const RunRecord& record) {
  return record.latencies[first_latency(record.plan)];
}

Latency first_latency(const plan::RunPlan& plan) {
  return first_latency(plan::asks_for_replies(plan));
}

bool has_latency(const RunRecord& record, const control::LatencyRow& row) {
  return row.always || record.latencies[row.latency].count > 0;
}

HistogramRecord to_record(const std::string& name, const measure::Histogram& histogram) {
  HistogramRecord record{.name = name, .moments = live::export_moments(histogram.moments())};
  histogram.for_each(
      [&](const measure::Bucket& bucket) { record.buckets.push_back({.index = bucket.index, .count = bucket.count}); });
  return record;
}

measure::Histogram to_histogram(const HistogramRecord& record) {
  live::MergedHistogram merged;
  merged.take(0, {.name = record.name, .moments = record.moments, .buckets = record.buckets});
  return std::move(merged).histogram();
}

const MachineFacts* facts_of(const RunRecord& record, const std::string& place) {
  const auto found = std::ranges::find(record.machines, place, &MachineRecord::place);
  return found == record.machines.end() ? nullptr : &found->facts;
}

std::string bus_settings_of(const plan::BusPlan& bus) {
  return nlohmann::json(bus::all_values(bus.traits(), plan::settings_in_force(bus)))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

plan::RunPlan plan_as_run(const RunRecord& record) {
  plan::RunPlan plan = record.plan;
  const auto kept = nlohmann::json::parse(record.bus_settings, nullptr, false);
  if (!kept.is_object()) return plan;
  for (const bus::Setting& setting : plan.bus.traits().settings) {
    const auto value = kept.find(setting.key);
    if (value == kept.end() || !value->is_string()) continue;
    const auto& text = value->get_ref<const std::string&>();
    if (bus::check_setting(setting, text)) plan.bus.settings[std::string(setting.key)] = text;
  }
  return plan;
}

std::string kept_in(const RunRecord& record) {
  return plan_as_run(record).bus.kept_by();
}

std::string queue_place(const RunRecord& record) {
  return record.plan.queue.host.empty() ? kThisPlace : record.plan.queue.host;
}

bool is_on_host(const RunRecord& record, const ProcessRecord& process) {
  return !process.place.empty() && process.place != kThisPlace && plan::attached_at(record.plan, process.role).empty();
}

std::optional<bool> is_beside_queue(const RunRecord& record, const std::string& place) {
  const MachineFacts* there = facts_of(record, place);
  const MachineFacts* of_queue = facts_of(record, queue_place(record));
  if (there == nullptr || of_queue == nullptr || there->boot_id.empty() || of_queue->boot_id.empty())
    return std::nullopt;
  return there->boot_id == of_queue->boot_id;
}

std::span<const live::ServiceFigures> services_of(const RunRecord& record, Role role) {
  const auto part = std::ranges::equal_range(record.services, role, {}, &live::ServiceFigures::role);
  return {part.begin(), part.end()};
}

std::optional<uint64_t> received_bytes(const RunRecord& record) {
  const auto receivers = services_of(record, Role::receiver);
  if (receivers.empty()) return record.received_bytes;
  uint64_t bytes = 0;
  for (const live::ServiceFigures& receiver : receivers)
    bytes += static_cast<uint64_t>(std::max<int64_t>(receiver.bytes, 0));
  return bytes;
}

const HistogramRecord* find_histogram(const RunRecord& record, Latency latency) {
  const auto found = std::ranges::find(record.histograms, control::name_of(latency), &HistogramRecord::name);
  return found == record.histograms.end() ? nullptr : &*found;
}

}  // namespace n2nq::record
