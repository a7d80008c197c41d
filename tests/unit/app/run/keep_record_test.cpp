// What is left of a run where its record cannot be kept as it should be.
#include "app/run/keep_record.h"

#include <gmock/gmock.h>

#include "app/store/store.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/journal/log_text.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::run {
namespace {

using journal::Journal;
using record::RunRecord;
using store::ResultStore;
using testing::AllOf;
using testing::HasSubstr;

struct KeepRecord : testing::Test {
  test::TempDir dir;
  std::filesystem::path folder = dir / "runs/one";
  std::string store = (dir / "results.sqlite").string();
  RunRecord record = record::test::example_record();

  KeepRecord() {
    std::filesystem::create_directories(folder);
    record.folder = folder.string();
  }
  Kept keep() { return keep_record(record, Journal::create(record).value().get(), store, {}); }
  bool journal_left() const { return std::filesystem::exists(folder / "journal.jsonl"); }
};

TEST_F(KeepRecord, PutsItIntoTheStore) {
  const Kept kept = keep();
  EXPECT_NE(kept.record.id, 0);
  EXPECT_FALSE(kept.trouble);
  EXPECT_FALSE(journal_left());
  EXPECT_EQ(ResultStore::open(store).value()->load(kept.record.id)->reason, record.reason);
}

TEST_F(KeepRecord, LeavesItWithItsVerdictForTheNextStartWhereTheStoreCannotBeWritten) {
  std::filesystem::create_directory(store);
  const Kept kept = keep();
  EXPECT_EQ(kept.record.id, 0);
  ASSERT_TRUE(kept.trouble);
  EXPECT_THAT(*kept.trouble, AllOf(HasSubstr("the result is not in the store"), HasSubstr(folder.string()),
                                   HasSubstr("the next start of the bench imports the result")));
  std::filesystem::remove(store);
  const auto opened = ResultStore::open(store).value();
  ASSERT_EQ(journal::find_cut_off((dir / "runs").string()).size(), 1u);
  const auto id = journal::take_in(*opened, folder.string());
  ASSERT_TRUE(id) << id.error().text;
  const RunRecord taken = opened->load(id->id).value();
  EXPECT_EQ(taken.verdict, record.verdict);
  EXPECT_EQ(taken.reason, record.reason);
  EXPECT_EQ(taken.totals, record.totals);
  EXPECT_FALSE(journal_left());
}

TEST_F(KeepRecord, LeavesItForTheNextStartWhereThereIsNoStore) {
  store.clear();
  EXPECT_TRUE(keep().trouble);
  EXPECT_TRUE(journal_left());
}

TEST_F(KeepRecord, CutShortStoresWhatIsThereAndSaysWhatIsNot) {
  const std::filesystem::path log = folder / "sender-1.log";
  record::test::write_file(log, journal::test::LogText(log::LogRole::sender).message(1, 1).text());
  std::stop_source stop;
  stop.request_stop();
  const Kept kept = keep_record(record, Journal::create(record).value().get(), store, stop.get_token());
  EXPECT_NE(kept.record.id, 0);
  EXPECT_FALSE(kept.trouble);
  EXPECT_EQ(kept.record.master_file, "");
  EXPECT_TRUE(std::filesystem::exists(log));
  const RunRecord stored = ResultStore::open(store).value()->load(kept.record.id).value();
  EXPECT_EQ(stored.totals, record.totals);
  EXPECT_THAT(stored.notes.back().text,
              AllOf(HasSubstr("no master file: saving was cut short"), HasSubstr("the logs have the lines")));
}

TEST_F(KeepRecord, CutShortDoesNotWaitForAStoreThatAnotherProgramWrites) {
  ResultStore::open(store).value();
  test::Process locker({"/usr/bin/env", "sqlite3", store}, test::Process::Stdin::pipe);
  locker.send_line("BEGIN IMMEDIATE; SELECT 'locked';");
  ASSERT_EQ(locker.next_line(std::chrono::seconds(20)), "locked") << locker.err();
  std::stop_source stop;
  stop.request_stop();
  const auto before = std::chrono::steady_clock::now();
  const Kept kept = keep_record(record, Journal::create(record).value().get(), store, stop.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - before, ResultStore::kPatience);
  EXPECT_EQ(kept.record.id, 0);
  EXPECT_TRUE(journal_left());
  locker.close_stdin();
  ASSERT_TRUE(locker.wait_exit(std::chrono::seconds(20)));
}

TEST_F(KeepRecord, WaitsLongerForAnImportThanTheStoreDoesAndSaysSo) {
  ResultStore::open(store).value();
  test::Process locker({"/usr/bin/env", "sqlite3", store}, test::Process::Stdin::pipe);
  locker.send_line("BEGIN IMMEDIATE; SELECT 'locked';");
  ASSERT_EQ(locker.next_line(std::chrono::seconds(20)), "locked") << locker.err();
  std::vector<std::string> said;
  const auto before = std::chrono::steady_clock::now();
  const Kept kept =
      keep_record(record, Journal::create(record).value().get(), store, {}, {.waits = [&](const std::string& text) {
                    said.push_back(text);
                    locker.close_stdin();
                  }});
  EXPECT_GE(std::chrono::steady_clock::now() - before, ResultStore::kPatience);
  EXPECT_NE(kept.record.id, 0);
  EXPECT_FALSE(kept.trouble);
  EXPECT_FALSE(journal_left());
  EXPECT_THAT(said,
              testing::ElementsAre(AllOf(HasSubstr("being written, for example by an import"), HasSubstr("10.0 min"))));
  ASSERT_TRUE(locker.wait_exit(std::chrono::seconds(20)));
}

TEST_F(KeepRecord, LeavesItForTheNextStartWhereAnotherProgramDoesNotEnd) {
  ResultStore::open(store).value();
  test::Process locker({"/usr/bin/env", "sqlite3", store}, test::Process::Stdin::pipe);
  locker.send_line("BEGIN IMMEDIATE; SELECT 'locked';");
  ASSERT_EQ(locker.next_line(std::chrono::seconds(20)), "locked") << locker.err();
  const Kept kept =
      keep_record(record, Journal::create(record).value().get(), store, {}, {.patience = std::chrono::milliseconds(1)});
  ASSERT_TRUE(kept.trouble);
  EXPECT_THAT(*kept.trouble, HasSubstr("the next start of the bench imports the result"));
  EXPECT_TRUE(journal_left());
  locker.close_stdin();
  ASSERT_TRUE(locker.wait_exit(std::chrono::seconds(20)));
}

TEST_F(KeepRecord, SaysWhereTheLogsAreWhenNothingCouldBeKept) {
  const Kept kept = keep_record(record, nullptr, "", {});
  ASSERT_TRUE(kept.trouble);
  EXPECT_THAT(*kept.trouble, AllOf(HasSubstr(folder.string()), HasSubstr("cannot be imported")));
}

}  // namespace
}  // namespace n2nq::run
