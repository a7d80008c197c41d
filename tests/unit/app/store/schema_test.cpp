#include "app/store/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "app/store/campaign_store.h"
#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store {
namespace {

using testing::HasSubstr;

// A store of a program with one step, and what programs of two and three steps make of it.
struct OlderStore : testing::Test {
  n2nq::test::TempDir dir;
  std::string path = (dir / "old.sqlite").string();
  SchemaStep first{"CREATE TABLE runs (id INTEGER PRIMARY KEY, took_ms INTEGER)"};
  SchemaStep second{"ALTER TABLE runs ADD COLUMN took_ns INTEGER", "UPDATE runs SET took_ns = took_ms * 1000000"};
  SchemaStep third{"CREATE TABLE marks (run INTEGER)", "INSERT INTO marks SELECT id FROM runs"};

  OlderStore() {
    Connection made = open(path);
    EXPECT_TRUE(upgrade(made, std::array{first}));
    EXPECT_TRUE(made.run("INSERT INTO runs (took_ms) VALUES (12), (34)"));
  }
  static Connection open(const std::string& file) {
    auto connection = Connection::open(file, Access::read_write, std::chrono::seconds(5));
    if (!connection) ADD_FAILURE() << connection.error().text;
    return std::move(*connection);
  }
  std::string copy(int version) const { return path + ".version-" + std::to_string(version); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path())) names.push_back(entry.path().filename());
    return names;
  }
};

TEST_F(OlderStore, IsBroughtUpToDateStepByStep) {
  Connection store = open(path);
  const auto done = upgrade(store, std::array{first, second, third});
  ASSERT_TRUE(done) << done.error().text;
  EXPECT_EQ(store.number("SELECT sum(took_ns) FROM runs"), 46'000'000);
  EXPECT_EQ(store.number("SELECT count(*) FROM marks"), 2);
  EXPECT_EQ(version_of(store)->version, 3);
}

TEST_F(OlderStore, IsKeptAsItWasBesideTheNewOne) {
  Connection store = open(path);
  ASSERT_TRUE(upgrade(store, std::array{first, second}));
  Connection kept = open(copy(1));
  EXPECT_EQ(version_of(kept)->version, 1);
  EXPECT_EQ(kept.number("SELECT sum(took_ms) FROM runs"), 46);
  EXPECT_FALSE(kept.number("SELECT took_ns FROM runs"));
}

TEST_F(OlderStore, StaysAsItWasWhenAStepFails) {
  Connection store = open(path);
  third.push_back("INSERT INTO nothing_like_it VALUES (1)");
  const auto done = upgrade(store, std::array{first, second, third});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().text, HasSubstr(path));
  EXPECT_EQ(version_of(store)->version, 1);
  EXPECT_FALSE(store.number("SELECT took_ns FROM runs"));
  EXPECT_TRUE(upgrade(store, std::array{first, second})) << "a later version can still do it";
}

TEST_F(OlderStore, IsLeftAloneWhenItIsUpToDate) {
  Connection store = open(path);
  ASSERT_TRUE(upgrade(store, std::array{first}));
  EXPECT_THAT(files(), testing::ElementsAre("old.sqlite"));
}

TEST_F(OlderStore, IsNotTouchedWithoutACopy) {
  std::filesystem::create_directories(copy(1) + "/in the way");
  Connection store = open(path);
  const auto done = upgrade(store, std::array{first, second});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().text, HasSubstr(copy(1)));
  EXPECT_EQ(version_of(store)->version, 1);
  EXPECT_THAT(files(), testing::UnorderedElementsAre("old.sqlite", "old.sqlite.version-1"));
}

TEST_F(OlderStore, IsBroughtUpToDateOnceByTwoAtOnce) {
  Connection one = open(path), other = open(path);
  ASSERT_TRUE(upgrade(one, std::array{first, second, third}));
  ASSERT_TRUE(upgrade(other, std::array{first, second, third}));
  EXPECT_EQ(other.number("SELECT count(*) FROM marks"), 2);
}

