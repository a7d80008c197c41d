#include "app/store/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "app/record/outages.h"
#include "app/record/pauses.h"
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

// All rows of a store, as one of an older version has them.
void copy_rows(Connection& into, const std::string& from) {
  ASSERT_TRUE(into.run("ATTACH '" + from + "' AS newer"));
  auto tables = into.query("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
  std::vector<std::string> names;
  while (tables->next()) names.push_back(tables->value(0).toString().toStdString());
  for (const std::string& table : names) {
    std::string columns;
    auto listed = into.query("SELECT name FROM main.pragma_table_info('" + table + "')");
    while (listed->next()) columns += (columns.empty() ? "" : ", ") + listed->value(0).toString().toStdString();
    const auto copied =
        into.run("INSERT INTO main." + table + " (" + columns + ") SELECT " + columns + " FROM newer." + table);
    ASSERT_TRUE(copied) << copied.error().text;
  }
}

// As a run makes them, and as versions before the third stored them: with kind and words.
std::vector<record::RunNote> events() {
  using record::EventKind;
  std::vector<record::RunNote> all{
      record::pause_note(2, 13),
      record::resume_note(0, 13),
      record::resume_note(12, 13),
      record::receiver_pause_note(*control::parse_services("2-3"), true),
      record::receiver_pause_note(*control::parse_services("all"), false),
      record::server_gone_note({.server = 2, .killed = true, .leads = true}),
      record::server_gone_note({.server = 12, .text = "Kafka: it has ended: exit code 137"}),
      {.text = "senders: killed by signal 9", .kind = EventKind::lost, .subject = "senders", .was_killed = true},
      {.text = "receivers 1-50: ended with exit code 3: killed: no",
       .kind = EventKind::lost,
       .subject = "receivers 1-50"},
      {.text = "receivers: the link to vm2 was lost: timeout", .kind = EventKind::link_lost, .subject = "receivers"},
      {.text = "senders: silent from here on; is its process stopped?",
       .kind = EventKind::silent,
       .subject = "senders"},
      {.text = "senders: responding again, after 3.00 s", .kind = EventKind::responding, .subject = "senders"},
      {.text = "requests from now on: everything", .kind = EventKind::request},
      {.text = "this computer's clock was set back by 3.00 s", .kind = EventKind::clock_step},
      {.text = "queue: stopped by the user", .kind = EventKind::stop, .subject = "queue"},
      {.text = "stopped by the user", .kind = EventKind::stop},
      {.text = "killed by the user", .kind = EventKind::kill},
      {.text = "limit exceeded: p99 6 ms, above 5 ms", .kind = EventKind::limit},
      {.text = "senders: 1 of 2 paused"}};
  for (size_t i = 0; i < all.size(); i++) all[i].utc_ns = static_cast<int64_t>(i);
  return all;
}

// Of what was stored before anybody judged it nothing is claimed, what its events were is known by their words, and all
// else is as it was.
TEST(Schema, OfTheFirstVersionHasResultsThatWereNotJudged) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "first.sqlite").string(), newer = (dir / "newer.sqlite").string();
  record::RunRecord stored = record::test::example_record("one");
  stored.plan.senders.fleet.count = 13;
  std::ranges::move(events(), std::back_inserter(stored.notes));
  const int64_t id = ResultStore::open(newer).value()->add(stored).value();
  {
    auto store = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    ASSERT_TRUE(upgrade(*store, schema_steps().first(1)));
    ASSERT_FALSE(store->run("SELECT trust FROM results"));
    copy_rows(*store, newer);
  }
  const auto store = ResultStore::open(path).value();
  const auto listing = store->list();
  ASSERT_EQ(listing->rows.size(), 1u);
  EXPECT_EQ(listing->rows[0].trust, record::Trust::not_judged);
  const auto loaded = store->load(id);
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_EQ(loaded->trust, record::Trust::not_judged);
  EXPECT_TRUE(loaded->warnings.empty());
  ASSERT_EQ(loaded->passed_limits.size(), 2u);
  EXPECT_TRUE(record::only_warns(loaded->passed_limits[1])) << "no run failed by one";
  EXPECT_EQ(loaded->notes, stored.notes);
  EXPECT_EQ(loaded->totals, stored.totals);
  ASSERT_FALSE(loaded->services.empty());
  for (const live::ServiceFigures& service : loaded->services) {
    EXPECT_EQ(service.held, control::kNotCounted);
    EXPECT_GT(service.count, 0);
  }
}

TEST(Schema, MakesTheNewestVersionOfAnEmptyFile) {
  const n2nq::test::TempDir dir;
  const std::string path = (dir / "new.sqlite").string();
  record::test::write_file(path, "");
  auto store = Connection::open(path, Access::read_write, std::chrono::seconds(5));
  ASSERT_TRUE(upgrade(*store, schema_steps()));
  EXPECT_EQ(store->number("PRAGMA user_version"), schema_version());
  EXPECT_EQ(store->number("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1) << "there was nothing to copy";
}

}  // namespace
}  // namespace n2nq::store
