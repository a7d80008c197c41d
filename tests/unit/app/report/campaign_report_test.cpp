#include "app/report/campaign_report.h"

#include <gmock/gmock.h>

#include "app/campaign/campaign_file.h"
#include "app/campaign/search_text.h"
#include "app/report/report_source.h"
#include "app/store/store.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/campaign/example_search.h"
#include "tests/unit/app/record/example_record.h"
#include "tests/unit/app/report/report_text.h"

namespace n2nq::report {
namespace {

using record::RunRecord;
using record::Verdict;
using test::text_of;
using testing::HasSubstr;
using testing::Not;

campaign::Campaign sizes() {
  campaign::Campaign campaign;
  campaign.name = "sizes";
  campaign.description = "How size matters";
  campaign.repeats = 2;
  campaign.tries = 1;
  campaign.axes = {{.name = "size",
                    .values = {{.label = "10 B", .set = {{.key = "senders.size", .value = "10"}}},
                               {.label = "1 kB", .set = {{.key = "senders.size", .value = "1000"}}}}}};
  campaign.figures = {{.id = "figure-14", .title = "Impact of message size", .x = "size"}};
  return campaign;
}

RunRecord run(int64_t id, uint32_t point, uint32_t repeat, Verdict verdict) {
  RunRecord record = record::test::example_record("sizes");
  record.id = id;
  record.verdict = verdict;
  record.passed_limits.clear();
  record.reason = verdict == Verdict::failed ? "the queue died" : "";
  record.campaign = record::CampaignPlace{.campaign = 3, .point = point, .repeat = repeat, .attempt = 1};
  return record;
}

Report report_with(const std::vector<RunRecord>& records, const std::map<int64_t, OwnWords>& words = {},
                   const campaign::Campaign& campaign = sizes()) {
  const store::CampaignRow row{.id = 3,
                               .name = "sizes",
                               .definition = campaign::to_json(campaign),
                               .started_utc_ns = 1'772'357'400'000'000'000,
                               .end_text = "a run failed"};
  const auto report = campaign_report(row, records, [](int64_t) { return fail("not needed"); }, words);
  EXPECT_TRUE(report) << report.error().text;
  return *report;
}

std::string report_of(const std::vector<RunRecord>& records, const std::map<int64_t, OwnWords>& words = {}) {
  return text_of(report_with(records, words));
}

TEST(CampaignReport, HasFiguresPointsAndFailures) {
  const std::string text = report_of({run(1, 1, 1, Verdict::passed), run(2, 1, 2, Verdict::passed),
                                      run(3, 2, 1, Verdict::passed), run(4, 2, 2, Verdict::failed)});
  EXPECT_THAT(text, HasSubstr("Campaign 3 sizes\n2 points, 4 runs; started 2026-03-01 09:30:00 UTC"));
  EXPECT_THAT(text, HasSubstr("How size matters"));
  EXPECT_THAT(text, HasSubstr("3 runs of 4 completed, 1 failed, 0 not run; it ended: a run failed."));
  EXPECT_THAT(text, HasSubstr("[Impact of message size]"));
  EXPECT_THAT(text, HasSubstr("1 | 10 B | 2 of 2 | 90.0 | 200.0 | "));
  EXPECT_THAT(text, HasSubstr("2 | 1 kB | 1 of 2 | "));
  EXPECT_THAT(text, HasSubstr("#4 | 2 | 2 | 1 | failed | the queue died | "));
}

TEST(CampaignReport, RunsBeyondALimitOfThePlanCountAndAreTold) {
  const std::string text = report_of({run(1, 1, 1, Verdict::passed), run(2, 1, 2, Verdict::exceeded)});
  EXPECT_THAT(text, HasSubstr("Limits: 1 run exceeded a limit of the plan, and is included in these figures."));
  EXPECT_THAT(text, HasSubstr("1 | 10 B | 2 of 2 | "));
}

TEST(CampaignReport, BeginsWithHowItEndedItsFiguresAndItsFirstChart) {
  auto slow = run(3, 2, 1, Verdict::passed);
  slow.latencies[Latency::latency].p99 = slow.latencies[Latency::scheduled_latency].p99 = 400'000;
  const std::string text = report_of({run(1, 1, 1, Verdict::passed), run(2, 1, 2, Verdict::passed), slow});
  const std::string front = text.substr(0, text.find("----\n"));
  EXPECT_THAT(front, HasSubstr("3 runs of 4 completed"));
  EXPECT_THAT(front, HasSubstr("* Runs completed: 3 (of 4)\n* Points: 2 (2 runs each)\n* Lowest p99: 200.0 µs (10 B)\n"
                               "* Highest p99: 400.0 µs (1 kB)\n* Lost: 24"));
  EXPECT_THAT(front, HasSubstr("[Impact of message size]\n## What differs from the default settings\n"));
}

TEST(CampaignReport, OfOneAxisBeginsWithWhatItsPointsShow) {
  std::vector<RunRecord> runs;
  for (uint32_t i = 0; i < 6; i++) {
    runs.push_back(run(i + 1, i / 3 + 1, i % 3 + 1, Verdict::passed));
    if (i < 3) continue;
    runs.back().plan.senders.size_bytes = {.min = 1000, .max = 1000};
    for (const Latency latency : {Latency::latency, Latency::scheduled_latency})
      runs.back().latencies[latency].p99 = 800'000 + i;
  }
  const std::string text = report_of(runs);
  const size_t verdict = text.find("ize 1 kB is 4.0 times as slow at p99");
  ASSERT_NE(verdict, std::string::npos) << text;
  EXPECT_LT(verdict, text.find(" completed, 0 failed"));
}

TEST(CampaignReport, OfBusesSaysWhatTheyPromise) {
  campaign::Campaign buses = sizes();
  buses.axes = {{.name = "bus",
                 .values = {{.label = "kafka", .set = {{.key = "bus.kind", .value = "kafka"}}},
                            {.label = "nats", .set = {{.key = "bus.kind", .value = "nats"}}}}}};
  buses.figures.clear();
  std::vector<RunRecord> runs;
  for (uint32_t i = 0; i < 6; i++) {
    runs.push_back(run(i + 1, i / 3 + 1, i % 3 + 1, Verdict::passed));
    runs.back().plan.bus.kind = i < 3 ? "kafka" : "nats";
  }
  const std::string text = text_of(report_with(runs, {}, buses));
  const std::string front = text.substr(0, text.find("----\n"));
  EXPECT_THAT(front, HasSubstr("Kafka: senders wait up to 5.00 ms to fill a batch (linger)"));
  EXPECT_THAT(front, HasSubstr("The sides promise different things ("));
  EXPECT_THAT(text.substr(front.size()), HasSubstr("## What each side promises, and what differs\n"
                                                   "Promise or setting | Kafka | NATS | \n"));
}

TEST(CampaignReport, ShowsLatencyFromTheIntendedSendWhereSendersWereLate) {
  RunRecord on_time = run(1, 1, 1, Verdict::passed), late = run(3, 2, 1, Verdict::passed);
  on_time.latencies[Latency::scheduled_latency] = on_time.latencies[Latency::latency];
  late.latencies[Latency::scheduled_latency] = late.latencies[Latency::latency];
  late.latencies[Latency::scheduled_latency].p99 = 3'000'000;
  const std::string text = report_of({on_time, late});
  EXPECT_THAT(text, HasSubstr("* Lowest p99, intended: 200.0 µs (10 B)\n* Highest p99, intended: 3.00 ms (1 kB)\n"));
  EXPECT_THAT(text, HasSubstr("1 | 10 B | 1 of 2 | 90.0 | 0.20 | "));
}

TEST(CampaignReport, BeginsWithTurnaroundWhereAllPointsHaveIt) {
  RunRecord replies = run(1, 1, 1, Verdict::passed);
  replies.plan.queue.mode = plan::Mode::request_reply;
  replies.latencies[Latency::turnaround].p99 = 900'000;
  campaign::Campaign campaign = sizes();
  for (campaign::AxisValue& value : campaign.axes[0].values) {
    EXPECT_THAT(text_of(report_with({replies}, {}, campaign)),
                HasSubstr("* Lowest p99: 200.0 µs (10 B)\n* Highest p99: 200.0 µs (10 B)\n"));
    value.set.push_back({.key = "queue.mode", .value = "request-reply"});
  }
  EXPECT_THAT(text_of(report_with({replies}, {}, campaign)),
              HasSubstr("* Lowest turnaround p99: 900.0 µs (10 B)\n* Highest turnaround p99: 900.0 µs (10 B)\n"));
}

TEST(CampaignReport, HasStarsTagsAndNotesOfTheRunsThatHaveAny) {
  const std::vector<RunRecord> runs = {run(1, 1, 1, Verdict::passed), run(2, 1, 2, Verdict::passed),
                                       run(3, 2, 1, Verdict::passed)};
  const std::string text =
      report_of(runs, {{1, {.starred = true, .tags = {"day", "night"}}}, {2, {}}, {3, {.notes = "odd"}}});
  EXPECT_THAT(text, HasSubstr("## Marked runs\nResult | Point | Star | Tags | Notes | \n#1 | 1 | starred | day, night "
                              "| - | \n#3 | 2 | - | - | odd | \n##"));
  EXPECT_THAT(report_of(runs, {{2, {}}}), Not(HasSubstr("marked\n")));
}

// Else a tag of several words would stand a word a line beside long notes.
TEST(CampaignReport, GivesTagsAndNotesTheRoomThatThereIs) {
  const auto report = report_with({run(1, 1, 1, Verdict::passed)}, {{1, {.tags = {"first with the new kernel"}}}});
  size_t found = 0;
  for (const Block& block : report.blocks)
    if (const auto* table = std::get_if<Table>(&block))
      for (const auto& column : table->columns)
        if (column.header == "Tags" || column.header == "Notes") found += column.stretch ? 1 : 0;
  EXPECT_EQ(found, 2u);
}

TEST(CampaignReport, HasTheMarksThatTheStoreHas) {
  const n2nq::test::TempDir dir;
  const std::string path = dir / "results.sqlite";
  const auto store = store::ResultStore::open(path).value();
  const int64_t campaign = store::CampaignStore::open(path).value()->add("sizes", campaign::to_json(sizes())).value();
  std::vector<int64_t> ids;
  for (uint32_t repeat = 1; repeat <= 2; repeat++) {
    RunRecord record = run(0, 1, repeat, Verdict::passed);
    record.campaign->campaign = campaign;
    ids.push_back(store->add(record).value());
  }
  ASSERT_TRUE(store->set_starred({ids[1]}, true));
  ASSERT_TRUE(store->set_tags(ids[1], {"night"}));
  ASSERT_TRUE(store->set_notes(ids[1], "odd"));
  const auto report = load_report(path, {.campaign = campaign});
  ASSERT_TRUE(report) << report.error().text;
  EXPECT_THAT(text_of(*report),
              HasSubstr("| Notes | \n#" + std::to_string(ids[1]) + " | 1 | starred | night | odd | \n##"));
}

TEST(CampaignReport, HasTheWholeCampaignToRepeatIt) {
  const std::string text = report_of({run(1, 1, 1, Verdict::passed)});
  EXPECT_THAT(text, HasSubstr("size | 10 B; 1 kB | "));
  EXPECT_THAT(text, HasSubstr("n2nq-bench campaign sizes.json"));
  const size_t begin = text.find("<<'END_OF_CAMPAIGN'\n") + 20;
  const auto campaign = campaign::parse_campaign(text.substr(begin, text.find("\nEND_OF_CAMPAIGN\n") - begin));
  ASSERT_TRUE(campaign) << campaign.error().text;
  EXPECT_EQ(campaign::to_json(*campaign), campaign::to_json(sizes()));
}

TEST(CampaignReport, SaysWhatToKnow) {
  const std::string text = report_of({run(1, 1, 1, Verdict::passed)});
  EXPECT_THAT(text, HasSubstr("Warm-up: none, unless an axis sets it."));
  EXPECT_THAT(text, HasSubstr("Losses: 8 deliveries were not made"));
  EXPECT_THAT(text, HasSubstr("Rate: in 1 run the senders did not reach"));
  EXPECT_THAT(text, HasSubstr("Clocks: latencies are accurate within ± 1.23 µs."));
}

RunRecord with_clock(int64_t id, const std::string& kind, std::optional<uint64_t> bound_ns) {
  RunRecord record = run(id, static_cast<uint32_t>(id), 1, Verdict::passed);
  record.clock_kind = kind;
  record.clock_bound_ns = bound_ns;
  return record;
}

TEST(CampaignReport, NeverSaysThatAnUnknownClockHasNoError) {
  const std::string unknown = report_of({with_clock(1, "unknown", {}), with_clock(2, "same", {})});
  EXPECT_THAT(unknown, HasSubstr("Clocks: in 1 run the offset is unknown"));
  EXPECT_THAT(unknown, Not(HasSubstr("no error")));
  EXPECT_THAT(unknown, Not(HasSubstr("every latency")));
  const std::string some = report_of({with_clock(1, "unknown", {}), with_clock(2, "measured", 1200)});
  EXPECT_THAT(some, HasSubstr("Clocks: in the other runs latencies are accurate within ± 1.20 µs."));
  EXPECT_THAT(report_of({with_clock(1, "same", {})}), HasSubstr("Clocks: one clock; no clock error in latencies."));
}

TEST(CampaignReport, RefusesADefinitionThatCannotBeDrawn) {
  campaign::Campaign campaign = sizes();
  campaign.figures[0].x = "weather";
  const store::CampaignRow row{.id = 3, .name = "sizes", .definition = campaign::to_json(campaign)};
  const auto report = campaign_report(row, {run(1, 1, 1, Verdict::passed)}, [](int64_t) { return fail("unused"); });
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().text, "the definition of campaign 3: figures[0].x: there is no axis \"weather\"");
}

// A bus that takes 1,500 messages a second, whose search made these runs.
TEST(CampaignReport, OfASearchWithRepliesTellsTurnaround) {
  campaign::Campaign definition = campaign::test::rate_search();
  definition.base.queue.mode = plan::Mode::request_reply;
  definition.search->limits = {"turnaround-p99 <= 5ms"};
  campaign::Search search(definition);
  std::vector<RunRecord> records{campaign::test::next_run(search, 1500)};
  records.front().latencies[Latency::turnaround].p99 = 2'500'000;
  search.take(records.front());
  const store::CampaignRow row{.id = 3, .name = "rate", .definition = campaign::to_json(definition)};
  const auto report = campaign_report(row, records, [](int64_t) { return fail("not needed"); });
  ASSERT_TRUE(report) << report.error().text;
  const std::string text = text_of(*report);
  EXPECT_THAT(text, HasSubstr("2.50 ms (mean of 1 run)\n"));
  EXPECT_THAT(text, HasSubstr("(1 value tried)\n"));
  EXPECT_THAT(text, HasSubstr("| Why not | Turnaround trimmed | Turnaround p99 [ms] | "));
  EXPECT_THAT(text, HasSubstr(" | - | - | 2.50 | "));
}

TEST(CampaignReport, OfASearchHasItsValuesItsBracketAndItsSettings) {
  const campaign::Campaign definition = campaign::test::rate_search();
  campaign::Search search(definition);
  std::vector<RunRecord> records;
  while (search.next()) {
    records.push_back(campaign::test::next_run(search, 1500));
    search.take(records.back());
  }
  const store::CampaignRow row{.id = 3, .name = "rate", .definition = campaign::to_json(definition)};
  const auto report = campaign_report(row, records, [](int64_t) { return fail("not needed"); });
  ASSERT_TRUE(report) << report.error().text;
  const std::string text = text_of(*report);
  EXPECT_THAT(text, HasSubstr("a search: " + std::to_string(search.probes().size()) + " values, " +
                              std::to_string(records.size()) + " runs; started"));
  EXPECT_THAT(text, HasSubstr("The search: " + sentence_of(search) + "."));
  EXPECT_THAT(text, HasSubstr("## Values tried\nrate | Limits met in | Why not"));
  EXPECT_THAT(text, HasSubstr("\n100 /s | 1 of 1 | - | "));
  EXPECT_THAT(text, HasSubstr("\n1,600 /s | 0 of 1 | "));
  // The far end was never run, and no value has a number of repeats that was asked for.
  EXPECT_THAT(text, Not(HasSubstr("\n100,000 /s | ")));
  EXPECT_THAT(text, Not(HasSubstr(" of 1 | 100,000 /s")));
  const campaign::Bracket bracket = bracket_of(search.spec(), search.probes());
  const auto at = [&](size_t probe) { return value_text(search.variable(), search.probes()[probe].value); };
  for (const std::string& setting :
       {std::string("varied | rate"), std::string("from | 100 /s"), std::string("to | 100,000 /s"),
        std::string("limits | p99 <= 5 ms"), std::string("precision | 5%"), std::string("runs that confirm an end | 3"),
        "bracket: hardest value that meets the limits | " + at(*bracket.holds),
        "bracket: easiest value that does not | " + at(*bracket.fails), std::string("runs disagreed | - |")})
    EXPECT_THAT(text, HasSubstr("\n" + setting)) << text;
  EXPECT_THAT(text, HasSubstr("[Search: "));
  const std::string front = text.substr(0, text.find("----\n"));
  const std::string holds = at(*bracket.holds), fails = at(*bracket.fails);
  EXPECT_THAT(front, HasSubstr("* Meets the limits: " + holds + " (rate)\n"));
  EXPECT_THAT(front, HasSubstr("* Does not: " + fails + " (rate)\n"));
  EXPECT_THAT(front, HasSubstr("* Runs: " + std::to_string(records.size()) + " ("));
}

}  // namespace
}  // namespace n2nq::report