TEST(Schema, MakesTheNewestVersionOfAnEmptyFile) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "new.sqlite").string();
  record::test::write_file(path, "");
  auto store = Connection::open(path, Access::read_write, std::chrono::seconds(5));
  ASSERT_TRUE(upgrade(*store, schema_steps()));
  EXPECT_EQ(store->number("PRAGMA user_version"), 16);
  EXPECT_EQ(store->number("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1) << "there was nothing to copy";
}

void forget_clocks(Connection& store) {
  for (const char* column :
       {"clock_kind", "clock_offset_ns", "clock_bound_ns", "clock_round_trip_ns", "clock_drift_ns", "figures_from"})
    ASSERT_TRUE(store.run(std::string("ALTER TABLE processes DROP COLUMN ") + column));
}

void forget_replies(Connection& store) {
  ASSERT_TRUE(store.run("DROP INDEX results_by_bus"));
  const std::pair<const char*, std::vector<const char*>> columns[] = {
      {"results",
       {"replies", "timeouts", "late_replies", "double_replies", "closed_loop", "bus", "wire_bytes", "connections"}},
      {"processes", {"wire_sent_bytes", "wire_received_bytes", "connections"}},
      {"services", {"replies", "timeouts", "late_replies", "double_replies", "turnaround_ns"}},
      {"series",
       {"replies", "timeouts", "turnaround_p50_ns", "turnaround_p95_ns", "turnaround_p99_ns", "turnaround_max_ns",
        "scheduled_turnaround_p50_ns", "scheduled_turnaround_p99_ns", "reply_p50_ns", "reply_p99_ns"}}};
  for (const auto& [table, names] : columns)
    for (const char* name : names) ASSERT_TRUE(store.run(std::string("ALTER TABLE ") + table + " DROP COLUMN " + name));
}

// And what came with version 16.
void forget_catch_ups(Connection& store) {
  forget_replies(store);
  ASSERT_TRUE(store.run("DROP TABLE catch_ups"));
  ASSERT_TRUE(store.run("ALTER TABLE series DROP COLUMN lost"));
}

// And what came with version 15.
void forget_hosts(Connection& store) {
  forget_catch_ups(store);
  for (const char* table : {"hosts", "host_series"}) ASSERT_TRUE(store.run(std::string("DROP TABLE ") + table));
}

// And what came with version 14.
void forget_events(Connection& store) {
  forget_hosts(store);
  ASSERT_TRUE(store.run("ALTER TABLE run_log DROP COLUMN kind"));
  for (const char* column : {"scheduled_p50_ns", "scheduled_p99_ns"})
    ASSERT_TRUE(store.run(std::string("ALTER TABLE series DROP COLUMN ") + column));
}

// And what came with version 13.
void forget_limits(Connection& store) {
  forget_events(store);
  ASSERT_TRUE(store.run("DROP TABLE passed_limits"));
}

// And what came with version 12.
void forget_deliveries(Connection& store) {
  forget_limits(store);
  ASSERT_TRUE(store.run("ALTER TABLE services DROP COLUMN deliveries"));
}

// And what came with version 11.
void forget_machines(Connection& store) {
  forget_deliveries(store);
  ASSERT_TRUE(store.run("DROP TABLE machines"));
}

// And what came with version 10.
void forget_campaigns(Connection& store) {
  forget_machines(store);
  ASSERT_TRUE(store.run("DROP INDEX results_by_campaign"));
  for (const char* column : {"campaign_attempt", "campaign_repeat", "campaign_point", "campaign_id"})
    ASSERT_TRUE(store.run(std::string("ALTER TABLE results DROP COLUMN ") + column));
  ASSERT_TRUE(store.run("DROP TABLE campaigns"));
}

void forget_layers(Connection& store) {
  for (const char* table : {"layers", "paths", "bandwidths"})
    ASSERT_TRUE(store.run(std::string("DROP TABLE ") + table));
}

// And what came with version 8.
void forget_marks(Connection& store) {
  for (const char* table : {"stars", "tags", "waiting"}) ASSERT_TRUE(store.run(std::string("DROP TABLE ") + table));
}

// The same.
void forget_deleted_campaigns(Connection& store) {
  forget_machines(store);
  ASSERT_TRUE(store.run("ALTER TABLE campaigns DROP COLUMN deleted_utc_ns"));
}

// Version 10 did not know which deliveries were outstanding.
TEST(Schema, OfVersionTenKeepsItsServicesWhoseOutstandingDeliveriesAreNotKnown) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  record::RunRecord record = record::test::example_record();
  for (live::ServiceFigures& service : record.services)
    if (service.role == Role::receiver) service.deliveries = (service.responses += 7) + 2;
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    ASSERT_TRUE((*made)->add(record));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_deliveries(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 10"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  EXPECT_EQ(outstanding((*store)->load(1)->services.back()), std::nullopt);
  ASSERT_TRUE((*store)->add(record));
  EXPECT_EQ(record::test::difference(*(*store)->load(2), record), "");
  EXPECT_EQ(outstanding((*store)->load(2)->services.back()), 2);
}

// Version 12 had words alone.
TEST(Schema, OfVersionTwelveKeepsItsLogAndSeriesWithoutEvents) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  record::RunRecord record = record::test::example_record();
  ASSERT_FALSE(record.notes.empty() || record.series.empty());
  record.notes.front().kind = record::EventKind::link_lost;
  record.series.front().scheduled_p99_ns = 5;
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made && (*made)->add(record));
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_events(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 12"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  const auto loaded = (*store)->load(1);
  EXPECT_EQ(loaded->notes.size(), record.notes.size());
  EXPECT_EQ(loaded->notes.front().text, record.notes.front().text);
  EXPECT_EQ(loaded->notes.front().kind, record::EventKind::none);
  EXPECT_EQ(loaded->series.front().p99_ns, record.series.front().p99_ns);
  EXPECT_FALSE(loaded->series.front().scheduled_p99_ns);
  ASSERT_TRUE((*store)->add(record));
  EXPECT_EQ(record::test::difference(*(*store)->load(2), record), "");
}

