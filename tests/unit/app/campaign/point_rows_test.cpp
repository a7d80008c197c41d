#include "app/campaign/point_rows.h"

#include <gmock/gmock.h>

#include "app/campaign/point_notes.h"
#include "tests/unit/app/campaign/example_results.h"
#include "tests/unit/app/campaign/example_search.h"

namespace n2nq::campaign {
namespace {

using record::Verdict;
using test::result;
using testing::SizeIs;

struct PointRows : testing::Test {
  PointRows() {
    campaign.axes = {{.name = "kind", .values = {{.label = "a", .set = {}}, {.label = "b", .set = {}}}}};
    campaign.repeats = 2;
    campaign.tries = 2;
  }
  std::vector<PointRow> rows(const std::vector<record::RunRecord>& records) const {
    Ledger ledger(campaign);
    for (const auto& record : records) ledger.take(record);
    return point_rows(campaign, *points_of(campaign), records, ledger);
  }
  Campaign campaign;
};

record::RunRecord numbered(record::RunRecord record, int64_t id) {
  record.id = id;
  return record;
}

// Those of one axis, as a comparison has them.
TEST(ComparedPoints, AreTheSidesOfACampaignOfOneAxis) {
  Campaign campaign;
  campaign.axes = {{.name = "bus",
                    .values = {{.label = "redis", .set = {{.key = "bus.kind", .value = "redis-streams"}}},
                               {.label = "nats", .set = {{.key = "bus.kind", .value = "nats"}}}}}};
  const auto points = *points_of(campaign);
  std::vector<record::RunRecord> records{result(2, 1), result(1, 1), result(1, 2), result(2, 2, Verdict::failed)};
  for (record::RunRecord& record : records) record.plan = points[record.campaign->point - 1].plan;
  const auto sides = compared_points(campaign, points, records);
  ASSERT_THAT(sides, SizeIs(2));
  EXPECT_EQ(sides[0].name, "Redis Streams") << "the first point, as nothing is known of their starts";
  EXPECT_THAT(sides[0].runs, SizeIs(2));
  EXPECT_EQ(sides[1].name, "NATS");
  EXPECT_THAT(sides[1].runs, SizeIs(1));
  for (record::RunRecord& record : records) record.started_utc_ns = record.campaign->point == 2 ? 1 : 2;
  EXPECT_EQ(compared_points(campaign, points, records)[0].name, "NATS") << "it ran first: the page compares with that";
  records.erase(records.begin());
  EXPECT_THAT(compared_points(campaign, points, records), SizeIs(0)) << "one point has results";
}

TEST(ComparedPoints, AreNoneOfSeveralAxesNorOfMorePointsThanASentenceTells) {
  Campaign campaign;
  campaign.axes = {{.name = "size", .values = {}}};
  std::vector<record::RunRecord> records;
  for (uint32_t point = 1; point <= kMostCompared + 1; point++) {
    campaign.axes[0].values.push_back(
        {.label = std::to_string(point), .set = {{.key = "senders.size", .value = std::to_string(point * 100)}}});
    records.push_back(result(point, 1));
    records.back().plan.senders.size_bytes = {.min = point * 100, .max = point * 100};
    EXPECT_EQ(compared_points(campaign, *points_of(campaign), records).size(),
              point > 1 && point <= kMostCompared ? point : 0);
  }
  campaign.axes[0].values.resize(2);
  ASSERT_THAT(compared_points(campaign, *points_of(campaign), records), SizeIs(2));
  campaign.axes.push_back({.name = "other", .values = {{.label = "a", .set = {}}}});
  EXPECT_THAT(compared_points(campaign, *points_of(campaign), records), SizeIs(0));
}

TEST_F(PointRows, HaveAPlaceForEachRepeatBeforeItIsMade) {
  const auto all = rows({});
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].label, "a");
  EXPECT_EQ(all[1].number, 2u);
  ASSERT_THAT(all[0].repeats, SizeIs(2));
  EXPECT_EQ(all[0].repeats[0], RepeatRow{});
  EXPECT_EQ(all[0].last_result(), 0);
  EXPECT_FALSE(all[0].trimmed_ns);
}

TEST_F(PointRows, KeepTheRunThatCountsAndHowOftenItWasTried) {
  const auto all = rows({numbered(result(1, 1, Verdict::failed), 7), numbered(result(1, 1, Verdict::passed, 50), 8),
                         numbered(result(1, 2, Verdict::passed, 150), 9)});
  EXPECT_EQ(all[0].repeats[0].state, RunState::done);
  EXPECT_EQ(all[0].repeats[0].tries, 2u);
  EXPECT_EQ(all[0].repeats[0].result, 8);
  EXPECT_EQ(all[0].done(), 2u);
  EXPECT_EQ(all[0].last_result(), 9);
  EXPECT_EQ(all[0].trimmed_ns, 100.0) << "the mean over the repeats that count";
  EXPECT_EQ(all[1].done(), 0u);
}

TEST_F(PointRows, CountTheDoubtfulOfThoseThatCount) {
  std::vector<record::RunRecord> records{result(1, 1), result(1, 2), result(2, 1, Verdict::failed)};
  for (record::RunRecord& record : records) record.trust = record::Trust::doubtful;
  records[1].trust = record::Trust::sound;
  records[0].warnings.push_back({.id = "cpu-sender", .text = "a sender was busy", .doubt = true});
  const auto all = rows(records);
  EXPECT_EQ(all[0].repeats[0].doubts, "a sender was busy");
  EXPECT_EQ(all[0].repeats[1].doubts, "");
  EXPECT_EQ(all[0].doubtful(), 1u);
  EXPECT_EQ(all[1].doubtful(), 0u) << "it failed, and makes no figure";
}

