#include "app/figures/headlines.h"

#include <gmock/gmock.h>

#include "tests/unit/app/record/example_record.h"

namespace n2nq::figures {
namespace {

using record::RunRecord;
using record::Severity;
using testing::Contains;
using testing::ElementsAre;

std::vector<std::string> names_of(const std::vector<TableRow>& rows) {
  std::vector<std::string> names;
  for (const TableRow& row : rows) names.push_back(row.cells.front());
  return names;
}

RunRecord without_losses() {
  RunRecord record = record::test::example_record();
  record.verdict = record::Verdict::passed;
  record.totals.lost = record.totals.expired = record.totals.undeliverable = 0;
  record.totals.duplicates = record.totals.reordered = record.totals.corrupt = record.totals.redelivered = 0;
  return record;
}

TEST(Headlines, AreSentReceivedMedianTailAndLosses) {
  const auto headlines = headlines_of(record::test::example_record());
  std::vector<std::string> said;
  for (const Headline& one : headlines) said.push_back(one.name + " " + one.value + " " + one.unit);
  EXPECT_THAT(said,
              ElementsAre("Sent 1,000 ", "Received 992 ", "Latency p50 80.0 µs", "Latency p99 200.0 µs", "Lost 8 "));
  EXPECT_EQ(headlines.back().note, "of 1,000 due");
  EXPECT_EQ(headlines.back().severity, Severity::warning) << "the plan allows it";
}

TEST(Headlines, AreFromTheIntendedSendWhereSendersWereLate) {
  RunRecord record = record::test::example_record();
  record.passed_limits.clear();
  record.latencies[Latency::latency].p50 = 103'700'000;
  record.latencies[Latency::scheduled_latency].p50 = 8'174'700'000;
  record.latencies[Latency::scheduled_latency].p99 = 15'000'000'000;
  const auto headlines = headlines_of(record);
  EXPECT_EQ(headlines[2].name, "Latency p50, intended");
  EXPECT_EQ(headlines[2].value + " " + headlines[2].unit, "8.17 s");
  EXPECT_EQ(headlines[2].note, "actual send 103.7 ms");
  EXPECT_EQ(headlines[3].name, "Latency p99, intended");
  EXPECT_EQ(headlines[3].note, "actual send 200.0 µs");
  const RunRecord quiet = record::test::example_record();
  EXPECT_EQ(headlines_of(std::vector<const RunRecord*>{&quiet, &record})[3].name, "Latency p99, intended");
}

TEST(Headlines, NamePublishLatencyInFull) {
  EXPECT_EQ(headline_name(*find_metric("publish-p99")), "Publish latency p99");
  EXPECT_EQ(headline_name(*find_metric("publish-max")), "Publish latency, longest");
}

TEST(Headlines, OfRequestsAreTurnaroundAndTimeouts) {
  const auto headlines = headlines_of(record::test::example_replies());
  std::vector<std::string> said;
  for (const Headline& one : headlines) said.push_back(one.name + " " + one.value + " " + one.unit);
  EXPECT_THAT(said, ElementsAre("Requests 1,000 ", "Replies 988 ", "Turnaround p50 180.0 µs", "Turnaround p99 450.0 µs",
                                "Timed out 12 "));
  EXPECT_EQ(headlines.back().note, "of 1,000 requests");
  EXPECT_EQ(headlines.back().severity, Severity::error);
}

TEST(Headlines, SayThatNothingWasLostOrThatItIsNotKnown) {
  RunRecord record = without_losses();
  EXPECT_EQ(headlines_of(record).back().note, "No losses");
  EXPECT_EQ(headlines_of(record).back().severity, Severity::info);
  record.totals.unanswered = 5;
  EXPECT_EQ(headlines_of(record).back().value, "0");
  EXPECT_EQ(headlines_of(record).back().note, "5 not accepted");
  EXPECT_EQ(headlines_of(record).back().severity, Severity::warning) << "nobody knows what became of them";
  record.totals.lost = {};
  EXPECT_EQ(headlines_of(record).back().value, "-");
  record.totals.lost = 3;
  record.verdict = record::Verdict::failed;
  EXPECT_EQ(headlines_of(record).back().severity, Severity::error);
  record.latencies[Latency::latency] = {};
  EXPECT_EQ(headlines_of(record)[3].value, "-");
}

TEST(Headlines, AFigureBeyondItsLimitSaysSo) {
  RunRecord record = without_losses();
  record.passed_limits = {{.metric = "p99", .limit = 1e3, .value = 2e5, .fails = true},
                          {.metric = "p50", .limit = 1e6, .value = 2e6, .since_begin_ns = 1}};
  const auto headlines = headlines_of(record);
  EXPECT_EQ(headlines[3].note, "above 1 µs");
  EXPECT_EQ(headlines[3].severity, Severity::error);
  EXPECT_EQ(headlines[2].note, "was above 1 ms") << "over the whole run it is not";
  EXPECT_EQ(headlines[2].severity, Severity::warning);
  record.passed_limits.front().fails = false;
  EXPECT_EQ(headlines_of(record)[3].note, "above 1 µs");
  EXPECT_EQ(headlines_of(record)[3].severity, Severity::warning) << "it only warns";
}

TEST(Headlines, RepliesHaveTheirOwnLimit) {
  RunRecord record = without_losses();
  record.plan.queue.mode = plan::Mode::request_reply;
  record.passed_limits = {{.metric = "rate", .at_most = false, .limit = 1e6, .value = 1e5},
                          {.metric = "reply-rate", .at_most = false, .limit = 2e6, .value = 1e5}};
  EXPECT_EQ(headlines_of(record)[1].note, "below 2,000,000 /s");
}

TEST(Headlines, OfSeveralRunsAreSumsOfCountsAndMeansOfLatencies) {
  RunRecord one = without_losses(), other = without_losses();
  one.latencies[Latency::latency].p99 = 100'000;
  other.latencies[Latency::latency].p99 = 300'000;
  for (RunRecord* run : {&one, &other})
    run->latencies[Latency::scheduled_latency].p99 = run->latencies[Latency::latency].p99;
  const auto headlines = headlines_of(std::vector<const RunRecord*>{&one, &other});
  EXPECT_EQ(headlines[0].value, "2,000");
  EXPECT_EQ(headlines[3].value, "200.0");
  EXPECT_EQ(headlines[3].note, "mean of 2 runs");
}

TEST(BriefTotals, SayNoLossesInPlaceOfSevenZeros) {
  const RunRecord record = without_losses();
  const auto brief = brief_total_rows(record);
  EXPECT_EQ(brief.size() + 6, total_rows(record).size());
  EXPECT_THAT(names_of(brief), Contains("Losses"));
  EXPECT_THAT(names_of(brief), testing::Not(Contains("Corrupt")));
  EXPECT_THAT(names_of(brief), Contains("Deliveries received"));
}

TEST(BriefTotals, TellOfMessagesThatTheBusDidNotAcceptWhereThereAreAny) {
  RunRecord record = without_losses();
  record.plan.bus.kind = "redis-streams";
  record.totals.refused = record.totals.unanswered = 0;
  EXPECT_THAT(names_of(total_rows(record)), Contains("Messages unanswered"));
  EXPECT_THAT(names_of(brief_total_rows(record)), testing::Not(Contains("Messages unanswered")));
  record.totals.unanswered = 3;
  EXPECT_THAT(names_of(brief_total_rows(record)), Contains("Messages unanswered"));
}

TEST(BriefTotals, HaveAllOfThemWhereOneIsNotZero) {
  RunRecord record = without_losses();
  record.totals.reordered = 1;
  EXPECT_EQ(names_of(brief_total_rows(record)), names_of(total_rows(record)));
}

}  // namespace
}  // namespace n2nq::figures
