#include "app/campaign/search_facts.h"

#include <gmock/gmock.h>

#include <map>

#include "app/campaign/ledger.h"
#include "app/campaign/point_rows.h"
#include "app/campaign/search_text.h"
#include "tests/unit/app/campaign/example_search.h"

namespace n2nq::campaign {
namespace {

using record::RunRecord;
using test::next_run;
using test::rate_search;
using testing::HasSubstr;
using testing::SizeIs;

// To its end, or so many runs, with what `change` does to each.
Search made(double limit_per_s, size_t runs = 1000, const std::function<void(RunRecord&, double)>& change = {}) {
  Search search(rate_search());
  while (search.next() && search.runs() < runs) {
    RunRecord record = next_run(search, limit_per_s);
    if (change) change(record, search.points()[search.next()->point - 1].value);
    search.take(record);
  }
  return search;
}

TEST(SearchFacts, SayBracketCertaintyAndThatItIsTheBus) {
  const SearchFacts facts = facts_of(made(1950));
  EXPECT_EQ(facts.bracket, "between 1,900 /s and 1,980 /s, 4.2 % apart (at most 5.0 % wanted)");
  EXPECT_EQ(facts.certainty,
            "met in 3 of 3 runs at 1,900 /s (29 to 100 % of such runs, 95 % confidence), in 0 of 3 at 1,980 /s "
            "(0 to 71 %); all runs agree");
  EXPECT_EQ(facts.limit, WhoseLimit::bus);
  EXPECT_EQ(facts.whose, "the bus: p99 was 80.0 ms at 1,980 /s");
}

TEST(SearchFacts, SayHowFarItIs) {
  SearchFacts facts = facts_of(made(1950, 0));
  EXPECT_EQ(facts.bracket, "no runs yet");
  EXPECT_EQ(facts.certainty, "");
  EXPECT_EQ(facts.limit, WhoseLimit::unknown);
  facts = facts_of(made(1950, 1));
  EXPECT_EQ(facts.bracket, "from 100 /s on: no value has failed so far");
  EXPECT_THAT(facts.certainty, HasSubstr("met in 1 of 1 run at 100 /s"));
  EXPECT_THAT(facts.certainty, HasSubstr("one run alone"));
  facts = facts_of(made(1950, 6));
  EXPECT_EQ(facts.bracket, "between 1,600 /s and 3,200 /s, 100 % apart (at most 5.0 % wanted)");
}

TEST(SearchFacts, SayWhereThereIsNoBracket) {
  EXPECT_EQ(facts_of(made(50)).bracket, "not even at 100 /s, the first value");
  const auto late = [](RunRecord& record, double) { record.totals.sent = 1; };
  EXPECT_EQ(facts_of(made(50, 1000, late)).bracket, "unknown: the senders could not keep up at 100 /s, the first value")
      << "which says nothing of the bus";
  const auto failing = [](RunRecord& record, double) { record.verdict = record::Verdict::failed; };
  EXPECT_EQ(facts_of(made(50, 1000, failing)).bracket, "unknown: runs fail at 100 /s, the first value");
  const SearchFacts always = facts_of(made(1e9));
  EXPECT_EQ(always.bracket, "from 100,000 /s on: still met at the last value");
  EXPECT_EQ(always.limit, WhoseLimit::unknown);
  EXPECT_THAT(always.whose, HasSubstr("beyond the last value"));
}

TEST(SearchFacts, SayThatTheSendersAreTheLimit) {
  const SearchFacts facts = facts_of(made(1e9, 1000, [](RunRecord& record, double value) {
    if (value > 1950) record.totals.sent = 1900 * 5;
  }));
  EXPECT_EQ(facts.limit, WhoseLimit::senders);
  EXPECT_EQ(facts.whose,
            "the senders, not the bus: the senders reached 1,900 /s of 1,980 /s at 1,980 /s; give them more processes, "
            "or separate hosts");
}

TEST(SearchFacts, SayThatRunsFailOrDoNotAgree) {
  Search search = made(1950, 5);
  RunRecord failed = next_run(search, 1950);
  failed.verdict = record::Verdict::failed;
  failed.reason = "the queue was killed";
  search.take(failed);
  search.take(failed);
  EXPECT_EQ(facts_of(search).limit, WhoseLimit::failure);
  EXPECT_THAT(facts_of(search).whose, HasSubstr("runs fail: the queue was killed at 3,200 /s"));
  bool first = true;
  const Search torn = made(1950, 1000, [&](RunRecord& record, double value) {
    if (value == 1900 && !std::exchange(first, false)) record.latencies[Latency::latency].p99 = 80'000'000;
  });
  EXPECT_THAT(facts_of(torn).certainty,
              HasSubstr("runs at 1,900 /s disagreed: the limit may be anywhere in that range"));
}

// Neither the bracket alone nor the sentence may hide that runs disagreed outside it.
TEST(SearchFacts, SayTheWholeRangeWhereRunsDisagree) {
  std::map<double, int> made_at;
  const Search torn = made(1950, 1000, [&](RunRecord& record, double value) {
    const int before = made_at[value]++;
    if (value == 1900 && before == 1) record.latencies[Latency::latency].p99 = 80'000'000;
    if (value == 1980 && before > 0) record.latencies[Latency::latency].p99 = 1'000'000;
  });
  EXPECT_EQ(facts_of(torn).bracket,
            "between 1,900 /s and 2,070 /s, where runs disagree; the ends found are 1,980 /s and 2,070 /s, 4.5 % apart "
            "(at most 5.0 % wanted)");
  EXPECT_THAT(sentence_of(torn), HasSubstr("between 1,900 /s and 2,070 /s: p99 <= 5 ms held in 2 of 3 runs at 1,980"));
}

TEST(SearchRuns, AreAtMostAsManyAsExpectedWhereTheyAgree) {
  EXPECT_EQ(runs_at_most(Search(rate_search())), expected_runs(*rate_search().search));
  EXPECT_LE(made(1950).runs(), expected_runs(*rate_search().search));
}

// The rows of points say of each run what it says for the search.
TEST(SearchRows, SayWhatEachRunMet) {
  const Campaign campaign = rate_search();
  Search search(campaign);
  Ledger ledger(campaign);
  std::vector<RunRecord> records;
  while (search.next()) {
    records.push_back(next_run(search, 1950));
    if (search.points()[search.next()->point - 1].value > 3000) records.back().totals.sent = 1;
    search.take(records.back());
    ledger.take(records.back());
  }
  const auto rows = point_rows(campaign, search.points(), records, ledger);
  ASSERT_THAT(rows, SizeIs(10));
  EXPECT_TRUE(rows[0].of_search);
  EXPECT_EQ(rows[0].repeats[0].outcome, Outcome::met);
  EXPECT_EQ(rows[5].label, "3,200 /s");
  EXPECT_EQ(rows[5].repeats[0].outcome, Outcome::senders);
  EXPECT_THAT(rows[5].repeats[0].why, HasSubstr("the senders reached"));
  size_t confirmed = 0;
  for (const PointRow& row : rows) confirmed += row.met() == 3 ? 1 : 0;
  EXPECT_EQ(confirmed, 1u) << "the lower end";
  EXPECT_EQ(rows[6].repeats[0].outcome, Outcome::bus);
  EXPECT_EQ(rows[6].met(), 0u);
}

}  // namespace
}  // namespace n2nq::campaign
