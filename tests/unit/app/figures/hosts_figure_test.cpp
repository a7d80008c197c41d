// What is shown of the hosts of a run: the figure, the metrics, the table and the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>

#include "app/figures/figures.h"
#include "app/figures/host_tables.h"
#include "app/figures/metric.h"
#include "app/record/host_json.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::figures {
namespace {

constexpr int64_t kOneSecond = 1'000'000'000;

bool says(const Figure& figure, const std::string& text) {
  return std::ranges::find(figure.notes, text) != figure.notes.end();
}

TEST(HostsFigure, HasALineForTheHostAndOneForEachRoleOnItOnTheAxisOfTheRun) {
  const auto hosts = record::test::example_record().hosts;
  const Figure figure = hosts_figure(HostLane::processor, hosts, {});
  EXPECT_EQ(figure.x.quantity, Quantity::time_ns);
  ASSERT_EQ(figure.series.size(), 3u) << "neither senders nor receivers were recorded";
  EXPECT_EQ(figure.series[0].name, "vm1");
  ASSERT_EQ(figure.series[0].points.size(), 2u);
  EXPECT_EQ(figure.series[0].points[0], (Point{.x = 0.5e9, .y = 1.25}));
  EXPECT_EQ(figure.series[0].points[1], (Point{.x = 1.25e9, .y = 1}));
  EXPECT_EQ(figure.series[1].name, "queue");
  EXPECT_EQ(figure.series[1].points.size(), 1u) << "where it had no reading there is no point";
  EXPECT_EQ(figure.series[2].name, "vm1, all cores");
  EXPECT_EQ(figure.series[2].points, (std::vector<Point>{{.x = 0.5e9, .y = 2}, {.x = 1.25e9, .y = 2}}));
  EXPECT_FALSE(figure.series[2].on_demand);
  EXPECT_TRUE(says(figure, "vm1 58.3 % busy on average, 2 cores"));
}

// Between two ticks of the kernel's clock many a short turn of a process fits.
TEST(HostsFigure, AHostIsNoLessBusyThanTheProcessesOnIt) {
  const auto of_host = [](const char* name, double value) {
    return live::HostSeries{.name = name, .value = value * 1e9, .values = {value}};
  };
  const auto process = [](const char* name, double value) {
    return live::HostSeries{
        .of = live::RecordedOf::process, .subject = name, .name = "cpu", .value = value * 1e9, .values = {value}};
  };
  const live::HostHistory host{
      .place = "this computer",
      .start_ns = {0},
      .width_ns = {kOneSecond},
      .series = {of_host("cpu_user", 0), of_host("cpu_system", 0), of_host("cpu_iowait", 0), of_host("cpu_steal", 0),
                 of_host("cpu_idle", 2), process("queue", 0.06), process("senders", 0.04)}};
  const Figure figure = hosts_figure(HostLane::processor, std::vector{host}, {});
  ASSERT_EQ(figure.series.size(), 4u);
  EXPECT_NEAR(figure.series[0].points.at(0).y, 0.1, 1e-9);
  EXPECT_TRUE(says(figure, "this computer 5.0 % busy on average, 2 cores")) << testing::PrintToString(figure.notes);
}

// Each lane has what the recorder says of the host first, then of the roles on it, in its own unit.
TEST(HostsFigure, HasALaneForMemoryDisksAndNetwork) {
  const auto of_host = [](const char* name, double value) {
    return live::HostSeries{.name = name, .value = value, .values = {value}};
  };
  const auto process = [](const char* subject, const char* name, double value) {
    return live::HostSeries{
        .of = live::RecordedOf::process, .subject = subject, .name = name, .value = value, .values = {value}};
  };
  live::HostHistory host{
      .place = "vm1",
      .start_ns = {0},
      .width_ns = {kOneSecond},
      .series = {of_host("memory_used", 8e9), of_host("disk_read", 1e6), of_host("disk_written", 2e6),
                 of_host("network_received", 3e6), of_host("network_sent", 4e6), of_host("loopback", 5e6),
                 process("queue", "memory", 1e7), process("senders", "memory", 2e7),
                 process("senders 2", "memory", 3e7), process("receivers", "disk_written", 6e6)}};
  struct Line {
    std::string name;
    double value;
    bool operator==(const Line&) const = default;
  };
  const struct {
    HostLane lane;
    const char* id;
    std::vector<Line> lines;
  } cases[] = {
      {HostLane::memory, "memory", {{"vm1", 8e9}, {"queue", 1e7}, {"senders", 5e7}}},
      {HostLane::disks, "disks", {{"vm1, read", 1}, {"vm1, written", 2}, {"receivers, written", 6}}},
      {HostLane::network, "network", {{"vm1, received", 3}, {"vm1, sent", 4}, {"vm1, loopback", 5}}},
  };
  for (const auto& one : cases) {
    const Figure figure = hosts_figure(one.lane, std::vector{host}, {});
    std::vector<Line> lines;
    for (const Series& series : figure.series) lines.push_back({series.name, series.points.at(0).y});
    EXPECT_EQ(lines, one.lines) << one.id;
    EXPECT_EQ(figure.id, one.id);
    EXPECT_EQ(host_lane(figure), one.lane);
  }
  live::HostHistory other = host;
  other.place = "vm2";
  EXPECT_EQ(hosts_figure(HostLane::memory, std::vector{host, other}, {}).series[4].name, "queue on vm2");
  host.series = {{.name = "disk_read", .why = "/proc/diskstats is not there"}};
  EXPECT_TRUE(says(hosts_figure(HostLane::disks, std::vector{host}, {}), "vm1: /proc/diskstats is not there"));
  EXPECT_FALSE(says(hosts_figure(HostLane::memory, std::vector{host}, {}), "vm1: /proc/diskstats is not there"));
}

TEST(HostsFigure, IsCutToARangeAndMergedToWhatCanBeDrawn) {
  live::HostHistory host{.place = "vm1"};
  live::HostSeries user{.name = "cpu_user", .value = 1}, system{.name = "cpu_system", .value = 1};
  for (int i = 0; i < 1000; i++) {
    host.start_ns.push_back(i * kOneSecond);
    host.width_ns.push_back(kOneSecond);
    user.values.push_back(i % 2);
    system.values.push_back(1);
  }
  host.series = {user, system};
  const std::vector<live::HostHistory> hosts{host};
  const Figure all = hosts_figure(HostLane::processor, hosts, {});
  ASSERT_EQ(all.series.size(), 1u);
  EXPECT_EQ(all.series[0].points.size(), 250u);
  for (const Point& point : all.series[0].points) EXPECT_NEAR(point.y, 1.5, 1e-9);
  const Figure part = hosts_figure(HostLane::processor, hosts, {}, 10 * kOneSecond, 20 * kOneSecond);
  EXPECT_EQ(part.series[0].points.size(), 10u);
}

// The smoothed round trip has delayed acknowledgements in it: 40 ms where nothing flows back.
TEST(LatencyOverTimeFigure, HasTheRoundTripsOfNetworkAndOfTcpAtItsLeast) {
  live::HostHistory host{.place = "vm2"};
  host.start_ns = {0, kOneSecond, 2 * kOneSecond};
  host.width_ns = {kOneSecond, kOneSecond, kOneSecond};
  const auto none = live::kNoReading;
  host.series = {
      {.name = "network_round_trip", .values = {200'000, none, 240'000}},
      {.of = live::RecordedOf::connections, .subject = "workers", .name = "rtt", .values = {40e6, 40e6, 40e6}},
      {.of = live::RecordedOf::connections, .subject = "workers", .name = "rtt_least", .values = {3e5, 2.5e5, 2.5e5}},
      {.of = live::RecordedOf::connections, .subject = "queue", .name = "rtt_least", .values = {1e5, 1e5, 1e5}}};
  const std::vector<live::SeriesPoint> slots{{.start_ns = 0, .width_ns = kOneSecond, .p50_ns = 500'000}};
  const std::vector<live::HostHistory> hosts{host};
  const Figure figure = latency_over_time_figure(slots, {}, hosts);
  const auto line = [&](const std::string& name) {
    for (const Series& one : figure.series)
      if (one.name == name) return one;
    ADD_FAILURE() << name;
    return Series{};
  };
  EXPECT_EQ(line("network, vm2").points, (std::vector<Point>{{.x = 5e8, .y = 200'000}, {.x = 2.5e9, .y = 240'000}}));
  EXPECT_EQ(line("TCP, vm2").points,
            (std::vector<Point>{{.x = 5e8, .y = 3e5}, {.x = 1.5e9, .y = 2.5e5}, {.x = 2.5e9, .y = 2.5e5}}));
  EXPECT_TRUE(line("TCP, vm2").on_demand);
  EXPECT_EQ(figure.series.size(), 6u) << "and no other one";
  EXPECT_TRUE(says(figure,
                   "network, TCP: round trips to the queue's host; of TCP the kernel's least of some minutes, without "
                   "delayed acknowledgements"));
  EXPECT_FALSE(says(latency_over_time_figure(slots, {}), "acknowledgements"));
}

TEST(HostsFigure, SaysWhyItIsEmpty) {
  const auto text = [](HostLane lane, const std::vector<live::HostHistory>& hosts, const FigureContext& context) {
    return hosts_figure(lane, hosts, context).empty_text;
  };
  EXPECT_EQ(text(HostLane::processor, {}, {.recorded = false}),
            "Hosts are not recorded in this run: Record hosts is off in the plan");
  EXPECT_EQ(text(HostLane::processor, {}, {}), "Nothing is known of the hosts of this run") << "it was cut off";
  EXPECT_TRUE(text(HostLane::processor, {}, {.stage = Stage::planned}).starts_with("Start the run"));
  live::HostHistory without_disks{.place = "vm1", .start_ns = {0}, .width_ns = {kOneSecond}};
  without_disks.series = {{.name = "disk_read", .why = "no disk is visible"}};
  EXPECT_EQ(text(HostLane::disks, {without_disks}, {.stage = Stage::planned}),
            "The recorder has no such figures of these hosts; the notes say why");
}

TEST(HostsFigure, SaysWhyAHostIsNotInIt) {
  live::HostHistory host{.place = "vm2"};
  for (const control::HostColumn& column : control::kHostColumns)
    host.series.push_back({.name = std::string(column.name), .why = "the recorder did not run: exec format error"});
  const Figure figure = hosts_figure(HostLane::processor, std::vector{host}, {});
  EXPECT_TRUE(figure.empty());
  EXPECT_TRUE(says(figure, "vm2: the recorder did not run: exec format error"));
}

TEST(HostMetrics, AreOfTheWholeRunAndNothingWhereAPartIsMissing) {
  record::RunRecord record = record::test::example_record();
  record.hosts[0].place = record::queue_place(record);
  const auto value = [&record](const char* name) { return find_metric(name)->value(record); };
  EXPECT_NEAR(value("host-cpu").value(), 100 * 1.75 / 3, 1e-6);
  EXPECT_FALSE(value("retransmits")) << "nothing is known of the queue's side";
  record.hosts[0].series.push_back(
      {.of = live::RecordedOf::connections, .subject = "queue", .name = "retransmits", .value = 2});
  EXPECT_FALSE(value("retransmits")) << "nor that it had connections";
  for (const char* side : {"queue", "workers"})
    record.hosts[0].series.push_back(
        {.of = live::RecordedOf::connections, .subject = side, .name = "connections", .value = 4});
  EXPECT_EQ(value("retransmits"), 5);
  EXPECT_FALSE(value("cpu-per-delivery")) << "one of several processes was recorded";
  EXPECT_FALSE(value("written-per-message"));
  record.processes.resize(1);
  EXPECT_NEAR(value("cpu-per-delivery").value(), 0.25e9 / static_cast<double>(record.totals.received), 1e-6);
  record.hosts[0].series.push_back(
      {.of = live::RecordedOf::process, .subject = "queue", .name = "disk_written", .value = 5000});
  EXPECT_NEAR(value("written-per-message").value(), 5, 1e-9);
  EXPECT_EQ(value("written"), 5000);
  record.hosts[0].series.push_back(
      {.of = live::RecordedOf::process, .subject = "queue", .name = "memory", .value = 7e6});
  EXPECT_EQ(value("memory"), 7e6);
  for (live::HostSeries& one : record.hosts[0].series) {
    const bool of_host = one.of == live::RecordedOf::host;
    if (of_host && one.name == "cpu_user") one.value = 1e9;
    if (of_host && one.name == "cpu_system") one.value = 3e9;
    if (of_host && one.name == "cpu_idle") one.value = 6e9;
    if (of_host && (one.name == "cpu_iowait" || one.name == "cpu_steal")) one.value = 0;
  }
  EXPECT_NEAR(*value("host-cpu-user"), 10, 1e-9);
  EXPECT_NEAR(*value("host-cpu-system"), 30, 1e-9);
  EXPECT_NEAR(*value("host-cpu"), 40, 1e-9);
  record.hosts.clear();
  for (const char* name :
       {"host-cpu", "host-cpu-user", "memory", "written", "cpu-per-delivery", "written-per-message", "retransmits"})
    EXPECT_FALSE(value(name)) << name;
}

// A run whose three servers are on vm1 to vm3, and whose queue is on vm0: 1,000 messages were sent.
record::RunRecord with_servers_on_hosts() {
  record::RunRecord record;
  record.plan.queue.host = "vm0";
  record.plan.bus.kind = "kafka";
  record.plan.bus.settings = {{"servers", "3"}, {"hosts", "vm1, vm2, vm3"}};
  record.totals.sent = 1000;
  const auto host = [](const char* place, const char* process, double user, double system, double idle, double memory,
                       double written) {
    const auto of_host = [](const char* name, double value) { return live::HostSeries{.name = name, .value = value}; };
    const auto of_process = [&](const char* name, double value) {
      return live::HostSeries{.of = live::RecordedOf::process, .subject = process, .name = name, .value = value};
    };
    return live::HostHistory{.place = place,
                             .series = {of_host("cpu_user", user), of_host("cpu_system", system),
                                        of_host("cpu_iowait", 0), of_host("cpu_steal", 0), of_host("cpu_idle", idle),
                                        of_process("memory", memory), of_process("disk_written", written)}};
  };
  record.hosts = {host("vm0", "queue", 9e9, 1e9, 0, 5e6, 123'456),
                  host("vm1", "servers on vm1", 1e9, 1e9, 8e9, 100e6, 10'000),
                  host("vm2", "servers on vm2", 2e9, 1e9, 7e9, 200e6, 20'000),
                  host("vm3", "servers on vm3", 6e9, 4e9, 10e9, 300e6, 30'000)};
  return record;
}

TEST(HostMetrics, AreOfAllServersThatAreOnHostsOfTheirOwn) {
  struct Case {
    const char* what;
    std::function<void(record::RunRecord& record)> change;
    std::optional<double> cpu, user, system, memory, written, written_per_message;
  };
  const auto drop = [](const char* place, const char* series) {
    return [=](record::RunRecord& record) {
      for (live::HostHistory& host : record.hosts)
        if (host.place == place) std::erase_if(host.series, [&](const auto& one) { return one.name == series; });
    };
  };
  const auto none = std::nullopt;
  const Case cases[] = {
      // Shares of 20, 30 and 50 % are 100 / 3 on average, those of programs 10, 20 and 30, of the kernel 10, 10, 20.
      {"all recorded", [](record::RunRecord&) {}, 100.0 / 3, 20, 40.0 / 3, 600e6, 60'000, 60},
      {"nothing of vm2", [](record::RunRecord& record) { record.hosts.erase(record.hosts.begin() + 2); }, none, none,
       none, none, none, none},
      {"no series of vm2", [](record::RunRecord& record) { record.hosts[2].series.clear(); }, none, none, none, none,
       none, none},
      {"no disk of vm3", drop("vm3", "disk_written"), 100.0 / 3, 20, 40.0 / 3, 600e6, none, none},
      {"no processor of vm1", drop("vm1", "cpu_idle"), none, none, none, 600e6, 60'000, 60},
      {"nothing of the queue's host", [](record::RunRecord& record) { record.hosts.erase(record.hosts.begin()); },
       100.0 / 3, 20, 40.0 / 3, 600e6, 60'000, 60},
      // vm1 has the queue as well: it is one of three computers, and only its servers are in memory and written.
      {"the queue beside a server",
       [](record::RunRecord& record) {
         record.plan.queue.host = "vm1";
         for (live::HostSeries one : record.hosts[0].series)
           if (one.subject == "queue") record.hosts[1].series.push_back(std::move(one));
         record.hosts.erase(record.hosts.begin());
       },
       100.0 / 3, 20, 40.0 / 3, 600e6, 60'000, 60},
      {"two hosts", [](record::RunRecord& record) { record.plan.bus.settings["hosts"] = "vm1, vm3"; }, 35, 20, 15,
       400e6, 40'000, 40},
      {"beside the queue", [](record::RunRecord& record) { record.plan.bus.settings["hosts"] = ""; }, 100, 90, 10, 5e6,
       123'456, 123.456},
      {"a server of the user's own",
       [](record::RunRecord& record) { record.plan.bus.settings = {{"address", "10.0.0.1:9092"}}; }, none, none, none,
       none, none, none},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    record::RunRecord record = with_servers_on_hosts();
    one.change(record);
    const std::pair<const char*, std::optional<double>> wanted[] = {
        {"host-cpu", one.cpu},  {"host-cpu-user", one.user}, {"host-cpu-system", one.system},
        {"memory", one.memory}, {"written", one.written},    {"written-per-message", one.written_per_message}};
    for (const auto& [name, value] : wanted) {
      const std::optional<double> found = find_metric(name)->value(record);
      ASSERT_EQ(found.has_value(), value.has_value()) << name;
      if (value) {
        EXPECT_NEAR(*found, *value, 1e-6) << name;
      }
    }
  }
}

// While a run goes on each host has its own last reading, and the messages as of that.
TEST(HostMetrics, OfServersOnHostsAreOverTheMessagesAsOfEachHostsLastReading) {
  live::LiveFigures live(0, 0);
  live.set_queue_host("vm0");
  live.set_bus(*bus::find_bus("kafka"), {{"servers", "2"}, {"hosts", "vm1, vm2"}});
  const Metric& metric = *find_metric("written-per-message");
  const auto tell = [&live](const std::string& place, int64_t time_ns, int64_t written) {
    control::Recorded line{.time_ns = time_ns};
    std::vector<int64_t> values(control::kProcessColumns.size(), control::kNoFigure);
    values[control::at(control::kProcessColumns, "disk_written")] = written;
    line.processes = {{.name = live::servers_on(place), .values = values}};
    live.hosts().take(place, line);
  };
  for (const char* place : {"vm0", "vm1", "vm2"}) {
    live.hosts().add(place);
    live.hosts().begin(place, 0);
    tell(place, 0, 0);
  }
  tell("vm0", kOneSecond, 999);
  tell("vm1", kOneSecond, 3'000);
  live.hosts().count("vm1", {.sent = 100});
  EXPECT_FALSE(metric.at_instant(live)) << "vm2 has told nothing yet";
  tell("vm2", kOneSecond, 4'000);
  live.hosts().count("vm2", {.sent = 200});
  EXPECT_NEAR(metric.at_instant(live).value_or(-1), 3'000.0 / 100 + 4'000.0 / 200, 1e-9);
  live.set_bus(*bus::find_bus("kafka"), {{"address", "10.0.0.1:9092"}});
  EXPECT_FALSE(metric.at_instant(live)) << "a server of the user's own";
}

// Of several hosts the one that is farthest away, and of its connections the least.
TEST(HostMetrics, HaveTheRoundTripsOfTheFarthestHost) {
  record::RunRecord record;
  const auto value = [&record](const char* name) { return find_metric(name)->value(record); };
  EXPECT_FALSE(value("network-rtt"));
  EXPECT_FALSE(value("tcp-rtt"));
  record.layers = {{.from = "vm1", .to = "vm1", .layer = record::Layer::network, .figures = {.count = 9, .min = 20}},
                   {.from = "vm2", .to = "vm1", .layer = record::Layer::network, .figures = {.count = 9, .min = 300}},
                   {.from = "vm2", .to = "vm1", .layer = record::Layer::tcp, .figures = {.count = 9, .min = 999}},
                   {.from = "vm3", .to = "vm1", .layer = record::Layer::network}};
  const auto host = [](const char* place, std::optional<double> queue, std::optional<double> workers) {
    return live::HostHistory{
        .place = place,
        .series = {{.of = live::RecordedOf::connections, .subject = "queue", .name = "rtt_least", .value = queue},
                   {.of = live::RecordedOf::connections, .subject = "workers", .name = "rtt_least", .value = workers},
                   {.of = live::RecordedOf::connections, .subject = "workers", .name = "rtt", .value = 5'000}}};
  };
  record.hosts = {host("vm1", 30, 25), host("vm2", std::nullopt, 350), host("vm3", std::nullopt, std::nullopt)};
  EXPECT_EQ(value("network-rtt"), 300);
  EXPECT_EQ(value("tcp-rtt"), 350);
  record.plan.bus.kind = "websocket";
  EXPECT_FALSE(value("tcp-rtt")) << "its messages went over other connections";
  record.hosts[1].series[1].subject = "senders";
  EXPECT_EQ(value("tcp-rtt"), 350);
}

// Of the sides that carry messages: those at the queue's port where it is the bus, else those of processes.
TEST(HostsFigure, HasLanesForWhatTcpSaysOfTheConnections) {
  live::HostHistory host{.place = "vm2", .start_ns = {0}, .width_ns = {kOneSecond}};
  double number = 0;
  for (const char* side : {"queue", "workers", "servers", "senders", "receivers"})
    for (const char* name : {"rtt", "rtt_max", "rtt_least", "cwnd", "retransmits", "threshold"})
      host.series.push_back({.of = live::RecordedOf::connections, .subject = side, .name = name, .values = {++number}});
  using Lines = std::vector<std::tuple<std::string, double, bool>>;
  const auto drawn = [&host](const char* bus, HostLane lane) {
    FigureContext context;
    context.bus.kind = bus;
    Lines lines;
    for (const Series& one : hosts_figure(lane, std::vector{host}, context).series)
      lines.emplace_back(one.name, one.points.at(0).y, one.on_demand);
    return lines;
  };
  EXPECT_EQ(drawn("n2nq", HostLane::round_trip), (Lines{{"queue", 1, false},
                                                        {"workers", 7, false},
                                                        {"queue, largest", 2, true},
                                                        {"workers, largest", 8, true},
                                                        {"queue, least", 3, true},
                                                        {"workers, least", 9, true}}));
  EXPECT_EQ(drawn("kafka", HostLane::window), (Lines{{"servers", 16, false},
                                                     {"senders", 22, false},
                                                     {"receivers", 28, false},
                                                     {"servers, slow start ends", 18, true},
                                                     {"senders, slow start ends", 24, true},
                                                     {"receivers, slow start ends", 30, true}}));
  EXPECT_EQ(drawn("http", HostLane::sent_again), (Lines{{"senders", 23, false}, {"receivers", 29, false}}))
      << "which has no server between";
}

TEST(LatencyOverTimeFigure, HasTheRoundTripsOfTcpOverAnotherBus) {
  live::HostHistory host{.place = "vm2", .start_ns = {0}, .width_ns = {kOneSecond}};
  for (const auto& [side, least] : {std::pair("servers", 1e5), {"senders", 3e5}, {"receivers", 2e5}, {"workers", 7.0}})
    host.series.push_back(
        {.of = live::RecordedOf::connections, .subject = side, .name = "rtt_least", .values = {least}});
  const RoundTrips trips = round_trips_of(std::vector{host}, 0, INT64_MAX, *bus::find_bus("kafka"));
  const std::vector<Series>& all = trips.series;
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "TCP, vm2");
  EXPECT_EQ(all[0].points, (std::vector<Point>{{.x = 5e8, .y = 2e5}}));
}

TEST(HostsFigure, SaysHowManyLinesItDoesNotDraw) {
  std::vector<live::HostHistory> hosts;
  for (int i = 0; i < 26; i++) {
    const live::HostSeries user{.name = "cpu_user", .value = 1, .values = {1}};
    live::HostSeries system = user;
    system.name = "cpu_system";
    hosts.push_back(
        {.place = "vm" + std::to_string(i), .start_ns = {0}, .width_ns = {kOneSecond}, .series = {user, system}});
  }
  const Figure figure = hosts_figure(HostLane::processor, hosts, {});
  EXPECT_EQ(figure.series.size(), 24u);
  EXPECT_TRUE(says(figure, "2 more lines are not drawn; the table has all"));
}

TEST(HostsFigure, DrawsWhatWasReadOfARecorderThatWasLost) {
  record::RunRecord record = record::test::example_record();
  for (live::HostSeries& series : record.hosts[0].series) series.value.reset();
  EXPECT_EQ(hosts_figure(HostLane::processor, record.hosts, {}).series.size(), 3u);
}

TEST(HostTables, ALargestValueIsNotCalledAMean) {
  record::RunRecord record = record::test::example_record();
  record.hosts[0].series = {
      {.of = live::RecordedOf::connections, .subject = "queue", .name = "rtt_max", .value = 2e6, .values = {1e6, 2e6}}};
  const auto rows = host_rows(record);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].cells[3], "largest 2.00 ms");
  const nlohmann::json json = nlohmann::json::parse(record::host_json(record.hosts[0]).dump());
  EXPECT_EQ(json["series"][0].value("largest", 0.0), 2e6) << json;
  std::vector<live::HostHistory> read;
  ASSERT_TRUE(record::take_hosts(nlohmann::json::array({json}), read));
  EXPECT_EQ(read, record.hosts);
  nlohmann::json old = json;  // of an older bench
  old["series"][0]["mean"] = old["series"][0]["largest"];
  old["series"][0].erase("largest");
  read.clear();
  ASSERT_TRUE(record::take_hosts(nlohmann::json::array({old}), read));
  EXPECT_EQ(read, record.hosts);
}

TEST(HostTables, TellEverySeriesAndWhyOneIsMissing) {
  record::RunRecord record = record::test::example_record();
  const auto rows = host_rows(record);
  ASSERT_EQ(rows.size(), record.hosts[0].series.size());
  const auto missing = std::ranges::find_if(
      rows, [](const TableRow& row) { return row.cells[2].find("no disk is visible") != std::string::npos; });
  ASSERT_NE(missing, rows.end());
  EXPECT_EQ(missing->cells[3], "-");
  const std::string csv = host_csv(record);
  EXPECT_TRUE(csv.starts_with("host,of,subject,series,unit,start_ns,width_ns,value\r\n"));
  EXPECT_NE(csv.find("vm1,process,queue,cpu,cores,0,1000000000,0.25\r\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find("vm1,connections,workers,retransmits,1/s,1000000000,500000000,2\r\n"), std::string::npos);
}

}  // namespace
}  // namespace n2nq::figures
