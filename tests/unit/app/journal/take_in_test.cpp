// What becomes of a run whose bench was killed, at the next start.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/journal/folder_writers.h"
#include "app/journal/journal.h"
#include "app/journal/journal_lines.h"
#include "app/journal/line_reader.h"
#include "app/journal/recount.h"
#include "app/store/store.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "tests/helpers/unprivileged.h"
#include "tests/unit/app/journal/live_run.h"
#include "tests/unit/app/journal/log_text.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::journal {
namespace {

using namespace std::chrono_literals;
using log::LogRole;
using record::test::write_file;
using test::LogText;
using testing::HasSubstr;

struct TakeIn : testing::Test {
  n2nq::test::TempDir dir;
  std::filesystem::path folder = dir / "runs/one";
  std::filesystem::path journal = folder / "journal.jsonl";
  std::unique_ptr<store::ResultStore> store = store::ResultStore::open((dir / "results.sqlite").string()).value();

  TakeIn() {
    std::filesystem::create_directories(folder);
    record::RunRecord start;
    start.folder = folder.string();
    test::LiveRun run;
    run.step();
    const auto written = Journal::create(start).value();
    Told told;
    EXPECT_TRUE(written->append(next_journal_line(run.figures, {}, {}, told)));
    std::string cut = LogText(LogRole::receiver).message(1, 1).message(2, 1).text();
    cut.pop_back();
    write_file(folder / "receiver-1.log", cut);
  }
  Result<int64_t> take() {
    const auto taken = take_in(*store, folder.string());
    if (!taken) return std::unexpected(taken.error());
    return taken->id;
  }
};

TEST_F(TakeIn, ListsTheRunWithItsMasterFile) {
  const auto id = take();
  ASSERT_TRUE(id) << id.error().text;
  const auto record = store->load(*id);
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_EQ(record->verdict, record::Verdict::cut_off);
  EXPECT_EQ(record->master_file, (folder / "master.csv").string());
  EXPECT_THAT(record::test::read_file(folder / "master.csv"), HasSubstr("receiver,1,1,1,"));
  ASSERT_FALSE(record->notes.empty());
  EXPECT_THAT(record->notes.back().text, HasSubstr("1 broken line in the logs"));
  EXPECT_FALSE(std::filesystem::exists(journal));
  EXPECT_TRUE(find_cut_off((dir / "runs").string()).empty());
}

TEST_F(TakeIn, ListsARunOnceThoughItWasKilledJustBeforeTheEnd) {
  const std::string text = record::test::read_file(journal);
  const auto id = take();
  write_file(journal, text);
  EXPECT_EQ(take().value(), id.value());
  EXPECT_EQ(store->list()->rows.size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(journal));
}

// What was on a host is brought home after the next start has made a result of the journal.
TEST_F(TakeIn, LogsThatComeLaterRaiseTheCountsOfTheResult) {
  std::filesystem::remove(folder / "receiver-1.log");
  const auto id = take();
  ASSERT_TRUE(id) << id.error().text;
  ASSERT_TRUE(store->set_starred({*id}, true));
  ASSERT_TRUE(store->set_tags(*id, {"kept"}));
  const record::RunRecord before = store->load(*id).value();
  EXPECT_EQ(take_in_more(*store, folder.string()).value(), std::nullopt) << "there is no more";

  LogText log(LogRole::receiver, before.began_utc_ns.value());
  constexpr uint64_t kMessages = 1000;
  const uint64_t last = 50'000'000;  // some time after the journal's last line
  for (uint64_t i = 1; i < kMessages; i++) log.message(i, 1);
  log.message(last, 1);
  write_file(folder / "receiver-1.log", log.with_end(kMessages));
  uint64_t others = 0;
  for (const live::ServiceFigures& service : before.services)
    if (service.role == Role::receiver && service.number != 1) others += static_cast<uint64_t>(service.count);
  ASSERT_LT(before.totals.received, kMessages);
  EXPECT_EQ(take_in_more(*store, folder.string()).value(), id.value());
  const record::RunRecord after = store->load(*id).value();
  EXPECT_EQ(after.totals.received, others + kMessages);
  EXPECT_EQ(after.ended_utc_ns, *after.began_utc_ns + static_cast<int64_t>(last) * 1000 + 7)
      << "as long as its messages";
  EXPECT_EQ(after.totals.sent, before.totals.sent) << "of which no log came";
  EXPECT_EQ(after.histograms, before.histograms);
  EXPECT_EQ(after.trust, record::Trust::doubtful);
  EXPECT_TRUE(std::ranges::any_of(after.notes, [](const record::RunNote& note) {
    return note.text.starts_with("logs that were fetched later say more: ");
  }));
  EXPECT_THAT(record::test::read_file(folder / "master.csv"), HasSubstr("receiver,1,1,3,"));
  const store::ResultRow row = store->list()->rows.at(0);
  EXPECT_TRUE(row.starred);
  EXPECT_THAT(row.tags, testing::ElementsAre("kept"));
  EXPECT_EQ(take_in_more(*store, folder.string()).value(), std::nullopt) << "it has all";
}

TEST_F(TakeIn, LeavesARunThatAnotherBenchHolds) {
  const int fd = ::open(journal.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_THAT(take().error().text, HasSubstr("in use by another bench"));
  ::close(fd);
  EXPECT_TRUE(take());
}

TEST_F(TakeIn, KeepsTheJournalWhenTheStoreCannotTakeTheRun) {
  store->set_busy_timeout(1ms);
  const auto other = store::ResultStore::open(store->path()).value();
  n2nq::test::Process locker({"/usr/bin/env", "sqlite3", store->path()}, n2nq::test::Process::Stdin::pipe);
  locker.send_line("BEGIN IMMEDIATE; SELECT 'locked';");
  ASSERT_EQ(locker.next_line(20s), "locked") << locker.err();
  EXPECT_THAT(take().error().text, HasSubstr("being written by another program"));
  EXPECT_TRUE(std::filesystem::exists(journal));
  locker.close_stdin();
  ASSERT_TRUE(locker.wait_exit(20s));
  EXPECT_TRUE(take());
}

TEST_F(TakeIn, KeepsTheVerdictOfARunThatOnlyCouldNotBeStored) {
  record::RunRecord over = record::test::example_record();
  over.folder = folder.string();
  ASSERT_TRUE(Journal::create(over).value()->finish(over));
  const auto id = take();
  ASSERT_TRUE(id) << id.error().text;
  const auto record = store->load(*id);
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_EQ(record->verdict, over.verdict);
  EXPECT_EQ(record->reason, over.reason);
  EXPECT_EQ(record->totals, over.totals);
  EXPECT_EQ(record->master_file, (folder / "master.csv").string());
  EXPECT_FALSE(std::filesystem::exists(journal));
}

TEST_F(TakeIn, SaysOnceThatAJournalCannotBeRead) {
  write_file(journal, "nonsense\n");
  EXPECT_THAT(take().error().text, HasSubstr(journal.string() + " is damaged in line 1"));
  EXPECT_TRUE(find_cut_off((dir / "runs").string()).empty());
  EXPECT_EQ(record::test::read_file(folder / "journal.jsonl.damaged"), "nonsense\n");
  EXPECT_TRUE(store->list()->rows.empty());
}

TEST_F(TakeIn, LeavesAJournalOfAnotherBuildAsItIs) {
  const std::string line = "{\"journal\":1,\"version\":\"0.1.0\"}\n";
  write_file(journal, line);
  EXPECT_THAT(take().error().text, HasSubstr("another build of N2NQ Bench"));
  EXPECT_EQ(record::test::read_file(journal), line);
}

TEST_F(TakeIn, TakesTheReadablePartOfADamagedJournalAndSetsItAside) {
  write_file(journal, record::test::read_file(journal) + "nonsense\n");
  const auto taken = take_in(*store, folder.string());
  ASSERT_TRUE(taken) << taken.error().text;
  EXPECT_THAT(taken->damage, HasSubstr(journal.string() + " is damaged in line 3"));
  const record::RunRecord record = store->load(taken->id).value();
  EXPECT_EQ(record.verdict, record::Verdict::cut_off);
  EXPECT_EQ(record.totals.sent, 200u);
  EXPECT_THAT(record.notes.front().text, HasSubstr("is damaged in line 3"));
  EXPECT_TRUE(find_cut_off((dir / "runs").string()).empty());
  EXPECT_TRUE(std::filesystem::exists(folder / "journal.jsonl.damaged"));
}

TEST_F(TakeIn, WaitsForAWorkerThatStillWrites) {
  const std::string log = (folder / "sender-1.log").string();
  n2nq::test::Process worker({"/bin/sh", "-c", "exec 3>'" + log + "'; echo open; read line"},
                             n2nq::test::Process::Stdin::pipe);
  ASSERT_EQ(worker.next_line(20s), "open");
  const auto still = wait_for_writers(folder.string(), 0ms, {});
  ASSERT_FALSE(still);
  EXPECT_THAT(still.error().text, HasSubstr("process " + std::to_string(worker.pid()) + " still writes to"));
  worker.close_stdin();
  const auto over = wait_for_writers(folder.string(), 20s, {});
  EXPECT_TRUE(over) << over.error().text;
}

TEST_F(TakeIn, ListsARunOfWhichALogCannotBeRead) {
  for (const auto& path : {dir.path(), folder}) ASSERT_EQ(::chmod(path.c_str(), 0777), 0);
  write_file(folder / "sender-1.log", LogText(LogRole::sender).message(1, 1).text());
  write_file(folder / "receiver-2.log", LogText(LogRole::receiver).message(1, 1).message(2, 1).text());
  const std::string unreadable = (folder / "receiver-1.log").string();
  ASSERT_EQ(::chmod(unreadable.c_str(), 0), 0);
  const n2nq::test::Unprivileged somebody;
  const auto id = take();
  ASSERT_TRUE(id) << id.error().text;
  const record::RunRecord record = store->load(*id).value();
  EXPECT_EQ(record.verdict, record::Verdict::cut_off);
  EXPECT_EQ(record.totals.received, 202u) << "200 by the journal for the one, 2 by the log of the other";
  EXPECT_THAT(record.notes.front().text, testing::AllOf(HasSubstr(unreadable + " cannot be read: Permission denied"),
                                                        HasSubstr("of receiver 1"), HasSubstr("is missing")));
  EXPECT_EQ(record.notes.front().severity, record::Severity::warning);
  EXPECT_TRUE(find_cut_off((dir / "runs").string()).empty());
}

TEST_F(TakeIn, ListsARunWhoseFolderCannotBeListed) {
  for (const auto& path : {dir.path(), folder.parent_path()}) ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  ASSERT_EQ(::chmod(folder.c_str(), 0711), 0);
  const n2nq::test::Unprivileged somebody;
  const auto record = recover(folder.string());
  ASSERT_TRUE(record) << record.error().text;
  EXPECT_EQ(record->totals.received, 200u);
  EXPECT_THAT(record->notes.front().text, HasSubstr(folder.string() + " cannot be read"));
}

// As a kernel before 5.3 has it, or a filter of system calls.
TEST_F(TakeIn, WaitsForAWorkerOfWhoseEndTheKernelDoesNotTell) {
  const std::string log = (folder / "sender-1.log").string();
  n2nq::test::Process worker({"/bin/sh", "-c", "exec 3>'" + log + "'; echo open; read line"},
                             n2nq::test::Process::Stdin::pipe);
  ASSERT_EQ(worker.next_line(20s), "open");
  int opened = 0;
  std::stop_source stop;
  const auto refused = [&](int error) {
    return [&, error](pid_t) {
      if (++opened > 100) stop.request_stop();  // it would go on for ever
      return -error;
    };
  };
  for (const int error : {ENOSYS, EPERM})
    EXPECT_FALSE(wait_for_writers(folder.string(), 50ms, stop.get_token(), refused(error)));
  EXPECT_LE(opened, 4) << "it looks again and again without a pause";

  std::stop_source at_once;
  at_once.request_stop();
  EXPECT_FALSE(wait_for_writers(folder.string(), 1h, at_once.get_token(), refused(ENOSYS)));

  const auto over = wait_for_writers(folder.string(), 20s, {}, [&](pid_t) {
    worker.close_stdin();
    return -ENOSYS;
  });
  EXPECT_TRUE(over) << over.error().text;
}

TEST_F(TakeIn, DoesNotWaitForOneWhoOnlyReads) {
  n2nq::test::Process reader(
      {"/bin/sh", "-c", "exec 3<'" + (folder / "receiver-1.log").string() + "'; echo open; read x"},
      n2nq::test::Process::Stdin::pipe);
  ASSERT_EQ(reader.next_line(20s), "open");
  EXPECT_TRUE(wait_for_writers(folder.string(), 0ms, {}));
}

TEST_F(TakeIn, StopsInTheMiddleOfALogWhenItIsTold) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(recover(folder.string(), stop.get_token()).error().text, HasSubstr("cancelled"));
  record::RunRecord record;
  record.folder = folder.string();
  const auto counted = recount(record, stop.get_token());
  ASSERT_FALSE(counted);
  EXPECT_THAT(counted.error().text, HasSubstr("receiver-1.log was not read to the end: cancelled"));
}

TEST_F(TakeIn, StopsBetweenTwoBlocksOfALog) {
  const std::filesystem::path log = folder / "long.log";
  write_file(log, std::string(1 << 20, 'x') + "\nend\n");
  std::stop_source stop;
  auto reader = LineReader::open(log.string(), 16, stop.get_token()).value();
  LineReader::Line line;
  EXPECT_TRUE(reader.next(line).value());
  stop.request_stop();
  EXPECT_TRUE(reader.next(line).value()) << "what was read already";
  EXPECT_EQ(reader.next(line).error().error_number, ECANCELED);
}

TEST_F(TakeIn, StopsWhenItIsTold) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(take_in(*store, folder.string(), stop.get_token()));
  EXPECT_TRUE(std::filesystem::exists(journal));
  EXPECT_TRUE(take());
}

}  // namespace
}  // namespace n2nq::journal
