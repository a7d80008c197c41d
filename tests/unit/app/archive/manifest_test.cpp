#include "app/archive/manifest.h"

#include <gmock/gmock.h>

#include "broker/base/random.h"

namespace n2nq::archive {
namespace {

using testing::HasSubstr;

const std::string kSum(64, 'a');

Manifest example() {
  Manifest manifest{.product = "n2nq-bench 9"};
  manifest.campaign = {.name = "sizes", .started_utc_ns = 5, .ended_utc_ns = {}, .end_text = ""};
  manifest.results = {{.number = 1,
                       .id = 17,
                       .run_id = "c0ffee",
                       .started_utc_ns = 6,
                       .marks = {.notes = "\"quoted\"\n<b>", .tags = {"cable 2", "night"}, .starred = true},
                       .place = ArchivedPlace{.point = 2, .repeat = 1}},
                      {.number = 2, .id = 18, .run_id = "", .started_utc_ns = 7}};
  manifest.files = {{.path = "campaign.json", .bytes = 2, .sha256 = kSum},
                    {.path = "results/1/record.json", .bytes = 3, .sha256 = kSum},
                    {.path = "results/1/files/receiver-12.log", .bytes = 4, .sha256 = kSum},
                    {.path = "results/2/record.json", .bytes = 5, .sha256 = kSum}};
  return manifest;
}

std::string refusal(const Manifest& manifest) {
  const auto parsed = parse_manifest(to_json(manifest));
  return parsed ? "taken" : parsed.error().text;
}

TEST(Manifest, IsReadAsItWasWritten) {
  const auto parsed = parse_manifest(to_json(example()));
  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_EQ(*parsed, example());
}

TEST(Manifest, TakesOnlyNamesThatRunsWrite) {
  for (const char* path : {"../evil", "/etc/passwd", "results/1/files/../../x.log", "results/1/files/diary.txt",
                           "results/1/files/a/broker.log", "results/3/files/broker.log", "results/0/files/broker.log",
                           "results/01/files/broker.log", "results/1/files/journal.jsonl", "results/1/files/",
                           "results/1/files/master.csv.part", "results/+1/files/broker.log", "manifest.json", ""}) {
    Manifest manifest = example();
    manifest.files[2].path = path;
    EXPECT_THAT(refusal(manifest), HasSubstr("is not the name of a file in it")) << path;
  }
}

TEST(Manifest, RefusesWhatContradictsItself) {
  Manifest manifest = example();
  manifest.files.push_back(manifest.files.back());
  EXPECT_THAT(refusal(manifest), HasSubstr("is there twice"));
  manifest = example();
  manifest.files.pop_back();
  EXPECT_THAT(refusal(manifest), HasSubstr("a result has no record"));
  manifest = example();
  manifest.files.erase(manifest.files.begin());
  EXPECT_THAT(refusal(manifest), HasSubstr("the campaign has no definition"));
  manifest = example();
  manifest.campaign.reset();
  EXPECT_THAT(refusal(manifest), HasSubstr("of a campaign that is not there"));
  manifest = example();
  manifest.results[1].number = 1;
  EXPECT_THAT(refusal(manifest), HasSubstr("not numbered one after the other"));
  manifest = example();
  manifest.files[1].sha256 = "nonsense";
  EXPECT_THAT(refusal(manifest), HasSubstr("\"files\""));
}

// A table of the campaign has a row for each repeat up to the largest.
TEST(Manifest, RefusesAPlaceThatNoCampaignHas) {
  for (const ArchivedPlace place :
       {ArchivedPlace{.point = 1, .repeat = 4'000'000'000}, ArchivedPlace{.point = 4'000'000'000, .repeat = 1},
        ArchivedPlace{.point = 0, .repeat = 1}}) {
    Manifest manifest = example();
    manifest.results[0].place = place;
    EXPECT_THAT(refusal(manifest), HasSubstr("one of \"results\""));
  }
}

TEST(Manifest, GivesATerminalNoOrders) {
  Manifest manifest = example();
  manifest.campaign->name = "\x1b[2Jsizes";
  EXPECT_THAT(refusal(manifest), HasSubstr("the campaign"));
  manifest = example();
  manifest.product = "n2nq\x1b[2J\n";
  manifest.campaign->end_text = "over\x1b[2J\nand out";
  const auto parsed = parse_manifest(to_json(manifest));
  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_EQ(parsed->product, "n2nq [2J ");
  EXPECT_EQ(parsed->campaign->end_text, "over [2J and out");
  manifest.files[2].path = "results/1/\x1b[2J";
  EXPECT_THAT(refusal(manifest), HasSubstr("\"results/1/ [2J\" is not the name"));
}

TEST(Manifest, BoundsWhatItPromises) {
  Manifest manifest = example();
  manifest.files[1].bytes = kLargestRecord + 1;
  EXPECT_THAT(refusal(manifest), HasSubstr("too large"));
  manifest = example();
  manifest.files[0].bytes = kLargestDefinition + 1;
  EXPECT_THAT(refusal(manifest), HasSubstr("\"campaign.json\" is too large"));
  manifest = example();
  manifest.files[2].bytes = UINT64_MAX;
  EXPECT_THAT(refusal(manifest), HasSubstr("too large"));
}

TEST(Manifest, OfANewerVersionSaysSo) {
  std::string text = to_json(example());
  text.replace(text.find("\"version\": 1"), 12, "\"version\": 2");
  const auto parsed = parse_manifest(text);
  ASSERT_FALSE(parsed);
  EXPECT_THAT(parsed.error().text, HasSubstr("written by a newer version, n2nq-bench 9"));
}

TEST(Manifest, TakesAnyBytesAndOnlyReadsWhatItCanWriteAgain) {
  const std::string whole = to_json(example());
  Random random(20'000);
  for (int i = 0; i < 20'000; i++) {
    std::string text = whole;
    for (uint64_t n = random.below(4) + 1; n > 0; n--) {
      const size_t at = random.below(text.size());
      if (random.below(3) == 0)
        text.erase(at, random.below(8));
      else if (random.below(2) == 0)
        text[at] = static_cast<char>(random.next());
      else
        text.insert(at, text.substr(random.below(text.size()), random.below(16)));
    }
    const auto parsed = parse_manifest(text);
    if (!parsed) {
      EXPECT_NE(parsed.error().text, "");
      continue;
    }
    const auto again = parse_manifest(to_json(*parsed));
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(*again, *parsed);
  }
}

TEST(Manifest, IsNotAnyJson) {
  for (const char* text :
       {"", "{", "[]", "{}", "null", R"({"format": "n2nq-archive"})", R"({"format": 1, "version": 1, "product": ""})"})
    EXPECT_FALSE(parse_manifest(text)) << text;
}

}  // namespace
}  // namespace n2nq::archive