// Version 15 knew no replies.
TEST(Schema, OfVersionFifteenKeepsItsResultsAndTakesReplies) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  const record::RunRecord before = record::test::example_record(), replies = record::test::example_replies();
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made && (*made)->add(before));
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_replies(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 15"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  EXPECT_EQ(record::test::difference(*(*store)->load(1), before), "");
  ASSERT_TRUE((*store)->add(replies));
  EXPECT_EQ(record::test::difference(*(*store)->load(2), replies), "");
  EXPECT_EQ((*store)->summary(2)->totals, replies.totals) << "comparisons read no more";
  EXPECT_EQ((*store)->summary(2)->turnaround, replies.turnaround);
}

// Version 14 had no pauses of receivers, and did not say when deliveries were skipped.
TEST(Schema, OfVersionFourteenKeepsItsSeriesWhoseLossesHaveNoTime) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  const record::RunRecord record = record::test::example_record();
  ASSERT_FALSE(record.catch_ups.empty());
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made && (*made)->add(record));
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_catch_ups(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 14"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  EXPECT_EQ((*store)->load(1)->series.size(), record.series.size());
  EXPECT_FALSE((*store)->load(1)->series.back().lost);
  EXPECT_TRUE((*store)->load(1)->catch_ups.empty());
  ASSERT_TRUE((*store)->add(record));
  EXPECT_EQ(record::test::difference(*(*store)->load(2), record), "");
  EXPECT_EQ((*store)->summary(2)->catch_ups, record.catch_ups) << "comparisons read no more";
}

