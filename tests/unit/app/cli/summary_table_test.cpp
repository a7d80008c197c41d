#include "app/cli/summary_table.h"

#include <gmock/gmock.h>

namespace n2nq::cli {
namespace {

using testing::ContainsRegex;

record::RunRecord run_in(plan::Mode mode) {
  record::RunRecord run;
  run.id = 3;
  run.verdict = record::Verdict::passed;
  run.plan.queue.mode = mode;
  run.totals = {.sent = 12'500, .expected = 125'000, .received = 125'000, .lost = 0};
  run.began_utc_ns = 0;
  run.ended_utc_ns = 2'000'000'000;
  run.received_bytes = mode == plan::Mode::broadcaster ? 25'000'000 : 5'000;
  run.latencies[Latency::latency].p50 = mode == plan::Mode::broadcaster ? 84'100 : 1'200'000;
  return run;
}

TEST(SummaryTable, HasAColumnForEachRunAndOneUnitForAllDurations) {
  const std::string table = summary_table({run_in(plan::Mode::broadcaster), run_in(plan::Mode::load_balancer)});
  EXPECT_THAT(table, ContainsRegex("broadcaster +load-balancer\n"));
  EXPECT_THAT(table, ContainsRegex("messages sent +12,500 +12,500\n"));
  EXPECT_THAT(table, ContainsRegex("latency, median \\[ms\\] +0.084 +1.200\n"));
  EXPECT_THAT(table, ContainsRegex("latency, longest \\[ms\\] +- +-\n"));
  EXPECT_THAT(table, ContainsRegex("payload received +12.5 MB/s +0.003 MB/s\n"));
  EXPECT_THAT(table, ContainsRegex("result +#3 +#3\n"));
}

TEST(SummaryTable, HasTheLatencyFromTheIntendedSendWhereSendersWereLate) {
  record::RunRecord run = run_in(plan::Mode::broadcaster), late = run_in(plan::Mode::load_balancer);
  run.latencies[Latency::scheduled_latency] = run.latencies[Latency::latency];
  late.latencies[Latency::scheduled_latency] = {.count = late.latencies[Latency::latency].count, .p50 = 8'000'000'000};
  std::string table = summary_table({run, run});
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("latency from  ")));
  EXPECT_THAT(table, ContainsRegex("latency from the intended send, median \\[µs\\]"));
  table = summary_table({run, late});
  EXPECT_THAT(table, ContainsRegex("latency from +intended send +intended send\n"));
  EXPECT_THAT(table, ContainsRegex("latency, median \\[ms\\] +0.084 +8,000.000\n"));
  EXPECT_THAT(table, ContainsRegex("latency from the actual send, median \\[ms\\] +0.084 +1.200\n"));
}

TEST(SummaryTable, HasTheOutagesOfAClusterWhereThereWereAny) {
  record::RunRecord run = run_in(plan::Mode::broadcaster);
  EXPECT_THAT(summary_table({run}), testing::Not(testing::HasSubstr("outage")));
  run.plan.bus.kind = "kafka";
  run.outages = {{.gap_ns = 8'000'000, .flows_after_ns = 9'000'000}};
  const std::string table = summary_table({run});
  EXPECT_THAT(table, ContainsRegex("  bus +kafka\n"));
  EXPECT_THAT(table, ContainsRegex("outage: longest without a delivery \\[ms\\] +8.000\n"));
  EXPECT_THAT(table, ContainsRegex("answer outage: longest without an answer \\[ms\\] +-\n"));
  size_t begins = 0;
  for (size_t end = table.find('\n'); end != std::string::npos; begins = end + 1, end = table.find('\n', begins))
    EXPECT_EQ(end - begins, table.find('\n')) << table.substr(begins, end - begins);
}

TEST(SummaryTable, GoesOnBelowAfterFourRuns) {
  const std::vector<record::RunRecord> runs(5, run_in(plan::Mode::broadcaster));
  const std::string table = summary_table(runs);
  EXPECT_THAT(table, ContainsRegex("\n\n +broadcaster\n"));
}

}  // namespace
}  // namespace n2nq::cli
