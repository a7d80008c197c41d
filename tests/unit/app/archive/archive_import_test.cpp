#include "app/archive/archive_import.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "app/campaign/campaign_file.h"
#include "app/record/run_folder.h"
#include "app/store/campaign_store.h"
#include "app/store/sql.h"
#include "broker/base/random.h"
#include "tests/unit/app/archive/archive_rig.h"

namespace n2nq::archive::test {
namespace {

namespace fs = std::filesystem;
using record::RunRecord;
using record::test::read_file;
using record::test::write_file;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct ArchiveImport : testing::Test {
  void export_two() {
    ids = {here.add_run("a1"), here.add_run("a2")};
    const auto exported = here.export_to(file, {.results = ids, .logs = true});
    ASSERT_TRUE(exported) << exported.error().text;
  }
  // Nothing is there afterwards that was not before.
  std::string refusal(const std::string& path) {
    const auto imported = there.import_from(path);
    EXPECT_EQ(there.count(), 0u);
    EXPECT_THAT(there.files(), IsEmpty());
    return imported ? "taken" : imported.error().text;
  }
  Computer here{"here"}, there{"there"};
  std::string file = here / "x.n2nq";
  std::vector<int64_t> ids;
};

TEST_F(ArchiveImport, BringsResultsWithTheirFilesAndNotes) {
  export_two();
  const auto imported = there.import_from(file);
  ASSERT_TRUE(imported) << imported.error().text;
  ASSERT_THAT(imported->added, SizeIs(2));
  EXPECT_EQ(to_text(*imported), "2 results imported (#1, #2)");
  const auto before = here.store().load(ids[0]);
  auto after = there.store().load(imported->added[0]);
  ASSERT_TRUE(after) << after.error().text;
  ASSERT_THAT(after->notes, SizeIs(before->notes.size() + 1));
  EXPECT_THAT(after->notes.back().text, HasSubstr("imported from x.n2nq, written by n2nq-bench"));
  EXPECT_THAT(after->notes.back().text, EndsWith("result #" + std::to_string(ids[0])));
  EXPECT_EQ(after->folder, there.runs() + "/imported-a1");
  EXPECT_EQ(after->master_file, after->folder + "/master.csv");
  EXPECT_EQ(after->processes.front().log_dir, after->folder);
  EXPECT_EQ(read_file(after->folder + "/receiver-1.log"), read_file(before->folder + "/receiver-1.log"));
  EXPECT_FALSE(fs::exists(after->folder + "/diary.txt"));
  EXPECT_EQ(there.store().notes(imported->added[0]), "note of a1");
  const auto listing = there.store().list();
  EXPECT_TRUE(listing->rows.front().starred);
  EXPECT_THAT(listing->rows.front().tags, ElementsAre("night"));
  after->notes.pop_back();
  after->folder = before->folder;
  after->master_file = before->master_file;
  after->processes.front().log_dir = before->processes.front().log_dir;
  EXPECT_EQ(record::test::difference(*after, *before), "");
}

TEST_F(ArchiveImport, KeepsNothingTwice) {
  export_two();
  ASSERT_TRUE(there.import_from(file));
  here.add_run("a3");
  ASSERT_TRUE(here.export_to(file, {.results = {ids[1], 3}}));
  const auto again = there.import_from(file);
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(to_text(*again), "1 result imported (#3); 1 already here (#2)");
  EXPECT_EQ(there.count(), 3u);
  const auto all_here = there.import_from(file);
  ASSERT_TRUE(all_here);
  EXPECT_EQ(to_text(*all_here), "2 results already here (#2, #3)");
}

TEST_F(ArchiveImport, BringsACampaignWithThePlaceOfEachRun) {
  campaign::Campaign sizes;
  sizes.name = "sizes";
  sizes.axes = {{.name = "n", .values = {{.label = "1", .set = {}}, {.label = "2", .set = {}}}}};
  const std::string definition = campaign::to_json(sizes);
  const auto campaigns = store::CampaignStore::open(here.store_path());
  const int64_t id = *(*campaigns)->add("sizes", definition);
  here.add_run("b1", record::CampaignPlace{.campaign = id, .point = 1, .repeat = 1});
  here.add_run("b2", record::CampaignPlace{.campaign = id, .point = 2, .repeat = 1});
  here.add_run("other");
  ASSERT_TRUE((*campaigns)->end(id, "all runs completed"));
  ASSERT_TRUE(here.export_to(file, {.campaign = id}));
  there.add_run("own");  // so that numbers differ

  const auto imported = there.import_from(file);
  ASSERT_TRUE(imported) << imported.error().text;
  ASSERT_TRUE(imported->campaign);
  const auto theirs = store::CampaignStore::open(there.store_path());
  const auto row = (*theirs)->find(*imported->campaign);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->definition, definition);
  EXPECT_EQ(row->end_text, "all runs completed");
  EXPECT_EQ(row->started_utc_ns, (*campaigns)->find(id)->started_utc_ns);
  const auto records = (*theirs)->results_of(*imported->campaign);
  ASSERT_THAT(*records, SizeIs(2));
  EXPECT_EQ((*records)[1].campaign,
            (record::CampaignPlace{.campaign = *imported->campaign, .point = 2, .repeat = 1, .attempt = 1}));
  // Again: the same campaign.
  EXPECT_EQ(there.import_from(file)->campaign, imported->campaign);
  EXPECT_THAT(*(*theirs)->list(), SizeIs(1));
}

campaign::Campaign two_axes() {
  campaign::Campaign campaign;
  campaign.name = "two axes";
  campaign.axes = {{.name = "n", .values = {{.label = "1", .set = {}}, {.label = "2", .set = {}}}},
                   {.name = "m", .values = {{.label = "1", .set = {}}}}};
  campaign.figures = {{.id = "figure-1", .x = "n"}};
  return campaign;
}

// What nobody could have started would be drawn, counted and gone on with here.
TEST_F(ArchiveImport, RefusesACampaignThatCannotBe) {
  const auto campaigns = store::CampaignStore::open(here.store_path());
  const auto refused = [&](const std::function<void(campaign::Campaign&)>& change) {
    campaign::Campaign campaign = two_axes();
    change(campaign);
    const auto id = (*campaigns)->add(campaign.name, campaign::to_json(campaign));
    EXPECT_TRUE(here.export_to(file, {.campaign = *id}));
    return refusal(file);
  };
  EXPECT_THAT(refused([](auto& campaign) { campaign.figures[0].x = "size"; }), HasSubstr("its campaign: figures[0].x"));
  EXPECT_THAT(refused([](auto& campaign) { campaign.figures[0].metric = "luck"; }), HasSubstr("figures[0].metric"));
  EXPECT_THAT(refused([](auto& campaign) { campaign.figures[0].curves = "size"; }), HasSubstr("figures[0].curves"));
  EXPECT_THAT(refused([](auto& campaign) { campaign.figures[0].where["size"] = {"1"}; }),
              HasSubstr("figures[0].where"));
  EXPECT_THAT(refused([](auto& campaign) { campaign.figures[0].id = "../../evil"; }), HasSubstr("figures[0].id"));
  EXPECT_THAT(refused([](auto& campaign) { campaign.combine = campaign::Combine::paired; }),
              HasSubstr("axes[1].values: paired axes"));
  EXPECT_THAT(refused([](auto& campaign) {
                for (campaign::Axis& axis : campaign.axes)
                  for (axis.values.clear(); axis.values.size() < 999;)
                    axis.values.push_back({.label = std::to_string(axis.values.size()), .set = {}});
                campaign.repeats = 1000;
                campaign.figures.clear();
              }),
              HasSubstr("they result in more than"));
  EXPECT_THAT(refused([](auto& campaign) {
                while (campaign.figures.size() <= campaign::kMostFigureSpecs)
                  campaign.figures.push_back({.id = std::to_string(campaign.figures.size()), .x = "n"});
              }),
              HasSubstr("figures: there are more than"));
  EXPECT_EQ(refused([](auto&) {}), "taken");
}

// It would read the file of whoever imports it, and whoever exports that hands it back.
TEST_F(ArchiveImport, RefusesACampaignThatNamesAFileWithoutItsContent) {
  write_file(here / "secret", "s3cret");
  const std::string secret = std::filesystem::canonical(here / "secret").string();
  std::string definition = campaign::to_json(two_axes());
  const std::string at = "\"senders\": {";
  ASSERT_NE(definition.find(at), std::string::npos) << definition;
  definition.insert(definition.find(at) + at.size(), "\"payload\": \"file " + secret + "\",");
  const auto campaigns = store::CampaignStore::open(here.store_path());
  ASSERT_TRUE(here.export_to(file, {.campaign = *(*campaigns)->add("evil", definition)}));
  EXPECT_THAT(refusal(file), HasSubstr("its campaign: it names " + secret + " without its content"));
}

TEST_F(ArchiveImport, RefusesWhatIsNoArchive) {
  write_file(here / "text.n2nq", "hello");
  EXPECT_THAT(refusal(here / "text.n2nq"), HasSubstr("text.n2nq"));
  write_file(here / "empty.n2nq", "");
  EXPECT_THAT(refusal(here / "empty.n2nq"), HasSubstr("empty.n2nq"));
  EXPECT_THAT(refusal(here / "none.n2nq"), HasSubstr("cannot be read"));
  EXPECT_THAT(refusal(here.runs()), HasSubstr("is not a file"));
  write_entries(file, {{"readme", "hello"}});
  EXPECT_THAT(refusal(file), HasSubstr("is not a results archive"));
}

TEST_F(ArchiveImport, RefusesOneThatIsCutOffAnywhere) {
  export_two();
  const std::string whole = read_file(file);
  for (size_t parts = 1; parts < 16; parts++) {
    write_file(here / "cut.n2nq", whole.substr(0, whole.size() * parts / 16));
    EXPECT_THAT(refusal(here / "cut.n2nq"), HasSubstr("cut.n2nq")) << parts;
  }
  Entries entries = entries_of(file);
  entries.pop_back();
  write_entries(here / "short.n2nq", entries);
  EXPECT_THAT(refusal(here / "short.n2nq"), HasSubstr("it is truncated"));
}

TEST_F(ArchiveImport, RefusesOneWithSomethingBehindIt) {
  export_two();
  const std::string whole = read_file(file);
  write_file(here / "twice.n2nq", whole + whole);
  EXPECT_THAT(refusal(here / "twice.n2nq"), HasSubstr("twice.n2nq"));
  write_file(here / "more.n2nq", whole + "and some bytes more");
  EXPECT_THAT(refusal(here / "more.n2nq"), HasSubstr("more.n2nq"));
  write_file(here / "zeros.n2nq", whole + std::string(70'000, '\0'));
  EXPECT_THAT(refusal(here / "zeros.n2nq"), HasSubstr("zeros.n2nq"));
}

TEST_F(ArchiveImport, RefusesWhatDoesNotMatchItsChecksum) {
  export_two();
  for (size_t i = 1; i + 1 < entries_of(file).size(); i++) {
    Entries entries = entries_of(file);
    entries[i].second.back() ^= 1;
    write_entries(here / "changed.n2nq", entries);
    EXPECT_THAT(refusal(here / "changed.n2nq"), HasSubstr("the checksum of \"" + entries[i].first + "\""));
  }
}

TEST_F(ArchiveImport, RefusesAListThatWasChanged) {
  export_two();
  Entries entries = entries_of(file);
  std::string& list = entries.front().second;
  list.replace(list.find("note of a1"), 10, "note of a9");
  write_entries(here / "list.n2nq", entries);
  EXPECT_THAT(refusal(here / "list.n2nq"), HasSubstr("the checksum of \"manifest.json\" does not match"));
}

TEST_F(ArchiveImport, TakesAnyDamageAsDamage) {
  ids = {here.add_run("a1")};
  ASSERT_TRUE(here.export_to(file, {.results = ids}));
  const std::string whole = read_file(file);
  Random random(7);
  for (int i = 0; i < 300; i++) {
    std::string bytes = whole;
    bytes[random.below(bytes.size())] ^= static_cast<char>(1u << random.below(8));
    write_file(here / "damaged.n2nq", bytes);
    const auto imported = there.import_from(here / "damaged.n2nq");
    if (imported) {  // what is between the files may be anything
      RunRecord taken = *there.store().load(imported->added.front());
      RunRecord whole_one = *here.store().load(ids.front());
      EXPECT_EQ(taken.latencies[Latency::latency], whole_one.latencies[Latency::latency]);
      EXPECT_EQ(taken.histograms, whole_one.histograms);
      EXPECT_EQ(taken.plan, whole_one.plan);
      ASSERT_TRUE(there.store().remove(imported->added.front()) && there.store().purge(INT64_MAX));
    } else {
      EXPECT_THAT(imported.error().text, HasSubstr("damaged.n2nq"));
    }
    ASSERT_EQ(there.count(), 0u);
    ASSERT_THAT(there.files(), IsEmpty());
  }
}

TEST_F(ArchiveImport, RefusesOtherSizesThanItsListHas) {
  export_two();
  Entries entries = entries_of(file);
  entries[2].second += "more";
  write_entries(here / "longer.n2nq", entries);
  EXPECT_THAT(refusal(here / "longer.n2nq"), HasSubstr("is longer than its table of contents says"));
  entries[2].second.resize(3);
  write_entries(here / "shorter.n2nq", entries);
  EXPECT_THAT(refusal(here / "shorter.n2nq"), HasSubstr("is shorter than its table of contents says"));
}

// A few kilobytes that would be a terabyte.
TEST_F(ArchiveImport, RefusesABombBeforeItIsUnpacked) {
  export_two();
  Manifest manifest = manifest_of(file);
  manifest.files[1].bytes = 1ull << 59;
  write_with(here / "bomb.n2nq", manifest, entries_of(file));
  EXPECT_THAT(refusal(here / "bomb.n2nq"), HasSubstr("free some space"));
  EXPECT_EQ(there.import_from(here / "bomb.n2nq").error().error_number, ENOSPC);
  write_entries(here / "list.n2nq", {{kManifestName, std::string(kLargestManifest + 1, ' ')}});
  EXPECT_THAT(refusal(here / "list.n2nq"), HasSubstr("its table of contents is too large"));
}

TEST_F(ArchiveImport, LeavesRoomForTheStoreAndForOthers) {
  export_two();
  int64_t needed = record::kLeaveFree;
  for (const ArchivedFile& one : manifest_of(file).files)  // what a record holds comes into the store as well
    needed += static_cast<int64_t>(one.path.ends_with(".json") ? 2 * one.bytes : one.bytes);
  int64_t free = needed - 1;
  const auto import = [&] {
    return import_archive(file, there.store_path(), there.runs(), {}, [&](const std::string&) { return free; });
  };
  const auto refused = import();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().error_number, ENOSPC);
  EXPECT_THAT(refused.error().text, HasSubstr("free some space"));
  EXPECT_THAT(there.files(), IsEmpty());
  free = needed;
  EXPECT_TRUE(import());
}

TEST_F(ArchiveImport, WritesNowhereElse) {
  export_two();
  for (const char* name : {"../outside.log", "/tmp/n2nq-outside.log", "results/1/files/../../../outside.log"}) {
    Entries entries = entries_of(file);
    entries[2].first = name;
    write_entries(here / "outside.n2nq", entries);
    EXPECT_THAT(refusal(here / "outside.n2nq"), HasSubstr("where its table of contents has")) << name;
  }
  Entries entries = entries_of(file);
  entries.emplace_back("results/1/files/sender-9.log", "more");
  write_entries(here / "more.n2nq", entries);
  EXPECT_THAT(refusal(here / "more.n2nq"), HasSubstr("which is not in its table of contents"));
  write_link(here / "link.n2nq", entries.front().second, "results/1/record.json", "/etc/passwd");
  EXPECT_THAT(refusal(here / "link.n2nq"), HasSubstr("other than plain files"));
}

TEST_F(ArchiveImport, KeepsNothingWhereOneRecordIsNone) {
  export_two();
  Entries entries = entries_of(file);
  Manifest manifest = manifest_of(file);
  for (size_t i = 1; i < entries.size(); i++) {
    if (entries[i].first != "results/2/record.json") continue;
    entries[i].second = "{\"plan\": 5}";
    manifest.files[i - 1].bytes = entries[i].second.size();
    manifest.files[i - 1].sha256 = sha256(entries[i].second);
  }
  write_with(here / "second.n2nq", manifest, entries);
  EXPECT_THAT(refusal(here / "second.n2nq"), HasSubstr("its result 2: "));
}

TEST_F(ArchiveImport, RefusesARecordOfAnotherRunThanListed) {
  export_two();
  Manifest manifest = manifest_of(file);
  manifest.results[0].run_id = "a2";
  write_with(here / "swapped.n2nq", manifest, entries_of(file));
  EXPECT_THAT(refusal(here / "swapped.n2nq"), HasSubstr("its result 1 differs"));
}

TEST_F(ArchiveImport, OfANewerVersionSaysSo) {
  export_two();
  Entries entries = entries_of(file);
  std::string& list = entries.front().second;
  list.replace(list.find("\"version\": 1"), 12, "\"version\": 7");
  write_entries(here / "newer.n2nq", entries);
  EXPECT_THAT(refusal(here / "newer.n2nq"), HasSubstr("newer version"));
}

TEST_F(ArchiveImport, TakesAnotherFolderWhereOneOfThatNameIsThere) {
  export_two();
  fs::create_directories(there.runs() + "/imported-a1");
  const auto imported = there.import_from(file);
  ASSERT_TRUE(imported) << imported.error().text;
  EXPECT_EQ(there.store().load(imported->added[0])->folder, there.runs() + "/imported-a1-2");
}

// Killed when the files were in their place and the store had not their runs yet.
TEST_F(ArchiveImport, RemovesWhatAnotherOneLeftBehind) {
  export_two();
  ASSERT_TRUE(there.import_from(file));
  EXPECT_FALSE(fs::exists(there.runs() + "/imported-a1/.import"));
  const auto folder = [this](const std::string& name, bool marked) {
    fs::create_directories(there.runs() + "/" + name);
    write_file(there.runs() + "/" + name + "/broker.log", "queue\n");
    if (marked) write_file(there.runs() + "/" + name + "/.import", "");
  };
  folder("imported-dead", true);
  folder("imported-a1", true);  // the store has it: it was killed just afterwards
  folder("imported-by-hand", false);
  folder("own", true);
  here.add_run("a3");
  ASSERT_TRUE(here.export_to(file, {.results = {3}, .logs = true}));
  ASSERT_TRUE(there.import_from(file));
  EXPECT_FALSE(fs::exists(there.runs() + "/imported-dead"));
  EXPECT_TRUE(fs::exists(there.runs() + "/imported-a1/broker.log"));
  EXPECT_FALSE(fs::exists(there.runs() + "/imported-a1/.import"));
  EXPECT_TRUE(fs::exists(there.runs() + "/imported-by-hand/broker.log"));
  EXPECT_TRUE(fs::exists(there.runs() + "/own/broker.log"));
  EXPECT_TRUE(fs::exists(there.runs() + "/imported-a3/broker.log"));
}

// One of its results came alone before, another one is of a campaign already.
TEST_F(ArchiveImport, GivesAResultThatIsHereItsPlaceInTheCampaign) {
  const auto campaigns = store::CampaignStore::open(here.store_path());
  const int64_t id = *(*campaigns)->add("two axes", campaign::to_json(two_axes()));
  here.add_run("b1", record::CampaignPlace{.campaign = id, .point = 1, .repeat = 1});
  here.add_run("b2", record::CampaignPlace{.campaign = id, .point = 2, .repeat = 1});
  ASSERT_TRUE(here.export_to(file, {.results = {2}}));
  ASSERT_TRUE(there.import_from(file));
  ASSERT_TRUE(here.export_to(file, {.campaign = id}));
  for (int i = 0; i < 2; i++) {
    const auto imported = there.import_from(file);
    ASSERT_TRUE(imported) << imported.error().text;
    const auto theirs = store::CampaignStore::open(there.store_path());
    const auto records = (*theirs)->results_of(*imported->campaign);
    ASSERT_THAT(*records, SizeIs(2));
    EXPECT_EQ((*records)[0].campaign,
              (record::CampaignPlace{.campaign = *imported->campaign, .point = 2, .repeat = 1, .attempt = 1}));
    EXPECT_EQ((*theirs)->find(*imported->campaign)->runs_done, 2u);
  }
}

struct DeletedCampaign : ArchiveImport {
  // Two runs, exported there with their logs and imported here.
  DeletedCampaign() {
    const int64_t id =
        *(*store::CampaignStore::open(here.store_path()))->add("two axes", campaign::to_json(two_axes()));
    here.add_run("b1", record::CampaignPlace{.campaign = id, .point = 1, .repeat = 1});
    here.add_run("b2", record::CampaignPlace{.campaign = id, .point = 2, .repeat = 1});
    EXPECT_TRUE(here.export_to(file, {.campaign = id, .logs = true}));
    EXPECT_TRUE(there.import_from(file));
  }
  std::unique_ptr<store::CampaignStore> campaigns = store::CampaignStore::open(there.store_path()).value();
};

TEST_F(DeletedCampaign, IsBackWithTheResultsThatWentWithIt) {
  ASSERT_TRUE(there.store().remove(1));
  ASSERT_EQ(campaigns->remove(1), 1u);
  const auto imported = there.import_from(file);
  ASSERT_TRUE(imported) << imported.error().text;
  EXPECT_EQ(imported->campaign, 1);
  EXPECT_THAT(imported->here_already, ElementsAre(1, 2));
  EXPECT_THAT(*campaigns->list(), SizeIs(1));
  EXPECT_EQ(there.store().presence(1), store::Presence::deleted) << "as before its campaign was deleted";
  EXPECT_EQ(there.store().presence(2), store::Presence::listed);
}

TEST_F(DeletedCampaign, IsImportedAnewWhenItHasGoneForGood) {
  ASSERT_TRUE(campaigns->remove(1));
  ASSERT_TRUE(there.store().purge(INT64_MAX));
  const auto imported = there.import_from(file);
  ASSERT_TRUE(imported) << imported.error().text;
  EXPECT_EQ(imported->campaign, 2);
  EXPECT_THAT(imported->added, SizeIs(2));
  EXPECT_EQ(campaigns->find(2)->runs_done, 2u);
}

// A purge could not take all of it: what is left of it comes back, what is gone is imported.
TEST_F(DeletedCampaign, IsWholeAgainWhenAPurgeHadTakenAPartOfIt) {
  store::Connection raw =
      store::Connection::open(there.store_path(), store::Access::read_write, std::chrono::seconds(5)).value();
  ASSERT_TRUE(raw.run("UPDATE results SET runs_folder = '/nowhere' WHERE id = 2"));
  ASSERT_TRUE(campaigns->remove(1));
  ASSERT_TRUE(there.store().purge(INT64_MAX));
  ASSERT_EQ(there.store().presence(1), store::Presence::gone);
  ASSERT_EQ(there.store().presence(2), store::Presence::deleted);
  const auto imported = there.import_from(file);
  ASSERT_TRUE(imported) << imported.error().text;
  EXPECT_EQ(imported->campaign, 1);
  EXPECT_THAT(imported->added, ElementsAre(3));
  EXPECT_THAT(imported->here_already, ElementsAre(2));
  EXPECT_EQ(campaigns->find(1)->runs_done, 2u);
}

// Its files could not be removed yet, and it will go as soon as they can.
TEST_F(DeletedCampaign, HasAnewWhatAPurgeHadBegunToTakeAway) {
  store::Connection raw =
      store::Connection::open(there.store_path(), store::Access::read_write, std::chrono::seconds(5)).value();
  ASSERT_TRUE(campaigns->remove(1));
  ASSERT_TRUE(raw.run("UPDATE results SET deleted_utc_ns = -1 WHERE id = 1"));
  const auto imported = there.import_from(file);
  ASSERT_TRUE(imported) << imported.error().text;
  EXPECT_THAT(imported->added, ElementsAre(3));
  ASSERT_TRUE(there.store().purge(INT64_MAX));
  EXPECT_EQ(campaigns->find(1)->runs_done, 2u);
  EXPECT_TRUE(fs::exists(there.store().load(3)->folder + "/receiver-1.log"));
}

TEST_F(ArchiveImport, LeavesWhatIsDeletedAndLaterPurgedWithoutItsFiles) {
  export_two();
  const auto imported = there.import_from(file);
  ASSERT_TRUE(there.store().remove(imported->added[0]));
  EXPECT_THAT(there.import_from(file)->here_already, ElementsAre(1, 2));
  ASSERT_TRUE(there.store().purge(INT64_MAX));
  EXPECT_FALSE(fs::exists(there.runs() + "/imported-a1"));
  EXPECT_TRUE(fs::exists(there.runs() + "/imported-a2"));
}

}  // namespace
}  // namespace n2nq::archive::test
