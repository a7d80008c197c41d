#include "app/report/campaign_report.h"

#include <gmock/gmock.h>

#include "app/campaign/campaign_file.h"
#include "tests/unit/app/report/report_text.h"
#include "tests/unit/app/results/example_record.h"

namespace n2nq::report {
namespace {

using results::RunRecord;
using results::Verdict;
using test::text_of;
using testing::HasSubstr;

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
  RunRecord record = results::test::example_record("sizes");
  record.id = id;
  record.verdict = verdict;
  record.reason = verdict == Verdict::failed ? "the queue died" : "";
  record.campaign = results::CampaignPlace{.campaign = 3, .point = point, .repeat = repeat, .attempt = 1};
  return record;
}

std::string report_of(const std::vector<RunRecord>& records) {
  const results::CampaignRow row{.id = 3,
                                 .name = "sizes",
                                 .definition = campaign::to_json(sizes()),
                                 .started_utc_ns = 1'772'357'400'000'000'000,
                                 .end_text = "a run failed"};
  const auto report = campaign_report(row, records, [](int64_t) { return fail("not needed"); });
  EXPECT_TRUE(report) << report.error().text;
  return text_of(*report);
}

TEST(CampaignReport, HasFiguresPointsAndFailures) {
  const std::string text = report_of({run(1, 1, 1, Verdict::passed), run(2, 1, 2, Verdict::passed),
                                      run(3, 2, 1, Verdict::passed), run(4, 2, 2, Verdict::failed)});
  EXPECT_THAT(text, HasSubstr("Campaign 3 sizes\n2 points, 4 runs; started 2026-03-01 09:30:00 UTC"));
  EXPECT_THAT(text, HasSubstr("How size matters"));
  EXPECT_THAT(text, HasSubstr("3 runs of 4 made, 1 failed, 0 not made; it ended: a run failed."));
  EXPECT_THAT(text, HasSubstr("[Impact of message size]"));
  EXPECT_THAT(text, HasSubstr("1 | 10 B | 2 of 2 | 90.0 us | 200.0 us | "));
  EXPECT_THAT(text, HasSubstr("2 | 1 kB | 1 of 2 | "));
  EXPECT_THAT(text, HasSubstr("#4 | 2 | 2 | 1 | failed | the queue died | "));
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
  EXPECT_THAT(text, HasSubstr("Clocks: every latency is right within ± 1.20 us."));
}

}  // namespace
}  // namespace n2nq::report
