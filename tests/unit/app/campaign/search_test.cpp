#include "app/campaign/search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "app/campaign/campaign_figures.h"
#include "app/campaign/campaign_form.h"
#include "app/campaign/estimate.h"
#include "app/campaign/search_text.h"
#include "tests/unit/app/campaign/example_search.h"

namespace n2nq::campaign {
namespace {

using record::RunRecord;
using record::Verdict;
using test::next_run;
using test::rate_search;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// To its end, on a bus that takes so much.
std::vector<RunRecord> all_runs(const Campaign& campaign, double limit_per_s) {
  Search search(campaign);
  std::vector<RunRecord> records;
  while (search.next() && records.size() < 1000) {
    records.push_back(next_run(search, limit_per_s));
    search.take(records.back());
  }
  return records;
}

Search replayed(const Campaign& campaign, std::span<const RunRecord> records) {
  Search search(campaign);
  for (const RunRecord& record : records) search.take(record);
  return search;
}

TEST(Search, GoesOnAfterAnyRunAsIfThereHadBeenNoStop) {
  const Campaign campaign = rate_search();
  const std::vector<RunRecord> records = all_runs(campaign, 1950);
  ASSERT_THAT(records, SizeIs(14));
  std::set<std::pair<uint32_t, uint32_t>> made;
  for (size_t i = 0; i < records.size(); i++) {
    const Search search = replayed(campaign, std::span(records).first(i));
    ASSERT_TRUE(search.next()) << i;
    EXPECT_EQ(search.next()->point, records[i].campaign->point) << i;
    EXPECT_EQ(search.next()->repeat, records[i].campaign->repeat) << i;
    EXPECT_EQ(search.points()[search.next()->point - 1].plan, records[i].plan) << i;
    EXPECT_TRUE(made.emplace(search.next()->point, search.next()->repeat).second) << "run twice";
  }
  EXPECT_EQ(replayed(campaign, records).end(), SearchEnd::found);
}

TEST(Search, IsTheSameByItsResultsInAnyOrder) {
  std::vector<RunRecord> records = all_runs(rate_search(), 1950);
  const std::string sentence = sentence_of(replayed(rate_search(), records));
  std::ranges::reverse(records);
  EXPECT_EQ(sentence_of(replayed(rate_search(), records)), sentence);
}

TEST(Search, MakesARunAgainThatFailedAsOftenAsTold) {
  Search search(rate_search());
  RunRecord failed = next_run(search, 1950);
  failed.verdict = Verdict::failed;
  failed.reason = "the queue was killed";
  search.take(failed);
  EXPECT_EQ(search.next(), (PlannedRun{1, 1})) << "one more try";
  search.take(failed);
  EXPECT_EQ(search.end(), SearchEnd::failing);
  EXPECT_EQ(search.failed(), 1u);
  EXPECT_EQ(search.outcome({1, 1}), Outcome::failed);
  EXPECT_EQ(sentence_of(search), "runs at 100 /s fail: the queue was killed");
}

TEST(Search, AStoppedRunIsMadeAgain) {
  Search search(rate_search());
  RunRecord stopped = next_run(search, 1950);
  stopped.verdict = Verdict::stopped;
  for (int i = 0; i < 5; i++) search.take(stopped);
  EXPECT_EQ(search.next(), (PlannedRun{1, 1}));
  EXPECT_EQ(search.runs(), 0u);
}

// The result of the first value was deleted, and another bus is there now: what was made of other values is not an
// answer.
TEST(Search, PassesOverResultsOfOtherValues) {
  const std::vector<RunRecord> records = all_runs(rate_search(), 1950);
  Search search(rate_search());
  for (const RunRecord& record : records)
    if (record.campaign->point != 3) search.take(record);
  EXPECT_EQ(search.next(), (PlannedRun{3, 1}));
  RunRecord worse = next_run(search, 1);
  search.take(worse);
  EXPECT_EQ(search.next(), (PlannedRun{4, 1})) << "it goes to 283 /s now, where point 4 had 800 /s";
  EXPECT_EQ(search.points()[3].plan.senders.delay_ns, 35'335'689);
}

TEST(Search, SaysWhatItFound) {
  const auto sentence = [](double limit) {
    return sentence_of(replayed(rate_search(), all_runs(rate_search(), limit)));
  };
  EXPECT_EQ(sentence(1950),
            "between 1,900 /s and 1,980 /s: p99 <= 5 ms held in 3 of 3 runs at 1,900 /s, in 0 of 3 at 1,980 /s");
  EXPECT_EQ(sentence(50),
            "not met at the first value: p99 <= 5 ms held in 0 of 3 runs at 100 /s (p99 was 80.0 ms); start with an "
            "easier one");
  EXPECT_EQ(sentence(1e9),
            "still met at the last value: p99 <= 5 ms held in 3 of 3 runs at 100,000 /s; the limit lies beyond it");
}

TEST(Search, SaysThatTheSendersAreTheLimit) {
  Search search(rate_search());
  while (search.next()) {
    RunRecord record = next_run(search, 1e9);
    if (search.points()[search.next()->point - 1].value > 1950) {
      record.rate_reached = false;
      record.totals.sent = 1900 * 5;
    }
    search.take(record);
  }
  EXPECT_EQ(search.end(), SearchEnd::senders);
  EXPECT_EQ(sentence_of(search),
            "the senders are the limit: at 1,980 /s they could not keep their schedule in 3 of 3 runs and reached "
            "1,900 /s, which says nothing about the limit of the bus; give them more processes or hosts; p99 <= 5 ms "
            "held in 3 of 3 runs at 1,900 /s");
}

TEST(Search, SaysHowFarItIs) {
  Search search(rate_search());
  EXPECT_EQ(sentence_of(search), "no runs yet");
  EXPECT_EQ(run_text(search, *search.next()), "100 /s");
  while (search.next()->repeat == 1) search.take(next_run(search, 1950));
  EXPECT_EQ(run_text(search, *search.next()), "1,900 /s, confirmed 2 of 3");
  EXPECT_EQ(sentence_of(search),
            "so far between 1,900 /s and 1,980 /s: p99 <= 5 ms held in 1 of 1 run at 1,900 /s, in 0 of 1 at 1,980 /s");
}

TEST(SearchFigure, HasTheProbesTheLimitAndTheBracket) {
  const std::vector<RunRecord> records = all_runs(rate_search(), 1950);
  const auto figures = figures_of(rate_search(), {}, records, {});
  ASSERT_THAT(figures, SizeIs(1));
  const figures::Figure& figure = figures.front();
  EXPECT_EQ(figure.id, "search-p99");
  EXPECT_EQ(figure.x.label, "rate");
  EXPECT_EQ(figure.x.quantity, figures::Quantity::rate_per_s);
  EXPECT_EQ(figure.y.quantity, figures::Quantity::duration_ns);
  std::vector<std::string> names;
  for (const figures::Series& series : figure.series) names.push_back(series.name);
  EXPECT_THAT(names, ElementsAre("met", "not met", "p99 <= 5 ms", "held at 1,900 /s", "did not hold at 1,980 /s"));
  EXPECT_THAT(figure.series[0].points,
              ElementsAre(figures::Point{100, 1e6}, figures::Point{200, 1e6}, figures::Point{400, 1e6},
                          figures::Point{800, 1e6}, figures::Point{1600, 1e6}, figures::Point{1900, 1e6}));
  EXPECT_EQ(figure.series[0].notes.back(), "met in 3 of 3");
  EXPECT_THAT(figure.series[1].points, ElementsAre(figures::Point{1980, 8e7}, figures::Point{2070, 8e7},
                                                   figures::Point{2260, 8e7}, figures::Point{3200, 8e7}));
  EXPECT_THAT(figure.series[2].points, ElementsAre(figures::Point{100, 5e6}, figures::Point{3200, 5e6}));
  EXPECT_THAT(figure.series[3].points, ElementsAre(figures::Point{1900, 1e6}, figures::Point{1900, 8e7}));
  EXPECT_THAT(figure.notes, testing::IsEmpty()) << "the page and the report say what came out";
}

// The mean of such runs may lie beyond the limit.
TEST(SearchFigure, TellsValuesApartWhoseRunsDisagree) {
  Search search(rate_search());
  std::vector<RunRecord> records;
  bool first = true;
  while (search.next() && records.size() < 1000) {
    records.push_back(next_run(search, 1950));
    if (search.points()[search.next()->point - 1].value == 1900 && !std::exchange(first, false))
      records.back().latencies[Latency::latency].p99 = 80'000'000;
    search.take(records.back());
  }
  const figures::Figure figure = figures_of(rate_search(), {}, records, {}).front();
  const auto torn = std::ranges::find(figure.series, "met in some runs", &figures::Series::name);
  ASSERT_NE(torn, figure.series.end());
  ASSERT_THAT(torn->points, SizeIs(1));
  EXPECT_EQ(torn->points.front().x, 1900);
  EXPECT_THAT(torn->notes.front(), HasSubstr("met in 1 of "));
  for (const char* other : {"met", "not met"}) {
    const auto series = std::ranges::find(figure.series, other, &figures::Series::name);
    ASSERT_NE(series, figure.series.end());
    EXPECT_EQ(std::ranges::find(series->points, 1900, &figures::Point::x), series->points.end()) << other;
  }
}

TEST(SearchFigure, IsOneForEachLimit) {
  Campaign campaign = rate_search();
  campaign.search->limits = {"p99 <= 5ms", "lost = 0", "p99 <= 9ms"};
  std::vector<std::string> ids;
  for (const FigureSpec& spec : figure_specs(campaign)) ids.push_back(spec.id);
  EXPECT_THAT(ids, ElementsAre("search-p99", "search-lost", "search-p99-3"));
  const auto records = all_runs(campaign, 1950);
  EXPECT_THAT(figures_of(campaign, {}, records, {}), SizeIs(3));
  EXPECT_THAT(points_of_search(campaign, records), SizeIs(10));
}

TEST(SearchFigure, TellsSendersApartAndNamesWhatFailed) {
  Search search(rate_search());
  std::vector<RunRecord> records;
  while (search.next() && records.size() < 3) {
    records.push_back(next_run(search, 1e9));
    if (records.size() == 3) records.back().totals.sent = 1;
    search.take(records.back());
  }
  RunRecord failed = next_run(search, 1e9);
  failed.verdict = Verdict::failed;
  records.push_back(failed);
  records.push_back(failed);
  const figures::Figure figure = figures_of(rate_search(), {}, records, {}).front();
  EXPECT_EQ(figure.series[1].name, "senders could not keep up");
  EXPECT_THAT(figure.series[1].points, ElementsAre(figures::Point{400, 1e6}));
  EXPECT_THAT(figure.notes, Contains("runs at 283 /s failed"));
  EXPECT_TRUE(figures_of(rate_search(), {}, {}, {}).front().empty());
}

TEST(SearchLedger, CountsAsACampaignDoes) {
  Ledger ledger(rate_search());
  EXPECT_EQ(ledger.runs(), 1u);
  EXPECT_EQ(ledger.next(), (PlannedRun{1, 1}));
  EXPECT_FALSE(ledger.complete());
  for (const RunRecord& record : all_runs(rate_search(), 1950)) ledger.take(record);
  EXPECT_EQ(ledger.done(), 14u);
  EXPECT_EQ(ledger.runs(), 14u);
  EXPECT_TRUE(ledger.complete());
  EXPECT_EQ(ledger.next(), std::nullopt);
  EXPECT_EQ(ledger.state({1, 1}), RunState::done);
  EXPECT_EQ(estimate_of(rate_search(), &ledger).runs, 0u);
}

TEST(SearchLedger, StopsAtTheFirstFailureWhereTold) {
  Campaign campaign = rate_search();
  campaign.stop.failure = true;
  campaign.tries = 1;
  Ledger ledger(campaign);
  ledger.take(next_run(*ledger.search(), 1950));
  RunRecord failed = next_run(*ledger.search(), 1950);
  failed.verdict = Verdict::failed;
  ledger.take(failed);
  EXPECT_EQ(ledger.next(), std::nullopt);
  EXPECT_THAT(*ledger.stopped_by(), HasSubstr("stopped at the first failure: 200 /s"));
}

TEST(SearchForm, IsKeptWhileItsCampaignIsEdited) {
  EXPECT_EQ(campaign_of(form_of(rate_search())).value(), rate_search());
  EXPECT_EQ(campaign_of(parse_form(to_json(form_of(rate_search()))).value()).value(), rate_search());
}

TEST(SearchEstimate, IsOfARunThatTheBusKeepsUpWith) {
  const Estimate estimate = estimate_of(rate_search());
  EXPECT_TRUE(estimate.search);
  EXPECT_EQ(estimate.runs, expected_runs(*rate_search().search));
  EXPECT_GE(estimate.duration_ns, static_cast<int64_t>(estimate.runs) * 5'000'000'000);
}

}  // namespace
}  // namespace n2nq::campaign