TEST_F(PointRows, HaveTheMeanOfWaitingWhereAFigureIsOfIt) {
  std::vector<record::RunRecord> records{result(1, 1), result(1, 2)};
  records[0].latencies[Latency::waiting].mean = 2e6;
  records[1].latencies[Latency::waiting].mean = 4e6;
  EXPECT_FALSE(rows(records)[0].shows_waiting);
  EXPECT_FALSE(rows(records)[0].waiting_ns);
  campaign.figures = {{.id = "w", .x = "kind", .metric = "queue-length"}};
  EXPECT_TRUE(rows(records)[0].shows_waiting);
  EXPECT_EQ(rows(records)[0].waiting_ns, 3e6);
  EXPECT_FALSE(rows(records)[1].waiting_ns);
}

TEST_F(PointRows, HaveTurnaroundWhereEveryPointAsksForReplies) {
  record::RunRecord record = result(1, 1, Verdict::passed, 50);
  record.latencies[Latency::turnaround] = {.p99 = 900, .trimmed_mean_p95 = 700};
  EXPECT_EQ(rows({record})[0].trimmed_ns, 50);
  EXPECT_FALSE(rows({record})[0].latency.replies);
  campaign.base.queue.mode = plan::Mode::request_reply;
  EXPECT_TRUE(rows({record})[0].latency.replies);
  EXPECT_EQ(rows({record})[0].trimmed_ns, 700);
  EXPECT_EQ(rows({record})[0].p99_ns, 900);
}

TEST_F(PointRows, HaveLatencyFromTheIntendedSendOfAllPointsWhereSendersWereLateInOneRun) {
  std::vector<record::RunRecord> records{result(1, 1, Verdict::passed, 50), result(2, 1, Verdict::passed, 60)};
  for (record::RunRecord& record : records) {
    record.latencies[Latency::latency].p99 = 1'000'000;
    record.latencies[Latency::scheduled_latency] = record.latencies[Latency::latency];
  }
  EXPECT_FALSE(rows(records)[0].latency.intended);
  records[1].latencies[Latency::scheduled_latency].p99 = 9'000'000;
  const auto all = rows(records);
  EXPECT_EQ(all[0].latency.title("p99"), "p99, intended");
  EXPECT_EQ(all[0].latency, all[1].latency);
  EXPECT_EQ(all[0].shown_p99_ns, 1e6);
  EXPECT_EQ(all[1].shown_p99_ns, 9e6);
  EXPECT_EQ(all[1].p99_ns, 1e6);
}

TEST_F(PointRows, SayWhichRunFailedInAllItsTriesAndWhy) {
  const auto all = rows({numbered(result(2, 1, Verdict::failed), 7), numbered(result(2, 1, Verdict::failed), 8),
                         numbered(result(2, 2, Verdict::stopped), 9)});
  EXPECT_EQ(all[1].repeats[0].state, RunState::failed);
  EXPECT_EQ(all[1].repeats[0].last_reason, "as it was told");
  EXPECT_EQ(all[1].repeats[0].result, 8);
  EXPECT_EQ(all[1].failed(), 1u);
  EXPECT_EQ(all[1].repeats[1].state, RunState::open) << "one that was stopped is made again";
  EXPECT_FALSE(all[1].trimmed_ns);
}

TEST_F(PointRows, TakeMoreRepeatsThanPlanned) {
  const auto all = rows({numbered(result(1, 5), 3)});
  ASSERT_THAT(all[0].repeats, SizeIs(5));
  EXPECT_EQ(all[0].repeats[4].state, RunState::done);
}

// Which of its records a search's run is of is for the search to say.
TEST(PointRowsOfASearch, CountTheDoubtsOfTheRunsThatItIsMadeOf) {
  const Campaign campaign = test::rate_search();
  Ledger ledger(campaign);
  std::vector<record::RunRecord> records;
  const auto take = [&](const char* doubt, Verdict verdict = Verdict::passed) {
    record::RunRecord record = test::next_run(*ledger.search(), 1'950);
    record.id = static_cast<int64_t>(records.size()) + 1;
    record.verdict = verdict;
    record.trust = record::Trust::doubtful;
    record.warnings = {{.id = "others", .text = doubt, .doubt = true}};
    ledger.take(record);
    records.push_back(record);
  };
  take("of a try that failed", Verdict::failed);
  take("of the run that counts");
  const auto rows = point_rows(campaign, ledger.search()->points(), records, ledger);
  EXPECT_EQ(rows[0].repeats[0].result, 2);
  EXPECT_EQ(rows[0].repeats[0].doubts, "of the run that counts");
  EXPECT_EQ(rows[0].doubtful(), 1u);
}

// An earlier record of that value was of another plan.
TEST(PointRowsOfASearch, HaveNoDoubtOfARunThatItIsNotMadeOf) {
  const Campaign campaign = test::rate_search();
  Ledger ledger(campaign);
  record::RunRecord other = test::next_run(*ledger.search(), 1'950), own = other;
  other.id = 1;
  other.plan.senders.delay_ns *= 3;
  other.trust = record::Trust::doubtful;
  other.warnings = {{.id = "others", .text = "of another value", .doubt = true}};
  own.id = 2;
  own.trust = record::Trust::sound;
  for (const auto& record : {other, own}) ledger.take(record);
  const auto rows = point_rows(campaign, ledger.search()->points(), {other, own}, ledger);
  EXPECT_EQ(rows[0].repeats[0].result, 2);
  EXPECT_EQ(rows[0].repeats[0].doubts, "");
}

}  // namespace
}  // namespace n2nq::campaign