// Version 13 had no recorder.
TEST(Schema, OfVersionThirteenKeepsItsResultsWhoseHostsWereNotRecorded) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  const record::RunRecord record = record::test::example_record();
  ASSERT_FALSE(record.hosts.empty());
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    ASSERT_TRUE((*made)->add(record));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_hosts(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 13"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  EXPECT_TRUE((*store)->load(1)->hosts.empty());
  ASSERT_TRUE((*store)->add(record));
  EXPECT_EQ(record::test::difference(*(*store)->load(2), record), "");
  // A summary has the sums, from which figures are made, and no slots.
  const auto summary = (*store)->summary(2);
  ASSERT_TRUE(summary);
  ASSERT_EQ(summary->hosts.size(), record.hosts.size());
  EXPECT_TRUE(summary->hosts[0].start_ns.empty());
  EXPECT_EQ(live::busy_percent(summary->hosts[0]), live::busy_percent(record.hosts[0]));
}

// Version 11 had no limits.
TEST(Schema, OfVersionElevenKeepsItsResultsWhichPassedNoLimits) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  const record::RunRecord record = record::test::example_record();
  ASSERT_FALSE(record.passed_limits.empty());
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made && (*made)->add(record));
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_limits(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 11"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  EXPECT_EQ(record::test::difference(*(*store)->load(1), record), "limits, series, catch-ups, hosts");
  ASSERT_TRUE((*store)->add(record));
  EXPECT_EQ(record::test::difference(*(*store)->load(2), record), "");
  EXPECT_EQ((*store)->summary(2)->passed_limits, record.passed_limits);
}

// Version 9 had the bench's own computer alone.
TEST(Schema, OfVersionNineKeepsItsResultsWhoseHostsAreNotKnown) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  const record::RunRecord record = record::test::example_record();
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    ASSERT_TRUE((*made)->add(record));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_machines(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 9"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  auto kept = Connection::open(path + ".version-9", Access::read_only, std::chrono::seconds(5));
  EXPECT_EQ(version_of(*kept)->version, 9);
  const auto before = (*store)->load(1);
  ASSERT_TRUE(before) << before.error().text;
  EXPECT_EQ(record::test::difference(*before, record), "limits, series, catch-ups, hosts, machines");
  EXPECT_TRUE(before->machines.empty());
  ASSERT_TRUE((*store)->add(record));
  EXPECT_EQ(record::test::difference(*(*store)->load(2), record), "");
  EXPECT_EQ((*store)->summary(2)->machines, record.machines) << "campaigns judge places by them";
}

// Version 8 could not delete campaigns.
TEST(Schema, OfVersionEightKeepsItsCampaignsWhichCanBeDeletedThen) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    auto campaigns = CampaignStore::open(path).value();
    record::RunRecord record = record::test::example_record();
    record.campaign = record::CampaignPlace{.campaign = campaigns->add("sizes", "{}").value(), .point = 2, .repeat = 1};
    ASSERT_TRUE((*made)->add(record));
    ASSERT_TRUE(campaigns->end(1, "all runs completed"));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_deleted_campaigns(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 8"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  auto kept = Connection::open(path + ".version-8", Access::read_only, std::chrono::seconds(5));
  EXPECT_EQ(version_of(*kept)->version, 8);
  const auto campaigns = CampaignStore::open(path).value();
  const auto before = campaigns->list();
  ASSERT_EQ(before->size(), 1u);
  EXPECT_EQ(before->front().end_text, "all runs completed");
  EXPECT_EQ(before->front().results, 1u);
  EXPECT_EQ(campaigns->remove(1), 1u);
  EXPECT_TRUE(campaigns->list()->empty());
  ASSERT_TRUE(campaigns->restore(1));
  EXPECT_EQ(*campaigns->list(), *before);
}

