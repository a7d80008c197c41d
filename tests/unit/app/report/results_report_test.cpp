#include "app/report/results_report.h"

#include <gmock/gmock.h>

#include "app/report/comparison_report.h"
#include "tests/unit/app/record/example_record.h"
#include "tests/unit/app/report/report_text.h"

namespace n2nq::report {
namespace {

using record::RunRecord;
using record::Verdict;
using test::text_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

RunRecord run(int64_t id, uint64_t messages, int64_t p99) {
  RunRecord record = record::test::example_record(messages == 5 ? "before" : "after");
  record.id = id;
  record.verdict = Verdict::passed;
  record.passed_limits.clear();
  record.plan.senders.messages = messages;
  record.plan.senders.seed = static_cast<uint64_t>(id);
  record.latencies[Latency::latency].p99 = p99 + id;
  record.latencies[Latency::scheduled_latency] = record.latencies[Latency::latency];
  return record;
}

std::vector<RunRecord> six() {
  return {run(1, 5, 100'000),  run(4, 10, 200'000), run(2, 5, 100'000),
          run(5, 10, 200'000), run(3, 5, 100'000),  run(6, 10, 200'000)};
}

TEST(ResultsReport, PutsTheRepeatsOfAPlanTogether) {
  const auto sides = compare::sides_of(six());
  ASSERT_THAT(sides, SizeIs(2));
  EXPECT_EQ(compare::to_text(sides[0]), "5 messages: before (#1 to #3)");
  EXPECT_EQ(compare::to_text(sides[1]), "10 messages: after (#4 to #6)");
}

TEST(ResultsReport, SaysWhatTheRunsShow) {
  const std::string text = text_of(results_report(six()));
  EXPECT_THAT(text, HasSubstr("Comparison of 6 results\n2 plans; first run started "));
  EXPECT_THAT(text, HasSubstr("## 10 messages measured against 5 messages"));
  EXPECT_THAT(text, HasSubstr("p99 [µs] | 100.002 | 200.005 | 10 messages is "));
  EXPECT_THAT(text, HasSubstr("slower at p99, 95 % CI"));
  EXPECT_THAT(text, HasSubstr("n2nq-bench run --result 6\n"));
  EXPECT_THAT(text, HasSubstr("## The plan of 10 messages"));
}

TEST(ResultsReport, BeginsWithTheVerdictTheSidesByWhatDiffersAndOneChart) {
  const std::string text = text_of(results_report(six()));
  const std::string front = text.substr(0, text.find("----\n"));
  EXPECT_THAT(front, HasSubstr("\n10 messages is "));
  EXPECT_THAT(front, HasSubstr("slower at p99, 95 % CI"));
  EXPECT_THAT(front, HasSubstr("p50 and p99 are the latencies that half of the messages, and 99 of 100, do not exceed, "
                               "from the actual send."));
  EXPECT_THAT(front, HasSubstr("- 5 messages: before (#1 to #3)\n- 10 messages: after (#4 to #6)\n"));
  EXPECT_THAT(front, HasSubstr("* Latency p99, 10 messages: 200.0 µs (5 messages: 100.0 µs)\n"));
  EXPECT_THAT(front, HasSubstr("[Latency by percentile]\n"));
  EXPECT_THAT(
      front,
      HasSubstr("Promise or setting | Default | 5 messages | 10 messages | \nSenders messages | 500 | 5 | 10 | "))
      << front;
}

TEST(ResultsReport, SaysFirstWhatIsDecidedOfHalfOfTheMessagesAndHowFarToBelieveIt) {
  auto records = six();
  for (RunRecord& record : records) record.trust = record::Trust::sound;
  std::string text = text_of(results_report(records));
  std::string front = text.substr(0, text.find("----\n"));
  EXPECT_LT(front.find(" at p50"), front.find(" at p99"));
  EXPECT_THAT(front, testing::Not(HasSubstr("doubtful")));
  records[1].trust = record::Trust::doubtful;
  records[1].warnings = {{.id = "cpu", .text = "a process used 97 % of a core", .doubt = true}};
  text = text_of(results_report(records));
  front = text.substr(0, text.find("----\n"));
  EXPECT_THAT(front, HasSubstr("1 of 6 runs is doubtful: a process used 97 % of a core (1 run)."));
}

TEST(ResultsReport, BeginsWithATableOfMoreThanTwoSides) {
  auto records = six();
  for (int64_t id = 7; id < 10; id++) records.push_back(run(id, 20, 300'000));
  const std::string text = text_of(results_report(records));
  const std::string front = text.substr(0, text.find("----\n"));
  EXPECT_THAT(front, HasSubstr("10 messages against 5 messages: 10 messages is "));
  EXPECT_THAT(front, HasSubstr("20 messages against 5 messages: 20 messages is "));
  EXPECT_THAT(front, HasSubstr("\n20 messages | "));
}

TEST(ResultsReport, ListsTheRunsWithTheirFigures) {
  auto records = six();
  records.resize(1);
  Report report;
  add_runs(report, records);
  const std::string text = text_of(report);
  EXPECT_THAT(text, HasSubstr("Sent | Received | Lost | p50 [µs] | p99 [µs] | Max [µs] | Payload [MB/s] | \n"));
  EXPECT_THAT(text, HasSubstr(" | 1,000 | 992 | 8 | 80.0 | 100.0 | 240.0 | 0.015 | \n"));
}

TEST(ResultsReport, HasWhatTheUserMarkedEachWith) {
  const std::string text =
      text_of(results_report(six(), {{4, {.starred = true, .tags = {"cable", "night"}, .notes = "odd"}}}));
  EXPECT_THAT(text, HasSubstr("Starred.\nTags: cable, night\nNotes: odd\n"));
  EXPECT_EQ(text.find("Starred."), text.rfind("Starred."));
}

TEST(ResultsReport, LeavesOutWhatFailedAndSaysSo) {
  auto records = six();
  records[1].verdict = Verdict::failed;
  records[1].reason = "the queue died";
  const std::string text = text_of(results_report(records));
  EXPECT_THAT(text, HasSubstr("Left out of 10 messages: #4 failed: the queue died"));
  EXPECT_THAT(text, HasSubstr("#4 | after | failed | doubtful | "));
}

TEST(ResultsReport, MakesNoStatementOfOneRunEach) {
  EXPECT_THAT(text_of(results_report({run(1, 5, 100), run(2, 10, 200)})), HasSubstr("no statement"));
  EXPECT_THAT(text_of(results_report({run(1, 5, 100), run(2, 5, 200)})), HasSubstr("All are repeats of one plan"));
}

TEST(ResultsReport, DrawsEachSideAndEachRun) {
  const auto sides = compare::sides_of(six());
  const figures::Figure overlay = overlay_figure(sides);
  ASSERT_THAT(overlay.series, SizeIs(2));
  EXPECT_THAT(overlay.series[1].name, HasSubstr("10 messages"));
  const figures::Figure runs = runs_figure(sides, "p99");
  EXPECT_THAT(runs.x.categories, ElementsAre("#1", "#2", "#3", "#4", "#5", "#6"));
  ASSERT_THAT(runs.series, SizeIs(2));
  EXPECT_EQ(runs.series[1].points.front(), (figures::Point{.x = 3, .y = 200'004}));
}

TEST(ResultsReport, ListsEachComputerOnceWhateverItsLoad) {
  auto records = six();
  for (RunRecord& record : records) {
    record.machines.clear();
    record.machine_json = R"({"processor":"Z80","load_averages":[)" + std::to_string(record.id) + "]}";
  }
  records.back().machine_json = R"({"processor":"6502"})";
  const std::string text = text_of(results_report(records));
  EXPECT_THAT(text, HasSubstr("## The computer of #1 to #5\n"));
  EXPECT_THAT(text, HasSubstr("## The computer of #6\n"));
}

// The computer of the bench alone, or the hosts' facts without their names, would not tell what was measured.
TEST(ResultsReport, ListsTheComputersOfTheRunsByTheirPlaces) {
  auto records = six();
  for (RunRecord& record : records) {
    record.machine_json = R"({"processor":"6502"})";
    record.plan.queue.host = "vm1";
    record.machines = {{.place = "vm1", .facts = {.processor = "Z80", .boot_id = std::to_string(record.id)}},
                       {.place = "vm2", .facts = {.processor = "8080"}}};
  }
  records.back().machines[1].facts.processor = "68000";
  const std::string text = text_of(results_report(records));
  EXPECT_THAT(text, HasSubstr("## The computers of #1 to #5\n")) << "a restart makes no other computer";
  EXPECT_THAT(text, HasSubstr("## The computers of #6\n"));
  EXPECT_THAT(text, HasSubstr("vm1 (the queue's) | processor | Z80"));
  EXPECT_THAT(text, HasSubstr("vm2 | processor | 8080"));
  EXPECT_THAT(text, HasSubstr("the bench's | processor | 6502"));
}

}  // namespace
}  // namespace n2nq::report
