#include "app/report/run_report.h"

#include <gmock/gmock.h>

#include "app/plan/plan_fields.h"
#include "app/plan/plan_file.h"
#include "tests/unit/app/record/example_record.h"
#include "tests/unit/app/report/report_text.h"

namespace n2nq::report {
namespace {

using record::RunRecord;
using test::text_of;
using testing::HasSubstr;
using testing::Not;

RunRecord seeded_example() {
  RunRecord record = record::test::example_record();
  record.id = 12;
  record.plan.senders.seed = 4711;
  record.plan.warmup_ns = 2'000'000'000;
  record.passed_limits.clear();
  record.machine_json = R"({"processor":"Z80","cores":1,"bench":"0.0.9"})";
  return record;
}

TEST(RunReport, SaysWhatRanAndHowItEnded) {
  const std::string text =
      text_of(run_report(seeded_example(), {.starred = true, .tags = {"night"}, .notes = "a note\nof two lines"}));
  EXPECT_THAT(text,
              HasSubstr("Result #12 quick\nload-balancer, 2 senders, 3 receivers; started 2026-03-01 09:30:00 UTC"));
  EXPECT_THAT(text, HasSubstr("Verdict: lost as the plan allows: 8 of 1,000 messages were older than 5 s"));
  EXPECT_THAT(text, HasSubstr("Starred."));
  EXPECT_THAT(text, HasSubstr("Tags: night"));
  EXPECT_THAT(text, HasSubstr("Notes: a note\nof two lines"));
}

TEST(RunReport, SaysWhatServerItWentThroughAndWhereThatKeepsMessages) {
  RunRecord record = seeded_example();
  record.plan.bus.kind = "redis-pubsub";
  record.plan.queue.mode = plan::Mode::broadcaster;
  EXPECT_THAT(text_of(run_report(record, {})),
              HasSubstr("broadcaster over Redis pub/sub (messages kept in memory), 2 senders, 3 receivers;"));
  record.plan.bus = {.kind = "redis-streams", .settings = {{"append_fsync", "no"}}};
  EXPECT_THAT(text_of(run_report(record, {})),
              HasSubstr("Redis Streams (messages kept in page cache; a loss of power was not tried), 2 senders"));
  record.plan.bus.settings = {{"address", "redis.example:6379"}};
  EXPECT_THAT(text_of(run_report(record, {})), HasSubstr("over Redis Streams, 2 senders"));
  record.plan.bus.settings.clear();
  record.bus_settings = R"({"append_fsync": "always"})";
  EXPECT_THAT(text_of(run_report(record, {})), HasSubstr("messages kept in file (fsync each time);"))
      << "by the settings that the run had";
}

TEST(RunReport, ALimitThatWasExceededIsTheVerdictAndStandsThereOnce) {
  RunRecord record = seeded_example();
  record.verdict = record::Verdict::exceeded;
  record.reason = "p99 <= 1 µs: it was 2.74 ms, as of 1.00 s";
  record.passed_limits = {
      {.metric = "p99", .limit = 1e3, .value = 2.74e6, .since_begin_ns = 1'000'000'000, .fails = true}};
  const std::string text = text_of(run_report(record, {}));
  EXPECT_THAT(text, HasSubstr("Verdict: failed: p99 <= 1 µs: it was 2.74 ms, as of 1.00 s\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("\nLimit exceeded: ")));
}

TEST(RunReport, ALimitThatOnlyWarnsStandsBelowTheVerdict) {
  RunRecord record = seeded_example();
  record.verdict = record::Verdict::passed;
  record.reason = "all arrived";
  record.passed_limits = {{.metric = "p99", .limit = 1e3, .value = 2.74e6, .since_begin_ns = 1'000'000'000}};
  const std::string text = text_of(run_report(record, {}));
  EXPECT_THAT(
      text,
      HasSubstr("Verdict: passed: all arrived\nLimit exceeded: latency p99 2.74 ms, above 1 µs, as of 1.00 s.\n"));
  EXPECT_THAT(text, HasSubstr("(above 1 µs)"));
}

TEST(RunReport, BeginsWithVerdictFiguresOneChartAndWhatDiffers) {
  const std::string text = text_of(run_report(seeded_example(), {.tags = {"night"}}));
  const std::string front = text.substr(0, text.find("----\n"));
  EXPECT_THAT(front, HasSubstr("Verdict: lost as the plan allows"));
  EXPECT_THAT(front, HasSubstr("Tags: night\n* Sent: 1,000"));
  EXPECT_THAT(front, HasSubstr("* Latency p50: 80.0 µs (mean "));
  EXPECT_THAT(
      front,
      HasSubstr("* Latency p99: 200.0 µs (max 240.0 µs)\n* Lost: 8 (of 1,000 due)\n"
                "Half of the messages took 80.0 µs or less, 99 of 100 took 200.0 µs or less; the slowest "
                "took 240.0 µs.\n"
                "Server 2 (leader) killed at 40 ns: no delivery for 9.00 ms, as before after 11.0 ms; server 1 gone at "
                "60 ns: no delivery for 100.0 µs, not as before again.\n"
                "[Latency by percentile]\n## What differs from the default settings\n"));
  EXPECT_THAT(front, HasSubstr("\nSenders amount | 2 | 10 | "));
  EXPECT_THAT(front, Not(HasSubstr("Senders seed"))) << "a seed makes no other run";
  EXPECT_THAT(text.substr(front.size()), Not(HasSubstr("[Latency by percentile]"))) << "it is there once";
}

TEST(RunReport, SaysWhichSendItsLatenciesAreFromWhereSendersWereLate) {
  RunRecord record = seeded_example();
  record.latencies[Latency::latency].p50 = 103'700'000;
  record.latencies[Latency::latency].p99 = 9'000'000'000;
  record.latencies[Latency::scheduled_latency].p50 = 8'174'700'000;
  record.latencies[Latency::scheduled_latency].p99 = 15'000'000'000;
  record.latencies[Latency::scheduled_latency].max = 16'000'000'000;
  const std::string text = text_of(run_report(record, {}));
  EXPECT_THAT(text, HasSubstr("* Latency p50, intended: 8.17 s (actual send 103.7 ms)\n"));
  EXPECT_THAT(text,
              HasSubstr("Counted from the intended send, half of the messages took 8.17 s or less, 99 of 100 took "
                        "15.00 s or less; the slowest took 16.00 s.\nCounted from the actual send, which leaves out "
                        "how late senders were, p50 is 103.7 ms and p99 9.00 s.\n"));
}

TEST(RunReport, KeepsTheFirstPageShortHoweverMuchIsChangedOrNoted) {
  RunRecord record = seeded_example();
  record.plan.senders.messages = 7;
  record.plan.senders.size_bytes = {.min = 16'000, .max = 16'000};
  record.plan.senders.delay_ns = 1;
  record.plan.queue.responses = true;
  record.plan.receivers.fleet.hosts = {std::string(500, 'x')};
  for (int i = 0; i < 9; i++) record.requests.push_back({.since_begin_ns = i, .filters = "1:senders=1"});
  const std::string text = text_of(run_report(record, {.notes = std::string(2000, 'n')}));
  const std::string front = text.substr(0, text.find("----\n"));
  EXPECT_THAT(front, HasSubstr(" more: see Settings.\n"));
  EXPECT_THAT(front, Not(HasSubstr(std::string(100, 'x'))));
  EXPECT_THAT(front, Not(HasSubstr("Notes: ")));
  EXPECT_THAT(text, HasSubstr("Notes: nnn"));
}

TEST(RunReport, SaysThatNothingWasLostAndNothingWasChanged) {
  RunRecord record = seeded_example();
  record.plan = {};
  record.requests.clear();
  record.totals.lost = 0;
  const std::string text = text_of(run_report(record));
  EXPECT_THAT(text, HasSubstr("* Lost: 0 (No losses)\n"));
  EXPECT_THAT(text, HasSubstr("Nothing: all settings have their defaults."));
  record.totals.lost = {};
  EXPECT_THAT(text_of(run_report(record)), HasSubstr("* Lost: - (not known)\n"));
}

TEST(RunReport, HasWhatTheQueueHeldSendersBackOnlyWhereItDid) {
  RunRecord record = seeded_example();
  EXPECT_THAT(text_of(run_report(record)), HasSubstr("Held by the queue ["));
  record.latencies[Latency::held] = {};
  EXPECT_THAT(text_of(run_report(record)), Not(HasSubstr("Held by the queue")));
}

TEST(RunReport, HasEverySettingBesideWhatANewPlanHas) {
  const std::string text = text_of(run_report(seeded_example()));
  for (const plan::PlanField& field : plan::plan_fields())
    EXPECT_THAT(text, HasSubstr("\n" + std::string(field.key) + " | ")) << field.key;
  EXPECT_THAT(text, HasSubstr("\nsenders.seed | 4711 | 1 | "));
  EXPECT_THAT(text, HasSubstr("\nsenders.processes | 1 | default | "));
}

TEST(RunReport, SaysWhatIsLeftOutAndWhatToKnow) {
  const std::string text = text_of(run_report(seeded_example()));
  EXPECT_THAT(text, HasSubstr("Warm-up: messages due within 2.00 s after the start are reported separately"));
  EXPECT_THAT(text, HasSubstr("Trimming: only the trimmed mean leaves out the slowest 5 %"));
  EXPECT_THAT(text,
              HasSubstr("Losses: 8 of 1,000 deliveries due were not made (7 expired by retention, 1 undeliverable)"));
  EXPECT_THAT(text, HasSubstr("Rate: the senders did not reach the planned rate"));
  EXPECT_THAT(text, HasSubstr("Clocks: latencies are accurate within ± 1.23 µs"));
}

TEST(RunReport, HasClocksLayersMachineProcessesAndLog) {
  const std::string text = text_of(run_report(seeded_example()));
  EXPECT_THAT(text, HasSubstr("senders | this computer | measured | -1.50 | 40.0 | 70.0 | 6.00 | "));
  EXPECT_THAT(text, HasSubstr("vm2 | vm1 | network | tcp_connect | 1,000 | 3 | 18.0 | 45.0 | 54.0 | "));
  EXPECT_THAT(text, HasSubstr("vm2 | vm1 | 1 | no answer | - | no | "));
  EXPECT_THAT(text, HasSubstr("vm2 | vm1 | 64.0 | "));
  EXPECT_THAT(text, HasSubstr("processor | Z80 | "));
  EXPECT_THAT(text, HasSubstr("killed by signal 9"));
  EXPECT_THAT(text, HasSubstr("2026-03-01 09:30:00 UTC | - | started | "));
  EXPECT_THAT(text, HasSubstr("3.20 | 1:senders=1 / 2-3:senders=self | "));
}

TEST(RunReport, SaysHowToRepeatIt) {
  const RunRecord record = seeded_example();
  const std::string text = text_of(run_report(record));
  EXPECT_THAT(text, HasSubstr("n2nq-bench run --result 12\n"));
  EXPECT_THAT(text, HasSubstr("n2nq-bench run quick.json\n"));
  EXPECT_THAT(text, HasSubstr("Requests made during the run are not part of its plan"));
  // What stands there is the plan.
  const size_t begin = text.find("<<'END_OF_PLAN'\n") + 16;
  const auto file = plan::parse_plan_file(text.substr(begin, text.find("\nEND_OF_PLAN\n") - begin));
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->base, record.plan);
}

TEST(RunReport, HasSizesAsPlansWriteThem) {
  RunRecord record = seeded_example();
  record.plan.senders.size_bytes = {.min = 16'000, .max = 16'000};
  const std::string text = text_of(run_report(record));
  EXPECT_THAT(text, HasSubstr("\nsenders.size | 16 kB | "));
  EXPECT_THAT(text, HasSubstr("\"size\": \"16kB\""));
}

TEST(RunReport, SaysNothingOfWaitingWhereNothingIsServed) {
  RunRecord record = seeded_example();
  record.plan.receivers.service_time = {};
  EXPECT_THAT(text_of(run_report(record)), Not(HasSubstr("Set a service time for the receivers")));
}

TEST(RunReport, HasTheFiguresOfTheRunOrSaysThatThereIsNothingToSee) {
  const Report report = run_report(seeded_example());
  size_t figures = 0;
  for (const Block& block : report.blocks)
    if (const auto* figure = std::get_if<figures::Figure>(&block)) {
      figures++;
      EXPECT_FALSE(figure->empty()) << figure->title;
    }
  EXPECT_GE(figures, 4u);
  EXPECT_THAT(text_of(report), HasSubstr("[Latency by percentile]"));
  RunRecord nothing = seeded_example();
  nothing.histograms.clear();
  nothing.series.clear();
  nothing.services.clear();
  EXPECT_THAT(text_of(run_report(nothing)), Not(HasSubstr("[Latency by percentile]")));
}

}  // namespace
}  // namespace n2nq::report
