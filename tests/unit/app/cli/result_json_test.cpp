#include "app/cli/result_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/cli/exit_code.h"
#include "app/cli/host_access.h"

namespace n2nq::cli {
namespace {

using record::RunRecord;
using record::Verdict;

RunRecord run_with(Verdict verdict, const std::string& reason) {
  RunRecord run;
  run.verdict = verdict;
  run.reason = reason;
  return run;
}

TEST(ResultJson, HasEveryFigureOfARun) {
  RunRecord run = run_with(Verdict::lost_allowed, "3 lost");
  run.id = 17;
  run.plan.queue.mode = plan::Mode::load_balancer;
  run.plan.queue.responses = true;
  run.plan.senders.fleet.count = 4;
  run.plan.receivers.fleet.count = 5;
  run.totals = {
      .sent = 100, .expected = 100, .received = 97, .lost = 3, .duplicates = 1, .wire_bytes = 6'000, .connections = 7};
  run.latencies[Latency::latency] = {.count = 97,
                                     .min = 1,
                                     .p50 = 2,
                                     .p90 = 3,
                                     .p95 = 4,
                                     .p99 = 5,
                                     .p999 = 6,
                                     .max = 7,
                                     .mean = 2.5,
                                     .stddev = 0.5,
                                     .trimmed_mean_p95 = 2.25};
  run.trust = record::Trust::doubtful;
  run.warnings = {{.id = "cpu-sender-1", .text = "97 % of a core", .from_ns = 5, .held_ns = 8, .doubt = true},
                  {.id = "few", .text = "97 values", .doubt = true}};
  run.clock_kind = "measured";
  run.clock_bound_ns = 9;
  run.processes = {{.name = "receivers",
                    .role = Role::receiver,
                    .place = "vm2",
                    .end = "ended with exit code 0",
                    .exit_code = 0,
                    .clock_kind = "measured",
                    .clock_offset_ns = -7,
                    .clock_bound_ns = 8,
                    .clock_round_trip_ns = 10,
                    .clock_drift_ns = 3,
                    .figures_from = "summary",
                    .wire_sent_bytes = 400,
                    .wire_received_bytes = 5'600,
                    .connections = 5,
                    .nodelay = false,
                    .send_buffer_bytes = 87'040,
                    .congestion = "cubic"},
                   {.name = "queue", .role = Role::broker, .place = "vm1", .end = "cut off"}};
  run.plan.queue.host = "vm1";
  run.machines = {{.place = "vm1", .facts = {.processor = "Z80", .cores = 8, .memory_bytes = 64, .boot_id = "1"}},
                  {.place = "vm2", .facts = {.cores = 4, .load_1_min = 0.5, .boot_id = "2"}}};
  run.layers = {{.from = "vm2",
                 .to = "vm1",
                 .layer = record::Layer::network,
                 .method = "icmp",
                 .sent = 9,
                 .lost = 1,
                 .figures = run.latencies[Latency::latency]},
                {.from = "vm2", .to = "vm1", .layer = record::Layer::bus, .figures = {}}};
  run.paths = {{.from = "vm2",
                .to = "vm1",
                .hop = 1,
                .address = "10.0.0.5",
                .round_trip_ns = 7,
                .reached = true,
                .port = 7400,
                .source_port = 40001}};
  run.bandwidths = {{.from = "vm2", .to = "vm1", .bytes = 500, .duration_ns = 2}};
  run.background_loads = {{.from = "vm2", .to = "vm1", .asked_ns = 4, .at_ns = 3, .duration_ns = 2, .bytes = 500},
                          {.from = "vm1", .to = "vm2", .asked_ns = 4, .trouble = "no way"}};
  run.outages = {{.at_ns = 3,
                  .server = "server 2",
                  .killed = true,
                  .gap_ns = 5,
                  .answer_gap_ns = 4,
                  .flows_after_ns = 6,
                  .within_ns = 1}};
  run.notes = {{.since_begin_ns = 5, .severity = record::Severity::info, .text = "words alone"},
               {.since_begin_ns = 7,
                .severity = record::Severity::warning,
                .text = "receivers: the link to vm2 was lost",
                .kind = record::EventKind::link_lost}};
  run.began_utc_ns = 1'000'000'000;
  run.ended_utc_ns = 3'000'000'000;
  for (uint32_t i = 1; i <= 2; i++) run.services.push_back({{.bytes = 5'000'000}, Role::receiver, i});
  run.folder = "/runs/1";
  run.master_file = "/runs/1/master.csv";
  const auto json = nlohmann::json::parse(to_json(result_of({run}, false)));
  EXPECT_EQ(json["verdict"], "lost_allowed");
  EXPECT_EQ(json["reason"], "3 lost");
  const auto expected = nlohmann::json::parse(R"({
    "bus": "n2nq", "kept_in": "memory", "server": null, "client": null, "bus_settings": null, "mode": "load-balancer", "verdict": "lost_allowed", "reason": "3 lost", "trust": "doubtful",
    "warnings": [{"id": "cpu-sender-1", "text": "97 % of a core", "from_ns": 5, "held_ns": 8, "doubt": true},
                 {"id": "few", "text": "97 values", "from_ns": null, "held_ns": null, "doubt": true}], "requests": false, "responses": true,
    "senders": 4, "receivers": 5, "sent": 100, "accepted": 0, "refused": null, "unanswered": null, "expected": 100, "received": 97, "lost": 3,
    "refused_received": null, "unanswered_received": null, "unsent": null, "surplus": null, "duplicates": 1, "reordered": 0, "corrupt": 0, "redelivered": 0,
    "latency_ns": {"count": 97, "min": 1, "p50": 2, "p90": 3, "p95": 4, "p99": 5, "p999": 6, "max": 7, "mean": 2.5,
                   "stddev": 0.5, "trimmed_mean_p95": 2.25},
    "scheduled_latency_ns": {"count": 0, "min": null, "p50": null, "p90": null, "p95": null, "p99": null,
                             "p999": null, "max": null, "mean": null, "stddev": null, "trimmed_mean_p95": null},
    "publish_ns": null, "turnaround_ns": null, "scheduled_turnaround_ns": null, "warmup_turnaround_ns": null, "reply_latency_ns": null,
    "replies": null, "timeouts": null, "late_replies": null, "double_replies": null, "closed_loop": null,
    "wire_bytes": 6000, "connections": 7, "wire_bytes_per_message": 60.0,
    "waiting": null, "passed_limits": [], "conditions": [], "catch_ups": [], "recovery_ns": null,
    "outages": [{"at_ns": 3, "server": "server 2", "killed": true, "gap_ns": 5, "answer_gap_ns": 4, "flows_after_ns": 6, "within_ns": 1
}],
    "outage_ns": 5, "answer_outage_ns": 4, "failover_ns": 6, "events": [
      {"since_begin_ns": 7, "kind": "link-lost", "severity": "warning", "text": "receivers: the link to vm2 was lost"}],
    "clock_kind": "measured", "clock_bound_ns": 9, "processes": [
      {"name": "receivers", "role": "receiver", "place": "vm2", "end": "ended with exit code 0", "exit_code": 0,
       "clock_kind": "measured", "clock_offset_ns": -7, "clock_bound_ns": 8, "clock_round_trip_ns": 10, "clock_drift_ns": 3,
       "figures_from": "summary", "wire": {"sent_bytes": 400, "received_bytes": 5600, "connections": 5},
       "socket": {"nodelay": false, "send_buffer_bytes": 87040, "receive_buffer_bytes": null, "congestion_control": "cubic"}},
      {"name": "queue", "role": "broker", "place": "vm1", "end": "cut off", "exit_code": null,
       "clock_kind": null, "clock_offset_ns": null, "clock_bound_ns": null, "clock_round_trip_ns": null,
       "clock_drift_ns": null, "figures_from": null, "wire": null, "socket": null}],
    "machines": [
      {"place": "vm1", "processor": "Z80", "cores": 8, "memory_bytes": 64, "kernel": "", "governor": "",
       "congestion_control": "", "tcp_slow_start_after_idle": "", "tcp_autocorking": "",
       "tcp_receive_buffers": "", "tcp_send_buffers": "", "clocksource": "", "virtualisation": "", "load_1_min": null, "load_5_min": null,
       "load_15_min": null, "machine_id": "", "boot_id": "1", "beside_queue": true},
      {"place": "vm2", "processor": "", "cores": 4, "memory_bytes": 0, "kernel": "", "governor": "",
       "congestion_control": "", "tcp_slow_start_after_idle": "", "tcp_autocorking": "",
       "tcp_receive_buffers": "", "tcp_send_buffers": "", "clocksource": "", "virtualisation": "", "load_1_min": 0.5, "load_5_min": null,
       "load_15_min": null, "machine_id": "", "boot_id": "2", "beside_queue": false}],
    "hosts": [], "host_cpu_percent": null, "memory_bytes": null, "written_bytes": null, "cpu_per_delivery_ns": null, "written_per_message_bytes": null,
    "retransmits": null,
    "layers": [
      {"from": "vm2", "to": "vm1", "layer": "network", "method": "icmp", "sent": 9, "lost": 1,
       "time_ns": {"count": 97, "min": 1, "p50": 2, "p90": 3, "p95": 4, "p99": 5, "p999": 6, "max": 7, "mean": 2.5,
                   "stddev": 0.5, "trimmed_mean_p95": 2.25}},
      {"from": "vm2", "to": "vm1", "layer": "bus", "method": null, "sent": 0, "lost": 0,
       "time_ns": {"count": 0, "min": null, "p50": null, "p90": null, "p95": null, "p99": null, "p999": null,
                   "max": null, "mean": null, "stddev": null, "trimmed_mean_p95": null}}],
    "paths": [{"from": "vm2", "to": "vm1", "hop": 1, "address": "10.0.0.5", "round_trip_ns": 7, "reached": true,
               "port": 7400, "source_port": 40001}],
    "bandwidths": [{"from": "vm2", "to": "vm1", "bytes": 500, "duration_ns": 2, "bytes_per_s": 250e9}],
    "background_loads": [
      {"from": "vm2", "to": "vm1", "asked_ns": 4, "at_ns": 3, "duration_ns": 2, "bytes": 500, "bytes_per_s": 250e9,
       "cut_short": false, "trouble": ""},
      {"from": "vm1", "to": "vm2", "asked_ns": 4, "at_ns": null, "duration_ns": null, "bytes": null,
       "bytes_per_s": null, "cut_short": false, "trouble": "no way"}],
    "result_id": 17, "folder": "/runs/1", "master_file": "/runs/1/master.csv", "received_mb_per_s": 5.0
})");
  EXPECT_EQ(json["runs"], nlohmann::json::array({expected}));
}

TEST(ResultJson, TellsHowLongTheBusTookToAnswerWhereThatIsTimed) {
  record::RunRecord run = run_with(Verdict::passed, "");
  const auto publish_of = [&] {
    return nlohmann::json::parse(to_json(result_of({run}, false)))["runs"][0]["publish_ns"];
  };
  run.plan.bus.kind = "redis-pubsub";
  run.latencies[Latency::publish] = {.count = 4, .p50 = 7};
  EXPECT_EQ(publish_of()["count"], 4);
  EXPECT_EQ(publish_of()["p50"], 7);
  run.plan.bus.kind = "http";
  run.plan.queue.mode = plan::Mode::request_reply;
  EXPECT_TRUE(publish_of().is_null()) << "the reply is the answer";
}

TEST(ResultJson, SaysWhereMessagesWereKeptByTheSettingsThatTheRunHad) {
  record::RunRecord run = run_with(Verdict::passed, "");
  run.plan.bus.kind = "redis-streams";
  run.bus_settings = R"({"append_fsync": "no"})";
  EXPECT_EQ(nlohmann::json::parse(to_json(result_of({run}, false)))["runs"][0]["kept_in"], "page cache");
}

TEST(ResultJson, SaysNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(to_json(result_of({run_with(Verdict::failed, "x")}, false)));
  for (const char* key : {"expected", "lost", "result_id", "received_mb_per_s"})
    EXPECT_TRUE(json["runs"][0][key].is_null()) << key;
}

TEST(ResultJson, HasWhatBecameOfRequests) {
  RunRecord run = run_with(Verdict::failed, "2 of 10 requests got no reply in time");
  run.plan.queue.mode = plan::Mode::request_reply;
  run.totals = {.sent = 10, .replies = 8, .timeouts = 2, .late_replies = 1, .double_replies = 0};
  run.latencies[Latency::turnaround] = {.count = 8, .p50 = 70};
  run.latencies[Latency::reply_latency] = {.count = 8, .p50 = 30};
  run.closed_loop = 4;
  const auto json = nlohmann::json::parse(to_json(result_of({run}, false)))["runs"][0];
  EXPECT_EQ(json["mode"], "request-reply");
  EXPECT_EQ(json["replies"], 8);
  EXPECT_EQ(json["timeouts"], 2);
  EXPECT_EQ(json["late_replies"], 1);
  EXPECT_EQ(json["double_replies"], 0);
  EXPECT_EQ(json["closed_loop"], 4);
  EXPECT_EQ(json["turnaround_ns"]["p50"], 70);
  EXPECT_EQ(json["reply_latency_ns"]["p50"], 30);
  EXPECT_EQ(json["scheduled_turnaround_ns"]["count"], 0);
  EXPECT_EQ(json["warmup_turnaround_ns"]["count"], 0);
}

TEST(ResultJson, HasTheLimitsThatWerePassed) {
  RunRecord run = run_with(Verdict::limit, "latency p99 6.20 ms, above 5 ms");
  run.passed_limits = {
      {.metric = "p99", .limit = 5e6, .value = 6.2e6, .since_begin_ns = 3'000'000'000, .stopped = true, .fails = true},
      {.metric = "rate", .at_most = false, .limit = 100, .value = 90}};
  const auto json = nlohmann::json::parse(to_json(result_of({run}, false)));
  EXPECT_EQ(json["verdict"], "stopped_by_limit");
  EXPECT_EQ(json["runs"][0]["passed_limits"], nlohmann::json::parse(R"([
    {"metric": "p99", "at_most": 5e6, "value": 6.2e6, "since_begin_ns": 3000000000, "stopped": true, "fails": true,
     "text": "latency p99 6.20 ms, above 5 ms, as of 3.00 s"},
    {"metric": "rate", "at_least": 100.0, "value": 90.0, "since_begin_ns": null, "stopped": false, "fails": false,
     "text": "received per second 90 /s, below 100 /s, over the whole run"}])"));
}

TEST(ResultJson, PutsTheoryBesideTheWaitingThatWasMeasured) {
  constexpr int64_t kBatchNs = 200'000'000;
  RunRecord run = run_with(Verdict::passed, "fine");
  run.plan.queue.mode = plan::Mode::load_balancer;
  run.plan.queue.requests = {.on = true, .at_a_time = 1};
  run.plan.senders.fleet.count = 7;
  run.plan.senders.pacing = plan::Pacing::poisson;
  run.plan.receivers.fleet.count = 1;
  run.plan.receivers.service_time = {.kind = measure::ServiceTime::Kind::exponential, .mean_ns = 1'000'000};
  run.latencies[Latency::waiting] = {.count = 1000, .mean = 2.5e6};
  run.latencies[Latency::service] = run.latencies[Latency::occupied] = {.count = 1000, .mean = 1e6};
  run.latencies[Latency::in_system] = {.count = 1000, .mean = 3.5e6};
  run.latencies[Latency::handover] = {.count = 1000, .mean = 1e5};
  run.latencies[Latency::delay] = {.count = 1000, .mean = 1e7};
  for (int i = 0; i < 10; i++)
    run.waiting_batches.push_back(
        {.start_ns = i * kBatchNs, .width_ns = kBatchNs, .count = 100, .sum_ns = (i % 2 == 0 ? 2e8 : 3e8)});
  const auto waiting = nlohmann::json::parse(to_json(result_of({run}, false)))["runs"][0]["waiting"];
  EXPECT_EQ(waiting["messages"], 1000);
  EXPECT_EQ(waiting["mean_ns"], 2.5e6);
  EXPECT_LT(waiting["low_ns"], 2.5e6);
  EXPECT_EQ(waiting["batches"], 10);
  EXPECT_NEAR(waiting["utilisation"].get<double>(), 0.7, 1e-9);
  EXPECT_NEAR(waiting["queue_length"].get<double>(), 1.75, 1e-9);
  EXPECT_EQ(waiting["in_system_ns"], 3.5e6);
  EXPECT_NEAR(waiting["in_system_count"].get<double>(), 2.45, 1e-9);
  const auto& model = waiting["models"][0];
  EXPECT_EQ(model["model"], "M/M/1");
  EXPECT_EQ(model["fits_plan"], true);
  EXPECT_NEAR(model["theory_waiting_ns"].get<double>(), 0.7 / 0.3 * 1e6, 1);
  EXPECT_NEAR(model["waiting_ns"].get<double>(), 0.7 / 0.3 * 1e6 + 1e5, 1);
  EXPECT_NEAR(model["in_system_ns"].get<double>(), 1 / 0.3 * 1e6 + 1e5, 1);
  EXPECT_NEAR(model["in_system_count"].get<double>(), (1 / 0.3 + 0.1) * 0.7, 1e-6);
  EXPECT_NEAR(model["empty_probability"].get<double>(), 0.3, 1e-9);
  EXPECT_EQ(waiting["agrees"], true);
  EXPECT_EQ(waiting["caveats"], nlohmann::json::array());
}

TEST(ResultJson, IsOneLineWhateverTheReasonHolds) {
  const std::string json = to_json(result_of({run_with(Verdict::failed, "line\nline \xff")}, false));
  EXPECT_EQ(json.find('\n'), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(json));
}

TEST(ResultJson, HasTheWorstVerdictWithItsReason) {
  const RunRecord passed = run_with(Verdict::passed, "fine");
  const RunRecord stopped = run_with(Verdict::stopped, "stopped by the user");
  const RunRecord failed = run_with(Verdict::failed, "broken");
  EXPECT_EQ(result_of({passed, passed}, false).reason, "both runs passed");
  EXPECT_EQ(result_of({passed, failed, stopped}, false).verdict, Verdict::failed);
  const RunRecord exceeded = run_with(Verdict::exceeded, "p99 <= 1 ms: it was 3.20 ms");
  EXPECT_EQ(result_of({passed, exceeded, stopped}, false).verdict, Verdict::exceeded);
  EXPECT_EQ(result_of({exceeded, failed}, false).verdict, Verdict::failed);
  EXPECT_EQ(result_of({passed, failed, stopped}, false).reason, "run 2 (broadcaster): broken");
  EXPECT_EQ(result_of({passed, stopped}, true).reason, "run 2 (broadcaster): stopped by the user");
}

TEST(ResultJson, IsStoppedWhereASignalCameBetweenTheRuns) {
  const BenchResult result = result_of({run_with(Verdict::passed, "fine")}, true);
  EXPECT_EQ(result.verdict, Verdict::stopped);
  EXPECT_EQ(result.reason, "stopped by a signal");
}

TEST(ExitCode, TellsAKeyThatIsNotKnownFromOtherTroublesOfAHost) {
  EXPECT_EQ(exit_code_of(launch::LinkTrouble::unknown_key), BenchExit::unknown_key);
  EXPECT_EQ(exit_code_of(launch::LinkTrouble::changed_key), BenchExit::host_trouble);
  EXPECT_EQ(exit_code_of(launch::LinkTrouble::login_refused), BenchExit::host_trouble);
  EXPECT_EQ(exit_code_of(launch::LinkTrouble::unreachable), BenchExit::host_trouble);
}

TEST(FailureText, HasTheCommandThatTrustsAKeyWhereItIsUnknownAndNeverWhereItHasChanged) {
  launch::LinkFailure failure{.trouble = launch::LinkTrouble::unknown_key, .text = "text", .host = "vm1"};
  EXPECT_NE(failure_text(failure, {}).find("n2nq-bench hosts trust vm1"), std::string::npos);
  failure.trouble = launch::LinkTrouble::changed_key;
  EXPECT_EQ(failure_text(failure, {}), "text");
}

TEST(ExitCode, TellsTheVerdict) {
  EXPECT_EQ(exit_code_of(Verdict::passed), BenchExit::passed);
  EXPECT_EQ(exit_code_of(Verdict::lost_allowed), BenchExit::passed);
  EXPECT_EQ(exit_code_of(Verdict::failed), BenchExit::failed);
  EXPECT_EQ(exit_code_of(Verdict::stopped), BenchExit::stopped);
  EXPECT_EQ(exit_code_of(Verdict::exceeded), BenchExit::failed);
  EXPECT_EQ(exit_code_of(Verdict::limit), BenchExit::failed);
}

}  // namespace
}  // namespace n2nq::cli
