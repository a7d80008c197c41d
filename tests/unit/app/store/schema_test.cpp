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
  EXPECT_EQ(store->number("PRAGMA user_version"), 1);
  EXPECT_EQ(store->number("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1) << "there was nothing to copy";
}

}  // namespace
}  // namespace n2nq::store
