#include "app/archive/archive_export.h"

#include <gmock/gmock.h>

#include <fstream>

#include "app/plan/whole_file.h"
#include "app/record/run_folder.h"
#include "tests/helpers/file_size_limit.h"
#include "tests/unit/app/archive/archive_rig.h"

namespace n2nq::archive::test {
namespace {

using record::test::read_file;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> names(const Entries& entries) {
  std::vector<std::string> all;
  for (const auto& [name, bytes] : entries) all.push_back(name);
  return all;
}

struct ArchiveExport : testing::Test {
  Computer here{"here"};
  std::string file = here / "x.n2nq";
};

TEST_F(ArchiveExport, HoldsTheRecordsAndSaysWhatTheLogsWouldTake) {
  const int64_t id = here.add_run("a1");
  const auto exported = here.export_to(file, {.results = {id}});
  ASSERT_TRUE(exported) << exported.error().text;
  EXPECT_THAT(names(entries_of(file)), ElementsAre("manifest.json", "results/1/record.json", "manifest.sha256"));
  const uint64_t logs = std::string("queue of a1\n").size() + 300'000 + std::string("role,service\n").size();
  EXPECT_EQ(exported->log_bytes, logs);
  EXPECT_THAT(to_text(*exported, "x.n2nq"), HasSubstr("1 result written to x.n2nq ("));
  EXPECT_THAT(to_text(*exported, "x.n2nq"), HasSubstr("without the logs, which need 293.0 KiB"));
}

TEST_F(ArchiveExport, TakesLogsAlongButNoJournalAndNothingOfOthers) {
  const int64_t id = here.add_run("a1");
  ASSERT_TRUE(here.export_to(file, {.results = {id}, .logs = true}));
  EXPECT_THAT(names(entries_of(file)),
              ElementsAre("manifest.json", "results/1/record.json", "results/1/files/broker.log",
                          "results/1/files/master.csv", "results/1/files/receiver-1.log", "manifest.sha256"));
}

TEST_F(ArchiveExport, ListsEachFileWithItsSizeAndChecksum) {
  const int64_t id = here.add_run("a1");
  ASSERT_TRUE(here.export_to(file, {.results = {id}, .logs = true}));
  const Manifest manifest = manifest_of(file);
  const Entries entries = entries_of(file);
  EXPECT_EQ(manifest.product, "n2nq-bench " N2NQ_VERSION);
  EXPECT_EQ(manifest.results.front().marks,
            (store::UserMarks{.notes = "note of a1", .tags = {"night"}, .starred = true}));
  ASSERT_EQ(manifest.files.size() + 2, entries.size());
  for (size_t i = 0; i < manifest.files.size(); i++) {
    EXPECT_EQ(manifest.files[i].path, entries[i + 1].first);
    EXPECT_EQ(manifest.files[i].bytes, entries[i + 1].second.size());
    EXPECT_EQ(manifest.files[i].sha256, sha256(entries[i + 1].second));
  }
}

TEST_F(ArchiveExport, OfTheSameResultsHasTheSameBytes) {
  const int64_t id = here.add_run("a1");
  ASSERT_TRUE(here.export_to(file, {.results = {id}, .logs = true}));
  ASSERT_TRUE(here.export_to(here / "y.n2nq", {.results = {id}, .logs = true}));
  EXPECT_EQ(read_file(file), read_file(here / "y.n2nq"));
}

TEST_F(ArchiveExport, RefusesWhatIsNotThere) {
  const int64_t id = here.add_run("a1");
  ASSERT_TRUE(here.store().remove(id));
  EXPECT_THAT(here.export_to(file, {.results = {id}}).error().text, HasSubstr("was deleted"));
  EXPECT_THAT(here.export_to(file, {.results = {99}}).error().text, HasSubstr("result 99 is not in"));
  EXPECT_THAT(here.export_to(file, {.campaign = 7}).error().text, HasSubstr("campaign 7 is not in"));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_FALSE(std::filesystem::exists(file + ".part"));
}

TEST_F(ArchiveExport, LeavesAFileOfTheUsersThatIsCalledPart) {
  const int64_t id = here.add_run("a1");
  const std::string copy = here / "copy.log";
  for (const std::string& path : {file, copy}) std::ofstream(path + ".part") << "my own";
  ASSERT_TRUE(here.export_to(file, {.results = {id}}));
  ASSERT_TRUE(plan::copy_whole(here.runs() + "/a1/broker.log", copy));
  EXPECT_FALSE(here.export_to(file, {.results = {99}}));
  EXPECT_FALSE(plan::copy_whole(here / "none.log", copy));
  for (const std::string& path : {file, copy}) EXPECT_EQ(read_file(path + ".part"), "my own");
  EXPECT_EQ(read_file(copy), "queue of a1\n");
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(file).parent_path()))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path() << " is left over";
}

TEST_F(ArchiveExport, NeverOverwritesWhatIsOfTheStore) {
  const int64_t id = here.add_run("a1");
  const std::string log = here.runs() + "/a1/broker.log";
  for (const std::string& own : {here.store_path(), here.store_path() + "-wal", log, here / "hosts.json"})
    EXPECT_THAT(here.export_to(own, {.results = {id}}).error().text, HasSubstr("choose one that ends in .n2nq")) << own;
  EXPECT_EQ(read_file(log), "queue of a1\n");
  const auto inside = here.export_to(here.runs() + "/../runs/a1/x.n2nq", {.results = {id}});
  ASSERT_FALSE(inside);
  EXPECT_THAT(inside.error().text, HasSubstr("where the bench stores its runs: choose another folder"));
  EXPECT_EQ(here.count(), 1u);
  EXPECT_EQ(record::run_files(here.runs() + "/a1").size(), 4u);
}

TEST_F(ArchiveExport, SaysWhatTheSystemSaidOfTheDisk) {
  const int64_t id = here.add_run("a1");
  ASSERT_TRUE(here.export_to(file, {.results = {id}}));
  const std::string before = read_file(file);
  {
    const n2nq::test::FileSizeLimit full(100);
    const auto exported = here.export_to(file, {.results = {id}, .logs = true});
    ASSERT_FALSE(exported);
    EXPECT_THAT(exported.error().text, HasSubstr("x.n2nq cannot be written: File too large; choose a folder"));
    EXPECT_EQ(exported.error().error_number, EFBIG);
  }
  EXPECT_EQ(read_file(file), before);
}

TEST_F(ArchiveExport, LeavesWhatWasThereWhereItCannotWrite) {
  const int64_t id = here.add_run("a1");
  EXPECT_THAT(here.export_to(here / "no such folder/x.n2nq", {.results = {id}}).error().text,
              HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace n2nq::archive::test