// Version 6 had no tags and no stars, version 7 no batches of waiting.
TEST(Schema, OfVersionSixKeepsEverythingAndCanBeMarked) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    ASSERT_TRUE((*made)->add(record::test::example_record()));
    ASSERT_TRUE((*made)->set_notes(1, "cable 2"));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_deleted_campaigns(*old);
    forget_marks(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 6"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  const auto record = (*store)->load(1);
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_EQ(record::test::difference(*record, record::test::example_record()),
            "limits, series, catch-ups, waiting, hosts, machines");
  const auto before = (*store)->list();
  ASSERT_EQ(before->rows.size(), 1u);
  EXPECT_EQ(before->rows[0].notes, "cable 2");
  EXPECT_FALSE(before->rows[0].starred);
  EXPECT_TRUE(before->rows[0].tags.empty());
  EXPECT_TRUE((*store)->set_tags(1, {"cable"}));
  EXPECT_TRUE((*store)->set_starred({1}, true));
}

// Version 5 had no layers.
TEST(Schema, OfVersionFiveKeepsEverythingAndHasNoLayers) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    ASSERT_TRUE((*made)->add(record::test::example_record()));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_deleted_campaigns(*old);
    forget_marks(*old);
    forget_layers(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 5"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  const auto record = (*store)->load(1);
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_TRUE(record->layers.empty());
  EXPECT_EQ(record::test::difference(*record, record::test::example_record()),
            "layers, paths, limits, series, catch-ups, waiting, hosts, machines");
  EXPECT_TRUE((*store)->add(record::test::example_record()));
  const auto added = (*store)->load(2);
  ASSERT_TRUE(added) << added.error().text;
  EXPECT_EQ(added->layers, record::test::example_record().layers);
}

// Version 2 had no clocks of processes.
TEST(Schema, OfVersionTwoKeepsProcessesWhoseClocksAreNotKnown) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    ASSERT_TRUE((*made)->add(record::test::example_record()));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_marks(*old);
    forget_layers(*old);
    forget_campaigns(*old);
    forget_clocks(*old);
    ASSERT_TRUE(old->run("PRAGMA user_version = 2"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  const auto record = (*store)->load(1);
  ASSERT_TRUE(record) << record.error().text;
  record::RunRecord expected = record::test::example_record();
  for (record::ProcessRecord& process : expected.processes) {
    process.clock_kind.clear();
    process.clock_offset_ns.reset();
    process.clock_bound_ns.reset();
    process.clock_round_trip_ns.reset();
    process.clock_drift_ns.reset();
    process.figures_from.clear();
  }
  EXPECT_EQ(record->processes, expected.processes);
  EXPECT_EQ(record->requests, expected.requests);
}

// Version 1 had the services as of the last look, with whatever rate that was.
TEST(Schema, OfVersionOneKeepsOfServicesWhatIsTrueOfTheWholeRun) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "old.sqlite").string();
  {
    auto made = ResultStore::open(path);
    ASSERT_TRUE(made) << made.error().text;
    record::RunRecord record = record::test::example_record();
    for (live::ServiceFigures& service : record.services) service.latency_ns = 7;
    ASSERT_TRUE((*made)->add(record));
  }
  {
    auto old = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    forget_marks(*old);
    forget_layers(*old);
    forget_campaigns(*old);
    forget_clocks(*old);
    ASSERT_TRUE(old->run("DROP TABLE requests"));
    ASSERT_TRUE(old->run("PRAGMA user_version = 1"));
  }
  const auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  const auto record = (*store)->load(1);
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_TRUE(record->requests.empty());
  ASSERT_FALSE(record->services.empty());
  for (const live::ServiceFigures& service : record->services) {
    EXPECT_FALSE(service.latency_ns);
    EXPECT_DOUBLE_EQ(service.rate_per_s, static_cast<double>(service.count) / 5);
    EXPECT_EQ(service.latency_p99_ns, service.role == Role::receiver ? std::optional<int64_t>(124'000) : std::nullopt);
  }
}

}  // namespace
}  // namespace n2nq::store
