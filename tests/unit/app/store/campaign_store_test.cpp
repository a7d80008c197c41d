#include "app/store/campaign_store.h"

#include <gmock/gmock.h>

#include "app/store/sql.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct CampaignsInAStore : testing::Test {
  n2nq::test::TempDir dir;
  std::string path = (dir / "results.sqlite").string();
  std::unique_ptr<ResultStore> store = ResultStore::open(path).value();
  std::unique_ptr<CampaignStore> campaigns = CampaignStore::open(path).value();

  record::RunRecord run(int64_t campaign, uint32_t point, uint32_t repeat, uint32_t attempt = 1) const {
    record::RunRecord record = record::test::example_record();
    record.campaign = record::CampaignPlace{.campaign = campaign, .point = point, .repeat = repeat, .attempt = attempt};
    return record;
  }
};

TEST_F(CampaignsInAStore, AreListedNewestFirst) {
  const int64_t first = campaigns->add("sizes", "{}").value();
  const int64_t second = campaigns->add("delays", "{ }").value();
  ASSERT_TRUE(store->add(run(first, 1, 1)));
  const auto list = campaigns->list();
  ASSERT_THAT(*list, SizeIs(2));
  EXPECT_EQ((*list)[0].name, "delays");
  EXPECT_EQ((*list)[1].id, first);
  EXPECT_EQ((*list)[1].results, 1u);
  EXPECT_GT((*list)[1].started_utc_ns, 0);
  EXPECT_EQ(campaigns->find(second)->definition, "{ }");
  EXPECT_THAT(campaigns->find(99).error().text, HasSubstr("campaign 99 is not in "));
}

TEST_F(CampaignsInAStore, GoOnUntilTheyAreOver) {
  const int64_t first = campaigns->add("sizes", "{}").value();
  const int64_t second = campaigns->add("sizes", "{}").value();
  EXPECT_EQ((*campaigns->find_unfinished("{}"))->id, second);
  EXPECT_FALSE(*campaigns->find_unfinished("{\"other\"}"));
  ASSERT_TRUE(campaigns->end(second, "all 4 runs completed"));
  EXPECT_EQ((*campaigns->find_unfinished("{}"))->id, first);
  EXPECT_EQ(campaigns->find(second)->end_text, "all 4 runs completed");
  EXPECT_TRUE(campaigns->find(second)->ended_utc_ns);
}

TEST_F(CampaignsInAStore, HaveTheirResultsWithoutHistograms) {
  const int64_t id = campaigns->add("sizes", "{}").value();
  ASSERT_TRUE(store->add(run(id, 2, 1)));
  ASSERT_TRUE(store->add(run(campaigns->add("other", "{}").value(), 1, 1)));
  ASSERT_TRUE(store->add(record::test::example_record()));
  const auto results = campaigns->results_of(id);
  ASSERT_THAT(*results, SizeIs(1));
  const record::RunRecord expected = run(id, 2, 1);
  const record::RunRecord& found = results->front();
  EXPECT_EQ(found.campaign, expected.campaign);
  EXPECT_EQ(found.latencies[Latency::latency], expected.latencies[Latency::latency]);
  EXPECT_EQ(found.totals, expected.totals);
  EXPECT_EQ(found.plan, expected.plan);
  EXPECT_EQ(found.waiting_batches, expected.waiting_batches) << "its interval needs them";
  EXPECT_FALSE(expected.waiting_batches.empty());
  EXPECT_THAT(found.histograms, ElementsAre());
  EXPECT_THAT(found.services, ElementsAre());
}

TEST_F(CampaignsInAStore, LeaveOutResultsThatWereDeletedButCountTheirAttempts) {
  const int64_t id = campaigns->add("sizes", "{}").value();
  const int64_t result = store->add(run(id, 1, 1)).value();
  ASSERT_TRUE(store->remove(result));
  EXPECT_THAT(*campaigns->results_of(id), SizeIs(0));
  EXPECT_EQ(campaigns->find(id)->results, 0u);
  EXPECT_EQ(campaigns->last_attempt(id, 1, 1), 1u);
  EXPECT_EQ(campaigns->last_attempt(id, 1, 2), 0u);
}

TEST_F(CampaignsInAStore, NumberTheAttemptsAtARun) {
  const int64_t id = campaigns->add("sizes", "{}").value();
  const int64_t first = store->add(run(id, 1, 1)).value();
  const int64_t second = store->add(run(id, 1, 1)).value();
  const int64_t other = store->add(run(id, 1, 2, 7)).value();
  EXPECT_EQ(store->load(first)->campaign->attempt, 1u);
  EXPECT_EQ(store->load(second)->campaign->attempt, 2u) << "one that was cut off may be taken in later";
  EXPECT_EQ(store->load(other)->campaign->attempt, 1u);
}

TEST_F(CampaignsInAStore, AreBegunOnceByTwoAtOnce) {
  const int64_t id = campaigns->find_or_add("sizes", "{}").value();
  EXPECT_EQ(CampaignStore::open(path).value()->find_or_add("sizes", "{}"), id);
  ASSERT_TRUE(campaigns->end(id, "all runs completed"));
  EXPECT_NE(campaigns->find_or_add("sizes", "{}"), id);
}

TEST_F(CampaignsInAStore, AreNotWrittenOnceANewerVersionHasTheStore) {
  ASSERT_TRUE(Connection::open(path, Access::read_write, std::chrono::seconds(5))->run("PRAGMA user_version = 99"));
  EXPECT_THAT(campaigns->add("sizes", "{}").error().text, HasSubstr("is of schema 99"));
}

}  // namespace
}  // namespace n2nq::store
