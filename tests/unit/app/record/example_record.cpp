#include "tests/unit/app/record/example_record.h"

#include <fstream>
#include <sstream>

namespace n2nq::record::test {
namespace {

constexpr int64_t kStart = 1'772'357'400'123'456'789;

measure::LatencySummary example_figures(int64_t from) {
  return {.count = 1000,
          .min = -from,
          .p50 = from * 2,
          .p90 = from * 3,
          .p95 = from * 4,
          .p99 = from * 5,
          .p999 = {},
          .max = from * 6,
          .mean = 2.5 * static_cast<double>(from),
          .stddev = 0.125,
          .trimmed_mean_p95 = 2.25 * static_cast<double>(from)};
}

live::ServiceFigures example_service(Role role, uint32_t number) {
  live::ServiceFigures service{{}, role, number, /*worker=*/1, live::ServiceState::done};
  service.count = 500 + number;
  service.bytes = 25'000;
  service.rate_per_s = 49.875;
  service.accepted = role == Role::sender ? 500 : 0;
  if (role == Role::receiver) service.latency_p99_ns = 124'000;
  return service;
}

void add_rows(RunRecord& record) {
  record.processes = {{.name = "queue",
                       .role = Role::broker,
                       .place = "this computer",
                       .pid = 4711,
                       .end = "ended",
                       .exit_code = 0,
                       .reason = "",
                       .cpu_ns = 12'000'000,
                       .peak_rss_bytes = 5 << 20,
                       .log_dir = "/runs/one"},
                      {.name = "senders",
                       .role = Role::sender,
                       .place = "this computer",
                       .first_service = 1,
                       .services = 2,
                       .pid = 0,
                       .was_started = false,
                       .end = "killed by signal 9",
                       .exit_code = {},
                       .reason = "bus \"gone\"; sünd",
                       .cpu_ns = 0,
                       .peak_rss_bytes = 0,
                       .log_dir = "",
                       .clock_kind = "measured",
                       .clock_offset_ns = -1'500'000,
                       .clock_bound_ns = 40'000,
                       .clock_round_trip_ns = 70'000,
                       .clock_drift_ns = 6'000,
                       .figures_from = "fetched"}};
  record.machines = {{.place = "vm1",
                      .facts = {.processor = "Z80",
                                .cores = 64,
                                .memory_bytes = uint64_t{1} << 40,
                                .kernel = "Linux 6.1 x86_64",
                                .governor = "performance",
                                .congestion_control = "bbr",
                                .tcp_slow_start_after_idle = "1",
                                .tcp_autocorking = "0",
                                .tcp_receive_buffers = "4096 131072 6291456",
                                .tcp_send_buffers = "4096 16384 4194304",
                                .clocksource = "tsc",
                                .virtualisation = "none",
                                .load_1_min = 0.25,
                                .load_5_min = 1.5,
                                .load_15_min = 0,
                                .machine_id = "ab12",
                                .boot_id = "0c7a"}},
                     {.place = "vm2", .facts = {}}};
  for (uint32_t i = 1; i <= 2; i++) record.services.push_back(example_service(Role::sender, i));
  for (uint32_t i = 1; i <= 3; i++) record.services.push_back(example_service(Role::receiver, i));
  record.losses = {{.sender = 2, .expired = 7, .undeliverable = 1}};
  record.notes = {{.utc_ns = kStart, .since_begin_ns = {}, .severity = Severity::info, .text = "started"},
                  {.utc_ns = kStart + 5, .since_begin_ns = -3, .severity = Severity::error, .text = "line\nof two"},
                  {.utc_ns = kStart + 6,
                   .since_begin_ns = 7,
                   .severity = Severity::warning,
                   .text = "server 2: killed by the bench",
                   .kind = EventKind::server,
                   .subject = "server 2",
                   .was_killed = true},
                  {.utc_ns = kStart + 8,
                   .since_begin_ns = 9,
                   .text = "senders: 2 of 3 paused",
                   .kind = EventKind::pause,
                   .subject = "senders",
                   .paused = 2,
                   .senders = 3}};
  record.requests = {{.since_begin_ns = 3'200'000'000, .filters = "1:senders=1 / 2-3:senders=self"},
                     {.since_begin_ns = 4'500'000'000, .filters = ""}};
  record.passed_limits = {
      {.metric = "p99", .limit = 5e6, .value = 6.25e6, .since_begin_ns = 3'000'000'000, .stopped = true, .fails = true},
      {.metric = "rate", .at_most = false, .limit = 20'000, .value = 0.5}};
  record.warnings = {{.id = "cpu-sender-1",
                      .text = "the senders' process uses 96 % of a core",
                      .from_ns = 1'200'000'000,
                      .held_ns = 2'600'000'000,
                      .doubt = true},
                     {.id = "rate", .text = "the senders did not reach the planned rate", .doubt = true}};
  record.series = {
      {.start_ns = 0, .width_ns = 100, .sent = 4.5, .received = 9, .p50_ns = 1, .p95_ns = 2, .p99_ns = 3, .max_ns = 4},
      {.start_ns = 100, .width_ns = 100, .sent = 0, .received = 0, .lost = 1.5, .accepted = 2.5}};
  record.outages = {{.at_ns = 40,
                     .server = "server 2 (leader)",
                     .killed = true,
                     .gap_ns = 9'000'000,
                     .answer_gap_ns = 8'000'000,
                     .flows_after_ns = 11'000'000,
                     .within_ns = 1},
                    {.at_ns = 60, .server = "server 1", .gap_ns = 100'000}};
  record.catch_ups = {{.paused_ns = 50, .resumed_ns = 90, .before = 0.5, .most = 8.25, .took_ns = 70},
                      {.paused_ns = 150, .resumed_ns = 160, .before = 0, .most = 4, .took_ns = {}}};
  record.layers = {{.from = "vm2",
                    .to = "vm1",
                    .layer = Layer::network,
                    .method = "tcp_connect",
                    .sent = 12,
                    .lost = 3,
                    .figures = example_figures(9'000)},
                   {.from = "vm2", .to = "vm1", .layer = Layer::bus, .method = "", .figures = example_figures(55'000)}};
  record.paths = {{.from = "vm2", .to = "vm1", .hop = 1, .address = "", .round_trip_ns = {}},
                  {.from = "vm2",
                   .to = "vm1",
                   .hop = 2,
                   .address = "10.0.0.5",
                   .round_trip_ns = 81'000,
                   .reached = true,
                   .port = 7400,
                   .source_port = 40001}};
  record.background_loads = {{.from = "vm1",
                              .to = "vm2",
                              .asked_ns = 10,
                              .at_ns = 5,
                              .duration_ns = 9,
                              .bytes = uint64_t{1} << 40,
                              .cut_short = true,
                              .trouble = "lost"},
                             {.from = "vm2", .to = "vm1"}};
  record.bandwidths = {{.from = "vm2", .to = "vm1", .bytes = 64 << 20, .duration_ns = 512'000'000}};
  const auto of_host = [](const char* name, std::optional<double> value, std::vector<double> values,
                          const char* why = "") {
    return live::HostSeries{.of = live::RecordedOf::host, .name = name, .value = value, .why = why, .values = values};
  };
  record.hosts = {{.place = "vm1",
                   .start_ns = {0, 1'000'000'000},
                   .width_ns = {1'000'000'000, 500'000'000},
                   .series = {of_host("cpu_user", 1.25e9, {1, 0.5}),
                              of_host("cpu_system", 0.5e9, {0.25, 0.5}),
                              of_host("cpu_iowait", 0, {0, 0}),
                              of_host("cpu_steal", 0, {0, 0}),
                              of_host("cpu_idle", 1.25e9, {0.75, 1}),
                              of_host("disk_written", {}, {}, "no disk is visible"),
                              {.of = live::RecordedOf::process,
                               .subject = "queue",
                               .name = "cpu",
                               .value = 0.25e9,
                               .values = {0.25, live::kNoReading}},
                              {.of = live::RecordedOf::connections,
                               .subject = "workers",
                               .name = "retransmits",
                               .value = 3,
                               .values = {2, 2}}},
                   .awake = "2 spinners of class idle"}};
  record.histograms = {{.name = "latency_ns",
                        .moments = {.count = 6, .min = -5, .max = 90'000, .sum = 1.5e5, .sum_squares = 8.5e9},
                        .buckets = {{.index = -6, .count = 1}, {.index = 80, .count = 5}}},
                       {.name = "delay_ns", .moments = {}, .buckets = {}}};
}

}  // namespace

RunRecord example_record(const std::string& name) {
  RunRecord record;
  record.run_id = "00c0ffee00c0ffee";
  record.plan.name = name;
  record.plan.queue.mode = plan::Mode::load_balancer;
  record.plan.queue.requests.on = true;
  record.plan.senders.fleet.count = 2;
  record.plan.receivers.fleet.count = 3;
  record.started_utc_ns = kStart;
  record.began_utc_ns = kStart + 1'000'000'000;
  record.ended_utc_ns = kStart + 6'000'000'000;
  record.verdict = Verdict::lost_allowed;
  record.reason = "8 of 1,000 messages were older than 5 s when a receiver was ready for them";
  record.trust = Trust::doubtful;
  record.totals = {.planned = 1000,
                   .sent = 1000,
                   .accepted = 999,
                   .bytes_sent = 50'000,
                   .expected = 1000,
                   .received = 992,
                   .lost = 8,
                   .expired = 7,
                   .undeliverable = 1,
                   .duplicates = 2,
                   .reordered = 3,
                   .corrupt = 4,
                   .redelivered = 5};
  record.latencies[Latency::latency] = example_figures(40'000);
  record.latencies[Latency::scheduled_latency] = example_figures(41'000);
  record.latencies[Latency::warmup_latency] = {};
  record.latencies[Latency::delay] = example_figures(20'000'000);
  record.latencies[Latency::lateness] = example_figures(300);
  record.latencies[Latency::held] = example_figures(310);
  record.latencies[Latency::publish] = example_figures(320);
  record.latencies[Latency::waiting] = example_figures(400);
  record.latencies[Latency::service] = example_figures(500);
  record.latencies[Latency::in_system] = example_figures(600);
  record.latencies[Latency::handover] = example_figures(700);
  record.latencies[Latency::occupied] = example_figures(800);
  record.waiting_batches = {{.start_ns = 0, .width_ns = 100'000'000, .count = 7, .sum_ns = 1.25e6},
                            {.start_ns = 100'000'000, .width_ns = 100'000'000, .count = 0, .sum_ns = 0}};
  record.clock_kind = "measured";
  record.clock_bound_ns = 1234;
  record.rate_reached = false;
  record.machine_json = R"({"cores":2})";
  record.server = "redis-server 7.0.15";
  record.bus_client = "n2nq 0.1.0";
  record.bus_settings = R"({"window":"1000"})";
  add_rows(record);
  return record;
}

RunRecord example_replies() {
  RunRecord record = example_record("replies");
  record.plan.queue.requests.on = false;
  record.plan.queue.mode = plan::Mode::request_reply;
  record.plan.senders.outstanding = 4;
  record.plan.senders.delay_ns = 0;
  record.closed_loop = 4;
  record.totals.replies = 988;
  record.totals.timeouts = 12;
  record.totals.late_replies = 3;
  record.totals.double_replies = 1;
  record.totals.wire_bytes = 250'000;
  record.totals.connections = 5;
  record.processes.back().wire_sent_bytes = 80'000;
  record.processes.back().nodelay = false;
  record.processes.back().send_buffer_bytes = 87'040;
  record.processes.back().receive_buffer_bytes = 131'072;
  record.processes.back().congestion = "cubic";
  record.processes.back().wire_received_bytes = 45'000;
  record.processes.back().connections = 2;
  record.latencies[Latency::turnaround] = example_figures(90'000);
  record.latencies[Latency::warmup_turnaround] = example_figures(95'000);
  record.latencies[Latency::scheduled_turnaround] = example_figures(96'000);
  record.latencies[Latency::reply_latency] = example_figures(42'000);
  record.histograms.push_back({.name = "turnaround_ns",
                               .moments = {.count = 1, .min = 80, .max = 80, .sum = 80, .sum_squares = 6400},
                               .buckets = {{.index = 80, .count = 1}}});
  live::ServiceFigures& requester = record.services.front();
  requester.replies = 494;
  requester.timeouts = 6;
  requester.late_replies = 2;
  requester.double_replies = 1;
  requester.turnaround_ns = 91'000;
  live::SeriesPoint& slot = record.series.front();
  slot.replies = 3.5;
  slot.timeouts = 0.5;
  slot.turnaround_p50_ns = 11;
  slot.turnaround_p95_ns = 12;
  slot.turnaround_p99_ns = 13;
  slot.turnaround_max_ns = 14;
  slot.scheduled_turnaround_p50_ns = 15;
  slot.scheduled_turnaround_p99_ns = 16;
  slot.reply_p50_ns = 17;
  slot.reply_p99_ns = 18;
  slot.delay_p50_ns = 19;
  slot.delay_p99_ns = 20;
  slot.lateness_p50_ns = 21;
  slot.lateness_p99_ns = 22;
  return record;
}

std::string difference(const RunRecord& left, const RunRecord& right) {
  std::string text;
  const auto differ = [&](const char* what, bool same) {
    if (!same) text.append(text.empty() ? "" : ", ").append(what);
  };
  differ("run_id", left.run_id == right.run_id);
  differ("plan", left.plan == right.plan);
  differ("times", left.started_utc_ns == right.started_utc_ns && left.began_utc_ns == right.began_utc_ns &&
                      left.ended_utc_ns == right.ended_utc_ns);
  differ("verdict", left.verdict == right.verdict && left.reason == right.reason);
  differ("totals", left.totals == right.totals);
  for (const control::LatencyRow& row : control::kLatencies)
    differ(row.name, left.latencies[row.latency] == right.latencies[row.latency]);
  differ("closed loop", left.closed_loop == right.closed_loop);
  differ("clock", left.clock_kind == right.clock_kind && left.clock_bound_ns == right.clock_bound_ns);
  differ("rate", left.rate_reached == right.rate_reached);
  differ("processes", left.processes == right.processes);
  differ("services", left.services == right.services);
  differ("losses", left.losses == right.losses);
  differ("layers", left.layers == right.layers);
  differ("background loads", left.background_loads == right.background_loads);
  differ("paths", left.paths == right.paths && left.bandwidths == right.bandwidths);
  differ("limits", left.passed_limits == right.passed_limits);
  differ("notes", left.notes == right.notes);
  differ("requests", left.requests == right.requests);
  differ("series", left.series == right.series);
  differ("catch-ups", left.catch_ups == right.catch_ups);
  differ("outages", left.outages == right.outages);
  differ("waiting", left.waiting_batches == right.waiting_batches);
  differ("hosts", left.hosts == right.hosts);
  differ("histograms", left.histograms == right.histograms);
  differ("folder", left.folder == right.folder && left.master_file == right.master_file);
  differ("machines", left.machines == right.machines);
  differ("machine", left.machine_json == right.machine_json);
  differ("server", left.server == right.server);
  differ("bus client", left.bus_client == right.bus_client);
  differ("bus settings", left.bus_settings == right.bus_settings);
  return text;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace n2nq::record::test
