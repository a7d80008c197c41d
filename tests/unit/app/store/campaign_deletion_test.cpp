// Campaigns that are deleted with their results, brought back, and taken away for good.
#include <gmock/gmock.h>

#include <filesystem>
#include <limits>

#include "app/store/campaign_store.h"
#include "app/store/sql.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int64_t kEver = std::numeric_limits<int64_t>::max();

struct DeletedCampaign : testing::Test {
  n2nq::test::TempDir dir;
  std::string path = (dir / "results.sqlite").string();
  std::unique_ptr<ResultStore> store = ResultStore::open(path).value();
  std::unique_ptr<CampaignStore> campaigns = CampaignStore::open(path).value();
  int64_t id = campaigns->add("sizes", "{}").value();

  int64_t add(uint32_t point, const std::string& folder = {}) const {
    record::RunRecord record = record::test::example_record();
    record.campaign = record::CampaignPlace{.campaign = id, .point = point, .repeat = 1};
    record.folder = folder;
    return store->add(record).value();
  }
  // A run whose folder has a file.
  int64_t add_in(const std::filesystem::path& folder, uint32_t point) const {
    std::filesystem::create_directories(folder);
    for (const char* name : {"sender-1.log", "receiver-1.log", "broker.log"})
      record::test::write_file(folder / name, "x");
    return add(point, folder.string());
  }
  std::vector<ResultRow> rows() const { return store->list().value().rows; }
  std::vector<int64_t> listed() const {
    std::vector<int64_t> ids;
    for (const ResultRow& row : rows()) ids.push_back(row.id);
    std::ranges::sort(ids);
    return ids;
  }
  void run(const std::string& sql) const {
    const auto done = Connection::open(path, Access::read_write, std::chrono::seconds(5))->run(sql);
    ASSERT_TRUE(done) << done.error().text;
  }
};

TEST_F(DeletedCampaign, IsNotFoundAnyMoreAndNeitherAreItsResults) {
  add(1);
  add(2);
  const int64_t other = store->add(record::test::example_record()).value();
  ASSERT_TRUE(campaigns->find_unfinished("{}").value());
  EXPECT_EQ(campaigns->remove(id), 2u);
  EXPECT_THAT(*campaigns->list(), IsEmpty());
  EXPECT_THAT(campaigns->find(id).error().text, HasSubstr("campaign 1 was deleted; restore it by Undo (Ctrl+Z)"));
  EXPECT_FALSE(campaigns->find_unfinished("{}").value());
  EXPECT_EQ(campaigns->presence(id), Presence::deleted);
  EXPECT_THAT(*campaigns->results_of(id), IsEmpty());
  EXPECT_THAT(listed(), ElementsAre(other));
  EXPECT_THAT(campaigns->remove(id).error().text, HasSubstr("campaign 1 has already been deleted"));
  EXPECT_THAT(campaigns->remove(99).error().text, HasSubstr("campaign 99 is no longer in "));
}

TEST_F(DeletedCampaign, IsNotTakenUpByTheSameFile) {
  ASSERT_TRUE(campaigns->remove(id));
  const int64_t again = campaigns->find_or_add("sizes", "{}").value();
  EXPECT_NE(again, id);
  EXPECT_EQ((*campaigns->find_unfinished("{}"))->id, again);
}

TEST_F(DeletedCampaign, ComesBackWithExactlyTheResultsThatWentWithIt) {
  const int64_t before = add(1), starred = add(2), plain = add(3);
  ASSERT_TRUE(store->set_starred({starred}, true));
  ASSERT_TRUE(store->remove(before));
  run("UPDATE results SET deleted_utc_ns = 4000000000000000000 WHERE deleted_utc_ns > 0");  // by a clock that ran ahead
  EXPECT_EQ(campaigns->remove(id), 2u) << "those that were not deleted already";
  ASSERT_TRUE(campaigns->restore(id));
  EXPECT_EQ(campaigns->presence(id), Presence::listed);
  EXPECT_EQ(campaigns->find(id)->results, 2u);
  EXPECT_THAT(listed(), ElementsAre(starred, plain));
  EXPECT_EQ(store->presence(before), Presence::deleted);
  for (const ResultRow& row : rows()) EXPECT_EQ(row.starred, row.id == starred);
  EXPECT_TRUE(campaigns->restore(id)) << "another window may have brought it back";
  EXPECT_EQ(store->presence(before), Presence::deleted);
}

