// What 0.1.0 wrote, byte for byte (tests/data/0.1.0/README.md): each later version reads it, and finds in it all that
// was there.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/campaign/campaign_file.h"
#include "app/hosts/host_list.h"
#include "app/journal/recover.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_file.h"
#include "app/record/record_json.h"
#include "app/store/campaign_store.h"
#include "tests/unit/app/archive/archive_rig.h"

namespace n2nq::archive::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using record::test::read_file;
using testing::SizeIs;

const fs::path kFrozen = fs::path(N2NQ_SOURCE_DIR) / "tests/data/0.1.0";

// Where the second has something that the first has not, or has otherwise; empty: nowhere.
std::string missing(const json& whole, const json& part, const std::string& at = {}) {
  const std::string differs = at + ": was " + part.dump().substr(0, 200) + ", is " + whole.dump().substr(0, 200);
  if (part.type() != whole.type() && !(part.is_number() && whole.is_number())) return differs;
  if (part.is_object()) {
    for (const auto& [key, value] : part.items()) {
      if (!whole.contains(key)) return at + "/" + key + " is not there";
      if (const auto inside = missing(whole[key], value, at + "/" + key); !inside.empty()) return inside;
    }
    return {};
  }
  if (!part.is_array()) return part == whole ? "" : differs;
  if (part.size() != whole.size()) return differs;
  for (size_t i = 0; i < part.size(); i++)
    if (const auto inside = missing(whole[i], part[i], at + "/" + std::to_string(i)); !inside.empty()) return inside;
  return {};
}

// The records in an archive as they were written.
std::vector<json> records_in(const std::string& archive) {
  std::vector<json> records;
  for (const auto& [name, bytes] : entries_of(archive))
    if (name.ends_with("/record.json")) records.push_back(json::parse(bytes));
  return records;
}

const std::string kResults = kFrozen / "results.n2nq";
const std::string kCampaign = kFrozen / "campaign.n2nq";

TEST(FormatsOf010, AStoreHasWhatItHad) {
  const n2nq::test::TempDir dir;
  const std::string path = dir / "results.sqlite";
  fs::copy_file(kFrozen / "results.sqlite", path);
  const auto store = store::ResultStore::open(path);
  ASSERT_TRUE(store) << store.error().text;
  EXPECT_FALSE((*store)->read_only());
  const auto listing = (*store)->list();
  ASSERT_TRUE(listing) << listing.error().text;
  EXPECT_EQ(listing->unknown, 0u);
  const auto records = records_in(kResults), of_campaign = records_in(kCampaign);
  ASSERT_THAT(records, SizeIs(3));
  ASSERT_THAT(of_campaign, SizeIs(4));
  ASSERT_THAT(listing->rows, SizeIs(records.size() + of_campaign.size()));
  for (size_t i = 0; i < listing->rows.size(); i++) {
    const auto record = (*store)->load(static_cast<int64_t>(i) + 1);
    ASSERT_TRUE(record) << record.error().text;
    const json& was = i < records.size() ? records[i] : of_campaign[i - records.size()];
    EXPECT_EQ(missing(json::parse(record::record_to_json(*record, (*store)->notes(record->id))), was), "")
        << "result " << i + 1;
  }
  EXPECT_TRUE(listing->rows.back().starred);
  EXPECT_THAT(listing->rows.back().tags, testing::ElementsAre("lab", "night"));
  EXPECT_EQ(store::campaign_text(listing->rows.front()), "#1 frozen campaign 2.2");
}

