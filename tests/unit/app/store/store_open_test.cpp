// What is found where the store should be: nothing, a newer one, none of ours, one that cannot be written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QByteArray>
#include <QtEndian>
#include <bit>
#include <cmath>
#include <filesystem>
#include <functional>

#include "app/store/schema.h"
#include "app/store/sql.h"
#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/helpers/unprivileged.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store {
namespace {

using n2nq::test::Unprivileged;
using record::test::example_record;
using testing::AllOf;
using testing::HasSubstr;

struct StoreOpen : testing::Test {
  n2nq::test::TempDir dir;
  std::filesystem::path folder = dir / "data";
  std::string path = (folder / "results.sqlite").string();

  StoreOpen() { ::chmod(dir.path().c_str(), 0755); }
  ~StoreOpen() override {
    ::chmod(folder.c_str(), 0755);
    ::chmod(path.c_str(), 0644);
  }
  void make_store() {
    auto store = ResultStore::open(path);
    ASSERT_TRUE(store) << store.error().text;
    ASSERT_TRUE((*store)->add(example_record()));
  }
  void run(const std::string& sql) {
    auto connection = Connection::open(path, Access::read_write, std::chrono::seconds(5));
    ASSERT_TRUE(connection->run(sql));
  }
  std::string error() {
    const auto store = ResultStore::open(path);
    return store ? std::string("no error") : store.error().text;
  }
  void expect_read_only(const std::string& reason) {
    const auto store = ResultStore::open(path);
    ASSERT_TRUE(store) << store.error().text;
    ASSERT_TRUE((*store)->read_only());
    EXPECT_THAT(*(*store)->read_only(), HasSubstr(reason));
    const auto listing = (*store)->list();
    ASSERT_TRUE(listing) << listing.error().text;
    ASSERT_EQ(listing->rows.size(), 1u);
    const int64_t id = listing->rows.front().id;
    EXPECT_TRUE((*store)->load(id));
    EXPECT_THAT((*store)->add(example_record()).error().text, HasSubstr(reason));
    EXPECT_THAT((*store)->remove(id).error().text, HasSubstr(reason));
    EXPECT_FALSE((*store)->purge(INT64_MAX));
  }
};

TEST_F(StoreOpen, RefusesOneThatActsByItself) {
  make_store();
  for (const std::string thing :
       {"TRIGGER evil AFTER INSERT ON results BEGIN UPDATE results SET name = 'x'; END", "VIEW evil AS SELECT 1"}) {
    run("CREATE " + thing);
    EXPECT_THAT(error(), AllOf(HasSubstr(path + " has a trigger or view, \"evil\""), HasSubstr("nothing was changed")));
    run("DROP " + thing.substr(0, thing.find(' ')) + " evil");
    EXPECT_EQ(error(), "no error");
  }
  auto connection = Connection::open(path, Access::read_write, std::chrono::seconds(5));
  EXPECT_EQ(connection->number("PRAGMA trusted_schema").value(), 0);
}

TEST_F(StoreOpen, MakesTheFileAndItsFolder) {
  auto store = ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  EXPECT_FALSE((*store)->read_only());
  EXPECT_EQ((*store)->path(), path);
  EXPECT_TRUE((*store)->list()->rows.empty());
}

TEST_F(StoreOpen, TakesNamesWithAllSortsOfLetters) {
  path = (folder / "meßwerte #1 50%?.sqlite").string();
  make_store();
  EXPECT_EQ(ResultStore::open(path).value()->list()->rows.size(), 1u);
}

TEST_F(StoreOpen, ReadsANewerStoreWithoutWritingIt) {
  make_store();
  const int64_t newer = schema_version() + 1;
  run("PRAGMA user_version = " + std::to_string(newer));
  expect_read_only("written by a newer version of N2NQ Bench (schema " + std::to_string(newer) + ", this one reads " +
                   std::to_string(schema_version()) + ")");
  EXPECT_EQ(Connection::open(path, Access::read_only, std::chrono::seconds(5))->number("PRAGMA user_version"), newer);
}

TEST_F(StoreOpen, WritesNoMoreOnceANewerVersionHasTheStore) {
  make_store();
  const auto store = ResultStore::open(path).value();
  const int64_t id = store->list()->rows.front().id;
  ASSERT_TRUE(store->remove(id));
  run("PRAGMA user_version = 99");
  EXPECT_FALSE(store->read_only());
  const auto newer = HasSubstr("written by a newer version of N2NQ Bench (schema 99");
  EXPECT_THAT(store->restore(id).error().text, newer);
  ASSERT_TRUE(store->read_only());
  EXPECT_THAT(*store->read_only(), newer);
  EXPECT_EQ(store->presence(id), Presence::deleted);
}

TEST_F(StoreOpen, LooksBeforeEachWriteWhetherANewerVersionHasTheStore) {
  make_store();
  const auto newer = HasSubstr("newer version");
  using Write = std::function<std::string(ResultStore&)>;
  const auto error_of = [](const auto& done) { return done ? std::string() : done.error().text; };
  for (const Write& write : {Write([&](ResultStore& store) { return error_of(store.add(example_record())); }),
                             Write([&](ResultStore& store) { return error_of(store.remove(1)); }),
                             Write([&](ResultStore& store) { return error_of(store.restore(1)); }),
                             Write([&](ResultStore& store) { return error_of(store.set_notes(1, "x")); }),
                             Write([&](ResultStore& store) { return error_of(store.purge(INT64_MAX)); })}) {
    run("PRAGMA user_version = " + std::to_string(schema_version()));
    const auto store = ResultStore::open(path).value();
    if (store->presence(1) == Presence::listed) {
      ASSERT_TRUE(store->remove(1));
    }
    run("PRAGMA user_version = 99");
    EXPECT_THAT(write(*store), newer);
    EXPECT_EQ(store->presence(1), Presence::deleted);
    EXPECT_EQ(store->notes(1), "");
    EXPECT_TRUE(store->list()->rows.empty());
  }
}

TEST_F(StoreOpen, SaysWhatToDoWithAFileThatIsNoDatabase) {
  std::filesystem::create_directories(folder);
  record::test::write_file(path, std::string(5000, 'x'));
  EXPECT_THAT(error(), AllOf(HasSubstr(path), HasSubstr("is not a results store"), HasSubstr("Move it elsewhere")));
  EXPECT_EQ(record::test::read_file(path), std::string(5000, 'x'));
}

TEST_F(StoreOpen, IsMadeAnewOnceADamagedOneWasMovedAside) {
  for (const std::string& aside : {path + ".damaged", path + ".damaged-2"}) {
    make_store();
    record::test::write_file(path, std::string(5000, 'x'));
    EXPECT_EQ(ResultStore::open(path).error().error_number, kDamaged);
    record::test::write_file(path + "-wal", "of the damaged one");
    EXPECT_EQ(move_aside(path).value(), aside);
    EXPECT_EQ(record::test::read_file(aside), std::string(5000, 'x'));
    EXPECT_EQ(record::test::read_file(aside + "-wal"), "of the damaged one");
    EXPECT_TRUE(ResultStore::open(path).value()->list()->rows.empty());
  }
}

TEST_F(StoreOpen, SaysWhatToDoWithAStoreWhoseBeginningIsDamaged) {
  make_store();
  std::string bytes = record::test::read_file(path);
  bytes.replace(0, 100, std::string(100, '\xff'));
  record::test::write_file(path, bytes);
  EXPECT_THAT(error(), AllOf(HasSubstr(path), HasSubstr("nothing was changed")));
  EXPECT_EQ(record::test::read_file(path), bytes);
}

TEST_F(StoreOpen, LeavesTheDatabaseOfAnotherProgramAlone) {
  std::filesystem::create_directories(folder);
  run("CREATE TABLE bookmarks (url TEXT)");
  const std::string before = record::test::read_file(path);
  EXPECT_THAT(error(), HasSubstr(path + " is the database of another program"));
  EXPECT_EQ(record::test::read_file(path), before);
}

TEST_F(StoreOpen, SaysThatAFolderIsInTheWay) {
  std::filesystem::create_directories(path);
  EXPECT_THAT(error(), HasSubstr(path));
}

TEST_F(StoreOpen, SaysThatTheFolderCannotBeMade) {
  record::test::write_file(folder, "a file");
  EXPECT_THAT(error(), HasSubstr("the folder " + folder.string() + " for results cannot be created"));
}

// As SQL has them: the length, then a zlib stream.
std::string blob_of(const std::vector<double>& numbers) {
  QByteArray plain;
  for (const double number : numbers) {
    char bytes[8];
    qToLittleEndian<quint64>(std::bit_cast<quint64>(number), bytes);
    plain.append(bytes, 8);
  }
  return "x'" + qCompress(plain).toHex().toStdString() + "'";
}

TEST_F(StoreOpen, SaysWhenTheFiguresOfAHostAreDamaged) {
  make_store();
  const auto store = ResultStore::open(path).value();
  const int64_t id = store->list()->rows.front().id;
  const auto loads_after = [&](const std::string& change) {
    run(change);
    const auto loaded = store->load(id);
    return loaded ? std::string() : loaded.error().text;
  };
  const double never = std::bit_cast<double>(INT64_MAX);
  EXPECT_THAT(loads_after("UPDATE host_series SET readings = " + blob_of({INFINITY, 1}) + " WHERE name = 'cpu_user'"),
              HasSubstr("a reading is no number"));
  EXPECT_THAT(loads_after("UPDATE hosts SET width_ns = " + blob_of({0, never})), HasSubstr("lie beyond any run"));
}

TEST_F(StoreOpen, SaysWhenOneResultIsDamaged) {
  make_store();
  run("UPDATE histograms SET buckets = x'0000000c0102'");
  const auto store = ResultStore::open(path).value();
  const int64_t id = store->list()->rows.front().id;
  EXPECT_THAT(store->load(id).error().text, AllOf(HasSubstr(path), HasSubstr("a histogram is damaged")));
  run("UPDATE results SET plan = '{}x'");
  EXPECT_THAT(store->load(id).error().text, AllOf(HasSubstr(path), HasSubstr("the plan of result")));
  run("UPDATE results SET verdict = 'splendid'");
  EXPECT_THAT(store->load(id).error().text, HasSubstr("unknown verdict"));
  ASSERT_TRUE(store->add(example_record("good")));
  const auto listing = store->list();
  ASSERT_TRUE(listing) << listing.error().text;
  ASSERT_EQ(listing->rows.size(), 1u) << "the others can still be listed";
  EXPECT_EQ(listing->rows.front().name, "good");
  EXPECT_EQ(listing->unknown, 1u);
}

TEST_F(StoreOpen, CountsTheResultsOfANewerStoreThatItDoesNotUnderstand) {
  make_store();
  ASSERT_TRUE(ResultStore::open(path).value()->add(example_record()));
  run("UPDATE results SET mode = 'sharded', verdict = 'splendid' WHERE id = 1");
  run("PRAGMA user_version = " + std::to_string(schema_version() + 1));
  const auto listing = ResultStore::open(path).value()->list();
  ASSERT_TRUE(listing) << listing.error().text;
  EXPECT_EQ(listing->rows.size(), 1u);
  EXPECT_EQ(listing->unknown, 1u);
}

TEST_F(StoreOpen, ReadsAFileThatItMayNotWrite) {
  make_store();
  ::chmod(path.c_str(), 0444);
  const Unprivileged reader;
  expect_read_only("no permission to write " + path);
}

TEST_F(StoreOpen, ReadsAFileInAFolderThatItMayNotWrite) {
  make_store();
  ::chmod(folder.c_str(), 0555);
  ::chmod(path.c_str(), 0666);
  const Unprivileged reader;
  expect_read_only("no permission to write to the folder " + folder.string());
}

TEST_F(StoreOpen, SaysThatNoneCanBeMadeWhereItMayNotWrite) {
  std::filesystem::create_directories(folder);
  ::chmod(folder.c_str(), 0555);
  const Unprivileged reader;
  EXPECT_THAT(error(), AllOf(HasSubstr("there is no results store yet"), HasSubstr(folder.string())));
}

}  // namespace
}  // namespace n2nq::store