TEST_F(DeletedCampaign, StaysDeletedWhereOneOfItsResultsIsBroughtBackAlone) {
  const int64_t one = add(1), other = add(2);
  ASSERT_TRUE(campaigns->remove(id));
  ASSERT_TRUE(store->restore(one));
  EXPECT_THAT(listed(), ElementsAre(one));
  EXPECT_EQ(rows().front().campaign_name, "sizes") << "it still has its name";
  ASSERT_TRUE(store->purge(kEver));
  EXPECT_THAT(listed(), ElementsAre(one)) << "what was brought back stays";
  EXPECT_EQ(rows().front().campaign_name, "sizes");
  EXPECT_EQ(store->presence(other), Presence::gone);
  EXPECT_FALSE(campaigns->restore(id));
  ASSERT_TRUE(store->remove(one));
  ASSERT_TRUE(store->purge(kEver));
  EXPECT_EQ(
      Connection::open(path, Access::read_only, std::chrono::seconds(5))->number("SELECT count(*) FROM campaigns"), 0);
}

TEST_F(DeletedCampaign, GoesWithAllItsResultsOrNotAtAll) {
  add(1);
  const int64_t two = add(2);
  run("CREATE TRIGGER refuse BEFORE UPDATE OF deleted_utc_ns ON results WHEN new.id = " + std::to_string(two) +
      " BEGIN SELECT RAISE(ABORT, 'no'); END");
  EXPECT_FALSE(campaigns->remove(id));
  EXPECT_THAT(*campaigns->list(), SizeIs(1));
  EXPECT_EQ(campaigns->find(id)->results, 2u);
  EXPECT_THAT(listed(), SizeIs(2));
}

TEST_F(DeletedCampaign, GoesForGoodWhenItsResultsDo) {
  add_in(dir / "runs/imported-1", 1);
  const int64_t kept = campaigns->add("kept", "{}").value();
  ASSERT_TRUE(campaigns->remove(id));
  ASSERT_TRUE(store->purge(1)) << "before it was deleted";
  ASSERT_TRUE(campaigns->restore(id));
  ASSERT_TRUE(campaigns->remove(id));
  ASSERT_TRUE(store->purge(kEver));
  EXPECT_EQ(campaigns->presence(id), Presence::gone);
  EXPECT_THAT(campaigns->restore(id).error().text, HasSubstr("campaign 1 is no longer in "));
  EXPECT_THAT(campaigns->find(id).error().text, HasSubstr("campaign 1 is not in "));
  EXPECT_FALSE(std::filesystem::exists(dir / "runs/imported-1"));
  auto raw = Connection::open(path, Access::read_only, std::chrono::seconds(5));
  EXPECT_EQ(raw->number("SELECT count(*) FROM results"), 0);
  EXPECT_EQ(raw->number("SELECT count(*) FROM campaigns"), 1);
  EXPECT_EQ(campaigns->list()->front().id, kept);
}

TEST_F(DeletedCampaign, WaitsForTheResultsWhoseDiskIsUnpluggedButIsNotBroughtBackInPart) {
  const int64_t here = add_in(dir / "runs/imported-1", 1), away = add_in(dir / "disk/imported-2", 2);
  std::filesystem::rename(dir / "disk", dir / "unplugged");
  ASSERT_TRUE(campaigns->remove(id));
  ASSERT_TRUE(store->purge(kEver));
  EXPECT_EQ(store->presence(here), Presence::gone);
  EXPECT_EQ(store->presence(away), Presence::deleted);
  EXPECT_FALSE(campaigns->restore(id)) << "one of its results has gone";
  EXPECT_EQ(store->presence(away), Presence::deleted);
  std::filesystem::rename(dir / "unplugged", dir / "disk");
  ASSERT_TRUE(store->purge(kEver));
  EXPECT_EQ(store->presence(away), Presence::gone);
  EXPECT_EQ(
      Connection::open(path, Access::read_only, std::chrono::seconds(5))->number("SELECT count(*) FROM campaigns"), 0);
}

TEST_F(DeletedCampaign, TakesARunThatIsTakenInLaterWithIt) {
  ASSERT_TRUE(campaigns->remove(id));
  const int64_t late = add(1);
  EXPECT_THAT(listed(), IsEmpty());
  EXPECT_EQ(store->presence(late), Presence::deleted);
  ASSERT_TRUE(campaigns->restore(id));
  EXPECT_THAT(listed(), ElementsAre(late));
  EXPECT_EQ(store->load(late)->campaign->campaign, id);
}

TEST_F(DeletedCampaign, LeavesARunThatIsTakenInWhenItHasGoneAsOneOfNoCampaign) {
  ASSERT_TRUE(campaigns->remove(id));
  ASSERT_TRUE(store->purge(kEver));
  const int64_t late = add(1);
  EXPECT_THAT(listed(), ElementsAre(late));
  EXPECT_FALSE(store->load(late)->campaign);
}

}  // namespace
}  // namespace n2nq::store
