// Stars and tags of results, and the list that shows them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/record/tags.h"
#include "app/store/campaign_store.h"
#include "app/store/sql.h"
#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Marks : testing::Test {
  n2nq::test::TempDir dir;
  std::string path = (dir / "results.sqlite").string();
  std::unique_ptr<ResultStore> store = ResultStore::open(path).value();

  int64_t add(const std::string& name = "run") { return store->add(record::test::example_record(name)).value(); }
  ResultRow row(int64_t id) const {
    const ResultListing listing = store->list().value();
    for (const ResultRow& one : listing.rows)
      if (one.id == id) return one;
    ADD_FAILURE() << id << " is not listed";
    return {};
  }
};

TEST_F(Marks, AStarIsSetAndTakenAway) {
  const int64_t one = add(), two = add(), three = add();
  ASSERT_TRUE(store->set_starred({one, three}, true));
  ASSERT_TRUE(store->set_starred({one}, true)) << "once more does nothing";
  EXPECT_TRUE(row(one).starred);
  EXPECT_FALSE(row(two).starred);
  ASSERT_TRUE(store->set_starred({one, three}, false));
  EXPECT_FALSE(row(one).starred);
}

TEST_F(Marks, TagsReplaceThoseBefore) {
  const int64_t id = add();
  ASSERT_TRUE(store->set_tags(id, {"night", "  cable 2 ", "", "night"}));
  EXPECT_THAT(row(id).tags, ElementsAre("cable 2", "night"));
  ASSERT_TRUE(store->set_tags(id, {"day"}));
  EXPECT_THAT(row(id).tags, ElementsAre("day"));
  ASSERT_TRUE(store->set_tags(id, {}));
  EXPECT_THAT(row(id).tags, IsEmpty());
}

TEST_F(Marks, TagsOfSeveralChangeTogether) {
  const int64_t one = add(), two = add();
  ASSERT_TRUE(store->set_tags(one, {"old", "kept"}));
  ASSERT_TRUE(store->change_tags({one, two}, {.added = {"new"}, .removed = {"old"}}));
  EXPECT_THAT(row(one).tags, ElementsAre("kept", "new"));
  EXPECT_THAT(row(two).tags, ElementsAre("new"));
}

TEST_F(Marks, NothingChangesWhereOneIsGone) {
  const int64_t id = add();
  EXPECT_THAT(store->set_starred({id, 77}, true).error().text, HasSubstr("result 77 is no longer in " + path));
  EXPECT_THAT(store->change_tags({id, 77}, {.added = {"new"}, .removed = {}}).error().text, HasSubstr("result 77"));
  EXPECT_FALSE(row(id).starred);
  EXPECT_THAT(row(id).tags, IsEmpty());
}

TEST_F(Marks, TheMostUsedTagIsFirst) {
  const int64_t one = add(), two = add(), deleted = add();
  ASSERT_TRUE(store->set_tags(one, {"b", "c"}));
  ASSERT_TRUE(store->set_tags(two, {"a", "c"}));
  ASSERT_TRUE(store->set_tags(deleted, {"c", "d"}));
  ASSERT_TRUE(store->remove(deleted));
  EXPECT_THAT(*store->tags(), ElementsAre(TagCount{"c", 2}, TagCount{"a", 1}, TagCount{"b", 1}));
}

TEST_F(Marks, GoWithTheirResult) {
  const int64_t id = add();
  ASSERT_TRUE(store->set_starred({id}, true));
  ASSERT_TRUE(store->set_tags(id, {"a"}));
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(store->purge(INT64_MAX));
  auto connection = Connection::open(path, Access::read_only, std::chrono::seconds(5));
  EXPECT_EQ(connection->number("SELECT (SELECT count(*) FROM stars) + (SELECT count(*) FROM tags)"), 0);
}

TEST_F(Marks, TheListHasThePlaceInACampaignAndTheNotes) {
  const int64_t campaign = CampaignStore::open(path).value()->add("sizes", "{}").value();
  record::RunRecord record = record::test::example_record();
  record.campaign = record::CampaignPlace{.campaign = campaign, .point = 3, .repeat = 2, .attempt = 1};
  const int64_t of_campaign = store->add(record).value();
  const int64_t alone = add();
  ASSERT_TRUE(store->set_notes(alone, "cable 2"));
  EXPECT_EQ(row(of_campaign).campaign, record.campaign);
  EXPECT_EQ(row(of_campaign).campaign_name, "sizes");
  EXPECT_EQ(row(of_campaign).notes, "");
  EXPECT_FALSE(row(alone).campaign);
  EXPECT_EQ(row(alone).notes, "cable 2");
}

TEST(Tags, AreReadFromALineAndWrittenAsOne) {
  EXPECT_THAT(*record::parse_tags(" night ,cable 2,, night"), ElementsAre("cable 2", "night"));
  EXPECT_THAT(*record::parse_tags(""), IsEmpty());
  EXPECT_EQ(record::tags_text({"cable 2", "night"}), "cable 2, night");
}

TEST(Tags, SayWhatIsNone) {
  EXPECT_THAT(record::checked_tags({std::string(61, 'x')}).error().text, HasSubstr("at most 60 bytes"));
  EXPECT_THAT(record::checked_tags({"a\nb"}).error().text, HasSubstr("one line without commas"));
  EXPECT_THAT(record::checked_tags({"a,b"}).error().text, HasSubstr("one line without commas"));
}

}  // namespace
}  // namespace n2nq::store
