#include "app/cli/commands.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/record/date_text.h"
#include "app/store/result_search.h"

namespace n2nq::cli {
namespace {

using store::ResultRow;
using store::ResultSearch;
using testing::ContainsRegex;

ResultRow row(int64_t id, const std::string& name) {
  return {.id = id,
          .name = name,
          .started_utc_ns = 1'772'359'800'000'000'000,
          .verdict = record::Verdict::passed,
          .p50_ns = 80'300,
          .p99_ns = 1'134'000};
}

ResultRow of_campaign(ResultRow row) {
  row.campaign = record::CampaignPlace{.campaign = 3, .point = 10, .repeat = 2, .attempt = 1};
  row.campaign_name = "thesis-1";
  return row;
}

bool finds(const char* words, const ResultRow& row) {
  return ResultSearch(QString::fromUtf8(words)).finds(row, store::searched_text(row));
}

TEST(ResultsCommand, ListsTheNumbersThatCommandsNeed) {
  const std::string table = results_table({of_campaign(row(112, "4kB, 10")), row(9, "two\nlines")});
  EXPECT_THAT(
      table, ContainsRegex("#112  20[^\n]* passed +not judged +80.3 +1.13  actual  n2nq +#3 thesis-1 10.2  4kB, 10\n"));
  EXPECT_THAT(table, ContainsRegex("  #9  20[^\n]* passed +not judged +80.3 +1.13  actual  n2nq +- +two lines\n"));
  EXPECT_THAT(table, testing::HasSubstr("p50 [µs]  p99 [ms]"));
  EXPECT_EQ(results_table({}), "no results\n");
}

TEST(ResultsCommand, ListsLatenciesFromTheIntendedSendWhereSendersWereLate) {
  ResultRow late = row(7, "late");
  late.intended = store::ListedLatency{.p50_ns = 8'174'700, .p99_ns = 15'000'000};
  EXPECT_THAT(results_table({late}), ContainsRegex("#7 [^\n]* 8.17 +15.0  intended  n2nq"));
  EXPECT_EQ(nlohmann::json::parse(results_json({late}))["results"][0]["p50_ns"], 80'300);
}

TEST(ResultsCommand, IsAnObjectForPrograms) {
  const auto json = nlohmann::json::parse(results_json({of_campaign(row(112, "4kB, 10")), row(9, "two")}));
  EXPECT_EQ(json["results"][0]["result"], 112);
  EXPECT_EQ(json["results"][0]["p50_ns"], 80'300);
  EXPECT_EQ(json["results"][0]["campaign"]["id"], 3);
  EXPECT_EQ(json["results"][0]["campaign"]["point"], 10);
  EXPECT_TRUE(json["results"][1]["campaign"].is_null());
}

TEST(ResultsCommand, FindsNumbersAsTheyStand) {
  const ResultRow one = of_campaign(row(112, "4kB, 10"));
  EXPECT_TRUE(finds("4KB, 10", one));
  EXPECT_TRUE(finds("10, 4kB", one)) << "a comma is none of the word";
  EXPECT_TRUE(finds("thesis-1 PASSED", one));
  EXPECT_TRUE(finds("10.2", one)) << "the point and its repeat";
  EXPECT_TRUE(finds("#112", one));
  EXPECT_FALSE(finds("#11", one));
  EXPECT_FALSE(finds("kB, 0", one)) << "0 is not in 10";
  EXPECT_FALSE(finds("10", of_campaign(row(1, "4kB, 100")))) << "nor 10 in 100, or in the point's number";
}

TEST(ResultsCommand, FindsTimesByWhatLooksLikeOne) {
  const ResultRow one = row(1, "quick");
  EXPECT_TRUE(finds("2026-03", one));
  EXPECT_TRUE(finds("2026-03-01", one));
  EXPECT_FALSE(finds("2026", one)) << "a bare number is none";
  EXPECT_FALSE(finds("2026-04", one));
  const std::string time = record::local_time(one.started_utc_ns);  // 2026-03-01 10:10:00, or in another zone
  EXPECT_TRUE(finds(time.substr(11, 4).c_str(), one)) << "the front of a time is enough";
  EXPECT_FALSE(finds(time.substr(12, 4).c_str(), one)) << "0:10 is not 10:10";
}

}  // namespace
}  // namespace n2nq::cli
