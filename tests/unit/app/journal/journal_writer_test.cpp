// A disk that is slow, hangs, or is full for a while.
#include "app/journal/journal_writer.h"

#include <gmock/gmock.h>

#include <future>
#include <thread>

#include "tests/helpers/file_size_limit.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/journal/live_run.h"

namespace n2nq::journal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct JournalWriterTest : testing::Test {
  n2nq::test::TempDir dir;
  test::LiveRun run;
  std::vector<record::RunNote> notes;
  std::mutex mutex;
  std::vector<std::string> told;

  record::RunRecord start() const {
    record::RunRecord record;
    record.folder = dir.path().string();
    return record;
  }
  JournalWriter::Tell tell() {
    return [this](const std::string& text) {
      const std::lock_guard lock(mutex);
      told.push_back(text);
    };
  }
  uint64_t sent() const { return recover(dir.path().string()).value_or(record::RunRecord{}).totals.sent; }
  static bool wait(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition() && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    return condition();
  }
  void put_second(JournalWriter& writer) {
    run.step();
    notes.push_back({.utc_ns = run.seconds, .text = "second " + std::to_string(run.seconds)});
    writer.put(run.figures, notes, {});
  }
};

TEST_F(JournalWriterTest, HoldsUpNobodyWhileTheDiskHangsAndLosesNothing) {
  std::promise<void> disk;
  JournalWriter writer(
      [&, released = disk.get_future().share()] {
        released.wait();
        return Journal::create(start());
      },
      tell());
  for (int i = 0; i < 100; i++) put_second(writer);
  disk.set_value();
  ASSERT_TRUE(wait([&] { return sent() == JournalWriter::kMostWaiting * 200; }));
  put_second(writer);
  const auto written = writer.finish();
  ASSERT_TRUE(written.journal);
  EXPECT_EQ(written.merged, 100u - JournalWriter::kMostWaiting);
  const record::RunRecord record = recover(dir.path().string()).value();
  EXPECT_EQ(record.totals.sent, 101u * 200);
  EXPECT_EQ(record.latencies[Latency::latency], measure::summarize(run.figures.histogram(Latency::latency)));
  ASSERT_EQ(record.notes.size(), 101u);
  for (size_t i = 0; i < record.notes.size(); i++) EXPECT_EQ(record.notes[i], notes[i]) << "in order, each once";
}

TEST_F(JournalWriterTest, TriesAgainWhereTheJournalCouldNotBeMade) {
  int tries = 0;
  JournalWriter writer(
      [&]() -> Result<std::unique_ptr<Journal>> {
        if (++tries == 1) return fail("no room");
        return Journal::create(start());
      },
      tell());
  put_second(writer);
  EXPECT_TRUE(writer.finish().journal);
  EXPECT_THAT(told, ElementsAre(HasSubstr("no journal of this run: no room")));
}

TEST_F(JournalWriterTest, SaysOnceThatTheDiskIsFullAndWritesAllWhenThereIsRoom) {
  JournalWriter writer([&] { return Journal::create(start()); }, tell());
  put_second(writer);
  ASSERT_TRUE(wait([&] { return sent() == 200; }));
  {
    const n2nq::test::FileSizeLimit limit(std::filesystem::file_size(dir / "journal.jsonl") + 10);
    for (int i = 0; i < 5; i++) put_second(writer);
    ASSERT_TRUE(wait([&] {
      const std::lock_guard lock(mutex);
      return !told.empty();
    }));
  }
  put_second(writer);
  ASSERT_TRUE(writer.finish().journal);
  EXPECT_EQ(recover(dir.path().string())->notes.size(), 7u);
  EXPECT_EQ(recover(dir.path().string())->totals.sent, 7u * 200);
  EXPECT_THAT(told, ElementsAre(HasSubstr("the journal of this run has a gap")));
}

TEST_F(JournalWriterTest, WritesTheEndOfTheRunThoughALineBeforeItHasNoRoom) {
  JournalWriter writer([&] { return Journal::create(start()); }, tell());
  put_second(writer);
  ASSERT_TRUE(wait([&] { return sent() == 200; }));
  record::RunRecord over = start();
  over.verdict = record::Verdict::passed;
  over.totals.sent = 450;
  const size_t room = final_journal_lines(over, Fetch::to_come).front().size();
  const n2nq::test::FileSizeLimit limit(std::filesystem::file_size(dir / "journal.jsonl") + room);
  for (int i = 0; i < 100; i++) notes.push_back({.utc_ns = i, .text = std::string(100, 'x')});
  put_second(writer);
  ASSERT_TRUE(wait([&] {
    const std::lock_guard lock(mutex);
    return !told.empty();
  }));
  writer.put_end(over);
  EXPECT_TRUE(wait([&] { return sent() == 450; }));
  EXPECT_EQ(recover(dir.path().string())->verdict, record::Verdict::passed);
}

TEST_F(JournalWriterTest, WritesWhatWaitsBeforeItGoes) {
  {
    JournalWriter writer([&] { return Journal::create(start()); }, tell());
    put_second(writer);
  }
  EXPECT_EQ(recover(dir.path().string())->totals.sent, 200u);
}

}  // namespace
}  // namespace n2nq::journal