TEST(FormatsOf010, AnArchiveHasWhatItHad) {
  for (const std::string& archive : {kResults, kCampaign}) {
    SCOPED_TRACE(archive);
    Computer computer("later");
    const auto imported = computer.import_from(archive);
    ASSERT_TRUE(imported) << imported.error().text;
    const auto records = records_in(archive);
    const Entries entries = entries_of(archive);
    ASSERT_THAT(imported->added, SizeIs(records.size()));
    for (size_t i = 0; i < records.size(); i++) {
      auto record = computer.store().load(imported->added[i]);
      ASSERT_TRUE(record) << record.error().text;
      EXPECT_EQ(record->folder.empty(), archive == kCampaign);
      ASSERT_FALSE(record->notes.empty());
      EXPECT_THAT(record->notes.back().text, testing::HasSubstr("imported"));
      record->notes.pop_back();
      json was = records[i], is = json::parse(record::record_to_json(*record, computer.store().notes(record->id)));
      for (json* each : {&was, &is})  // where its files are
        for (auto& process : (*each)["processes"]) process.erase("log_dir");
      for (const char* key : {"id", "folder", "master_file", "campaign"}) was.erase(key);  // of the store it was in
      EXPECT_EQ(missing(is, was), "") << "result " << i + 1;
      const std::string files = "results/" + std::to_string(i + 1) + "/files/";
      size_t logs = 0;
      for (const auto& [name, bytes] : entries) {
        if (!name.starts_with(files)) continue;
        EXPECT_EQ(read_file(record->folder + "/" + name.substr(files.size())), bytes) << name;
        logs++;
      }
      EXPECT_EQ(logs > 0, archive == kResults);
    }
  }
}

// As the logs beside it count: `grep -c` of their lines.
TEST(FormatsOf010, AJournalAndItsLogsBecomeTheResultTheyWere) {
  const n2nq::test::TempDir dir;
  const std::string folder = dir / "cut-off";
  fs::copy(kFrozen / "cut-off", folder);
  const auto recovered = journal::recover_readable(folder, {});
  ASSERT_TRUE(recovered) << recovered.error().text;
  EXPECT_EQ(recovered->damage, "");
  ASSERT_TRUE(recovered->record);
  const record::RunRecord& record = *recovered->record;
  EXPECT_EQ(record.verdict, record::Verdict::cut_off);
  EXPECT_EQ(record.plan.name, "cut off");
  EXPECT_EQ(record.services.size(), 5u);
  EXPECT_EQ(record.totals.sent, 445u);
  EXPECT_EQ(record.totals.received, 1335u);
  EXPECT_EQ(record.totals.lost, 0u);
  json is = json::parse(record::record_to_json(record)), was = json::parse(read_file(kFrozen / "cut-off-record.json"));
  for (json* each : {&is, &was}) {  // where its files are
    each->erase("folder");
    for (auto& process : (*each)["processes"]) process.erase("log_dir");
  }
  EXPECT_EQ(missing(is, was), "");
}

// A file as people write it, beside what 0.1.0 made of it when it wrote it itself.
struct FormatOf010 {
  const char* name;
  std::string (*again)(const std::string& text);
};

template <class File>
std::string written(const Result<File>& file) {
  using campaign::to_json, hosts::to_json, plan::to_json;
  return file ? to_json(*file) : file.error().text;
}

const FormatOf010 kFiles[] = {
    {"plan", [](const std::string& text) { return written(plan::parse_plan_file(text)); }},
    {"campaign", [](const std::string& text) { return written(campaign::parse_campaign(text)); }},
    {"search", [](const std::string& text) { return written(campaign::parse_campaign(text)); }},
    {"hosts", [](const std::string& text) { return written(hosts::parse_host_list(text)); }},
};

TEST(FormatsOf010, FilesOfPeopleAreWhatTheyWere) {
  for (const auto& [name, again] : kFiles) {
    SCOPED_TRACE(name);
    const std::string by_people = read_file(kFrozen / (std::string(name) + ".json"));
    const std::string by_the_bench = read_file(kFrozen / (std::string(name) + "-written.json"));
    for (const std::string& text : {by_people, by_the_bench}) {
      const json is = json::parse(again(text), nullptr, false);
      ASSERT_FALSE(is.is_discarded()) << again(text);
      EXPECT_EQ(missing(is, json::parse(by_the_bench)), "");
    }
  }
}

// So that the file above is of use.
TEST(FormatsOf010, ThePlanHasEachFieldThatThereWasAndNoneIsAsItIsByDefault) {
  const json base = json::parse(read_file(kFrozen / "plan.json"))["base"].flatten();
  const json defaults = json::parse(read_file(kFrozen / "plan-defaults.json"))["base"].flatten();
  for (const auto& [key, value] : base.items()) EXPECT_TRUE(!defaults.contains(key) || defaults[key] != value) << key;
  EXPECT_GE(base.size(), 108u);
}

}  // namespace
}  // namespace n2nq::archive::test
