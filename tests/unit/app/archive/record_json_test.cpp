#include "app/record/record_json.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/archive/manifest.h"
#include "app/plan/plan_limits.h"
#include "app/plan/strict_json.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::archive {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

std::string changed(const char* name, const Json& value) {
  Json object = Json::parse(record::record_to_json(record::test::example_record()));
  object[name] = value;
  return object.dump();
}

std::string refusal(const std::string& json) {
  const auto record = record::record_from_json(json);
  return record ? "taken" : record.error().text;
}

TEST(RecordJson, IsReadAsItWasWritten) {
  for (const record::RunRecord& record : {record::test::example_record(), record::test::example_replies()}) {
    const auto read = record::record_from_json(record::record_to_json(record, "a note"));
    ASSERT_TRUE(read) << read.error().text;
    EXPECT_EQ(record::test::difference(*read, record), "");
    EXPECT_EQ(record::record_to_json(*read, "a note"), record::record_to_json(record, "a note"));
  }
}

TEST(RecordJson, OfAnOlderVersionHasWhatANewRecordHas) {
  Json object = Json::parse(record::record_to_json(record::test::example_record()));
  object.erase("layers");
  object.erase("clock_bound_ns");
  object["processes"][0].erase("figures_from");
  object["services"][0].erase("held");
  const auto read = record::record_from_json(object.dump());
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_TRUE(read->layers.empty());
  EXPECT_EQ(read->services.at(0).held, control::kNotCounted) << "nobody counted it";
  EXPECT_EQ(read->services.at(1).held, 0);
  EXPECT_EQ(read->clock_bound_ns, std::nullopt);
}

TEST(RecordJson, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("{"), HasSubstr("it is not JSON"));
  EXPECT_THAT(refusal("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(refusal(changed("verdict", "splendid")), HasSubstr("wrong type"));
  EXPECT_THAT(refusal(changed("sent", -1)), HasSubstr("wrong type"));
  EXPECT_THAT(refusal(changed("plan", Json{{"senders", {{"count", 0}}}})), HasSubstr("its plan: "));
  EXPECT_THAT(refusal(changed("series", Json::array({1}))), HasSubstr("\"series\""));
  EXPECT_THAT(refusal(changed("services", Json::object())), HasSubstr("\"services\""));
  EXPECT_THAT(refusal(changed("histograms", Json::array({Json{{"name", "x"}}}))), HasSubstr("\"histograms\""));
  EXPECT_THAT(refusal(changed("ended_utc_ns", INT64_MIN)), HasSubstr("times"));
}

// A few kilobytes of an archive may hold millions of them.
TEST(RecordJson, HasABoundOnItsValues) {
  std::string zeros = "{\"nobody knows\": [0";
  for (size_t i = 0; i < plan::kMostValues; i++) zeros += ",0";
  EXPECT_THAT(refusal(zeros + "]}"), HasSubstr("it has more than 4000000 values"));
}

// The most that a plan can have, with large numbers in each column.
TEST(RecordJson, OfTheLargestRunFitsIntoAnArchive) {
  record::RunRecord record = record::test::example_record();
  ASSERT_FALSE(record.services.empty());
  const auto one = record.services.front();
  record.services.assign(2 * plan::kMaxServices, one);
  const std::string json = record::record_to_json(record);
  EXPECT_LT(json.size(), archive::kLargestRecord / 2);
  const auto read = record::record_from_json(json);
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->services.size(), record.services.size());
}

TEST(RecordJson, GivesATerminalNoOrders) {
  const auto read = record::record_from_json(changed("reason",
                                                     "\x1b[2Jgone\x07\xc2\x9b"
                                                     "2J\x7f ü\n\tline"));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->reason, " [2Jgone   2J  ü\n\tline");
}

TEST(RecordJson, IsNotNestedWithoutBottom) {
  EXPECT_THAT(refusal("{\"machine\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}"),
              HasSubstr("nested too deeply"));
}

}  // namespace
}  // namespace n2nq::archive
