#include "app/figures/record_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/figures/metric.h"
#include "app/figures/setting_text.h"

namespace n2nq::figures {
namespace {

std::string total_of(const record::RunRecord& record, const std::string& name) {
  for (const TableRow& row : total_rows(record))
    if (row.cells.at(0) == name) return row.cells.at(1);
  return {};
}

TEST(SettingRows, NameAndSayASettingAsTheFormsDo) {
  record::RunRecord record;
  record.plan.senders.messages = 6000;
  record.plan.queue.responses = true;
  record.plan.senders.seed = 1'234'567;
  std::vector<std::vector<std::string>> cells;
  for (const TableRow& row : setting_rows(record)) cells.push_back(row.cells);
  EXPECT_THAT(cells, testing::ElementsAre(testing::ElementsAre("Senders messages", "6,000", "500"),
                                          testing::ElementsAre("Receiver responses", "on", "off"),
                                          testing::ElementsAre("Senders seed", "1234567", testing::_)))
      << "seeds, which make no run another one, come last";
  EXPECT_EQ(changing_setting_rows(record).size(), 2u);
}

TEST(SettingRows, CallABusByItsTitle) {
  record::RunRecord record;
  record.plan.bus.kind = "websocket";
  EXPECT_THAT(setting_rows(record).front().cells, testing::ElementsAre("Bus", "WebSocket", "N2NQ"));
}

TEST(SettingRows, HaveAllSettingsOfTheBusAsTheRunHadThem) {
  record::RunRecord record;
  record.plan.bus = {.kind = "redis-streams", .settings = {{"profile", "throughput"}}};
  const auto row_of = [&record](const std::string& name) -> std::vector<std::string> {
    for (const TableRow& row : setting_rows(record))
      if (row.cells.front() == name) return row.cells;
    return {};
  };
  EXPECT_THAT(row_of("Bus quiet time"), testing::IsEmpty()) << "of an older result";
  record.bus_settings = record::bus_settings_of(record.plan.bus);
  for (const bus::Setting& setting : record.plan.bus.traits().settings)
    EXPECT_THAT(row_of(setting_name("bus." + std::string(setting.key))), testing::SizeIs(setting.of_bench ? 0 : 3))
        << setting.key;
  EXPECT_THAT(row_of("Bus unanswered"), testing::ElementsAre("Bus unanswered", "10,000", "1,000"));
  record.bus_settings = R"({"window":"2500","fetch":"nonsense","gone":"1","quiet":7})";
  EXPECT_THAT(row_of("Bus unanswered"), testing::ElementsAre("Bus unanswered", "2,500", "1,000"))
      << "whatever profiles say by now";
  EXPECT_THAT(row_of("Bus read at once"), testing::ElementsAre("Bus read at once", "1,000", "100")) << "no value";
}

TEST(SettingName, IsThereForEveryField) {
  for (const plan::PlanField& field : plan::plan_fields()) EXPECT_NE(setting_name(field.key), field.key);
  for (const auto& [text, told] :
       {std::pair("it refuses the login; correct bus.user, or the password in bus.password_file",
                  "it refuses the login; correct Bus user, or the password in Bus password file"),
        {"messages may be lost (bus.idempotence=false): set senders.delay=20ms, then go on with bus.servers.",
         "messages may be lost (Bus idempotence off): set Senders delay 20ms, then go on with Bus servers."},
        {"/home/me/bus.user, bus.users, --bus.user, and 10.0.0.1:6379... as \"bus.user\" was",
         "/home/me/bus.user, bus.users, --bus.user, and 10.0.0.1:6379... as \"bus.user\" was"},
        {"", ""}})
    EXPECT_EQ(with_names(text), told);
}

TEST(TotalRows, DoNotSayWhatTheBusCannotKnow) {
  record::RunRecord record;
  record.totals = {.sent = 10, .accepted = 10, .wire_bytes = 2'000, .connections = 4};
  EXPECT_EQ(total_of(record, "Messages accepted"), "10");
  EXPECT_EQ(total_of(record, "Expired by retention"), "0");
  EXPECT_EQ(total_of(record, "On the wire, a message"), "200 B");
  record.plan.bus.kind = "http";
  EXPECT_EQ(total_of(record, "Messages accepted"), "10") << "each is answered";
  EXPECT_EQ(total_of(record, "Messages kept in"), "nowhere");
  for (const char* account : {"Expired by retention", "Undeliverable", "Redelivered"})
    EXPECT_EQ(total_of(record, account), "not known") << account;
  record.plan.bus.kind = "redis-streams";
  record.server = "redis-server 7.0.15";
  EXPECT_EQ(total_of(record, "Server"), "redis-server 7.0.15");
  EXPECT_EQ(total_of(record, "Client library"), "not known");
  record.bus_client = "n2nq 0.1.0";
  EXPECT_EQ(total_of(record, "Client library"), "n2nq 0.1.0");
  EXPECT_EQ(total_of(record, "Redelivered"), "0") << "it marks what it delivers again";
  for (const auto& [fsync, kept] : std::map<std::string, std::string>{{"off", "memory"},
                                                                      {"no", "page cache"},
                                                                      {"everysec", "file (fsync every second)"},
                                                                      {"always", "file (fsync each time)"}}) {
    record.plan.bus.settings["append_fsync"] = fsync;
    EXPECT_EQ(total_of(record, "Messages kept in"), kept);
  }
  record.server.clear();
  record.plan.bus.settings = {{"address", "redis.example:6379"}};
  EXPECT_EQ(total_of(record, "Messages kept in"), "not known") << "that server has settings of its own";
  EXPECT_EQ(total_of(record, "Server"), "not known");
  record.plan.bus = {.kind = "websocket"};
  EXPECT_EQ(total_of(record, "Messages accepted"), "not known");
  record.totals.wire_bytes.reset();
  EXPECT_EQ(total_of(record, "On the wire, a message"), "not known");
}

TEST(TotalRows, SayWhatBecameOfTheMessagesAfterAServerWasGone) {
  record::RunRecord record;
  record.totals.unanswered = 2;
  record.outages = {{.at_ns = 5'000'000'000,
                     .server = "server 1 (leader)",
                     .killed = true,
                     .gap_ns = 8'000'000'000,
                     .answer_gap_ns = 7'900'000'000,
                     .flows_after_ns = 8'100'000'000},
                    {.at_ns = 9'000'000'000, .server = "server 2"}};
  EXPECT_EQ(total_of(record, "Server 1 (leader) killed at 5.00 s"),
            "no delivery for 8.00 s, none accepted for 7.90 s, as before after 8.10 s");
  EXPECT_EQ(total_of(record, "Server 2 gone at 9.00 s"),
            "no delivery any more, none accepted any more, not as before again");
}

TEST(Metrics, KnowTheMeasuredDelayAndHowFarSendersAreBehind) {
  record::RunRecord record;
  EXPECT_FALSE(find_metric("delay-p50")->value(record)) << "nothing was measured";
  record.latencies[Latency::delay].p50 = 20'000'000;
  record.latencies[Latency::lateness].p50 = 300;
  record.latencies[Latency::lateness].p99 = 7'000;
  const auto value = [&](const char* name) { return find_metric(name)->value(record).value_or(-1); };
  EXPECT_EQ(value("delay-p50"), 20'000'000);
  EXPECT_EQ(value("lateness-p50"), 300);
  EXPECT_EQ(value("lateness-p99"), 7'000);
}

TEST(TotalRows, SayWhatReceiversHaveConfirmedWhereTheyRespond) {
  record::RunRecord record;
  record.services = {{{.count = 9}, Role::sender},
                     {{.responses = 1'200, .deliveries = 1'240}, Role::receiver},
                     {{.responses = 7, .deliveries = 7}, Role::receiver}};
  EXPECT_EQ(total_of(record, "Confirmed"), "");
  record.plan.queue.responses = true;
  EXPECT_EQ(total_of(record, "Confirmed"), "1,207");
  EXPECT_EQ(total_of(record, "Outstanding"), "40");
  record.services[1].deliveries = 0;
  EXPECT_EQ(total_of(record, "Outstanding"), "not known") << "of an older bench";
  record.services.clear();
  EXPECT_EQ(total_of(record, "Confirmed"), "") << "a summary has no services";
}

record::RunRecord with_clocks(std::vector<std::pair<int64_t, uint64_t>> clocks_ns) {
  record::RunRecord record;
  record.processes.push_back({.name = "queue", .clock_kind = "same"});
  for (const auto& [offset_ns, bound_ns] : clocks_ns)
    record.processes.push_back(
        {.name = "senders", .clock_kind = "measured", .clock_offset_ns = offset_ns, .clock_bound_ns = bound_ns});
  record.processes.push_back({.name = "receivers", .clock_kind = "unknown"});
  return record;
}

std::vector<std::string> clocks(const record::RunRecord& record) {
  const auto columns = process_columns(record);
  const auto clock = std::ranges::find_if(columns, [](const auto& one) { return one.header.starts_with("Clock"); });
  std::vector<std::string> all{clock->header};
  for (const TableRow& row : process_rows(record))
    all.push_back(row.cells[static_cast<size_t>(clock - columns.begin())]);
  return all;
}

TEST(RecordTables, ClocksOfProcessesAreInOneUnit) {
  EXPECT_EQ(
      clocks(with_clocks({{-1'500'000, 40'000}, {820'000, 250'000}})),
      (std::vector<std::string>{"Clock off by [ms]", "the queue's", "-1.500 ± 0.040", "0.820 ± 0.250", "not known"}));
}

TEST(RecordTables, ClocksThatNobodyMeasuredHaveNoUnit) {
  EXPECT_EQ(clocks(with_clocks({})), (std::vector<std::string>{"Clock off by", "the queue's", "not known"}));
}

}  // namespace
}  // namespace n2nq::figures
