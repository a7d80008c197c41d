#include "app/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <limits>

#include "app/store/sql.h"
#include "tests/helpers/file_size_limit.h"
#include "tests/helpers/process.h"
#include "tests/helpers/temp_dir.h"
#include "tests/helpers/unprivileged.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::store {
namespace {

using n2nq::test::TempDir;
using record::test::difference;
using record::test::example_record;
using testing::AllOf;
using testing::HasSubstr;

struct Store : testing::Test {
  TempDir dir;
  std::string path = (dir / "data/results.sqlite").string();
  std::unique_ptr<ResultStore> store = opened();

  std::unique_ptr<ResultStore> opened(std::chrono::milliseconds busy_timeout = ResultStore::kPatience) {
    auto made = ResultStore::open(path, busy_timeout);
    if (!made) ADD_FAILURE() << made.error().text;
    return made ? std::move(*made) : nullptr;
  }
  int64_t add(const record::RunRecord& record) {
    const auto id = store->add(record);
    if (!id) ADD_FAILURE() << id.error().text;
    return id.value_or(0);
  }
};

TEST_F(Store, GivesARecordBackAsItWas) {
  const record::RunRecord record = example_record();
  const int64_t id = add(record);
  const auto loaded = store->load(id);
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_EQ(difference(*loaded, record), "");
  EXPECT_EQ(loaded->id, id);
}

TEST_F(Store, ReplacesARecordButForWhatTheUserMarkedItWith) {
  const int64_t other = add(example_record("other"));
  const int64_t id = add(example_record());
  ASSERT_TRUE(store->set_starred({id}, true));
  ASSERT_TRUE(store->set_notes(id, "mine"));
  record::RunRecord more = example_record();
  more.id = id;
  more.totals.sent += 7;
  more.histograms.pop_back();
  more.services.push_back(more.services.front());
  more.notes.clear();
  const auto replaced = store->replace(more);
  ASSERT_TRUE(replaced) << replaced.error().text;
  EXPECT_EQ(difference(store->load(id).value(), more), "");
  EXPECT_EQ(difference(store->load(other).value(), example_record("other")), "");
  EXPECT_EQ(store->notes(id), "mine");
  EXPECT_TRUE(store->list()->rows.front().starred);
  EXPECT_EQ(store->list()->rows.size(), 2u);
}

TEST_F(Store, KnowsInASummaryHowMuchWasReceived) {
  const int64_t id = add(example_record());
  const auto summary = store->summary(id);
  ASSERT_TRUE(summary) << summary.error().text;
  EXPECT_TRUE(summary->services.empty());
  EXPECT_EQ(summary->received_bytes, 75'000u) << "of three receivers; what senders sent is none of it";
  EXPECT_EQ(store->summary(add(record::RunRecord{}))->received_bytes, std::nullopt);
}

TEST_F(Store, KnowsTheLayersInASummary) {
  const record::RunRecord record = example_record();
  ASSERT_FALSE(record.layers.empty());
  EXPECT_EQ(store->summary(add(record))->layers, record.layers) << "campaigns draw their round trips";
}

TEST_F(Store, GivesAnEmptyRecordBackToo) {
  const int64_t id = add(record::RunRecord{});
  const auto loaded = store->load(id);
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_EQ(difference(*loaded, record::RunRecord{}), "");
}

TEST_F(Store, KeepsCountsUpToTheLargest) {
  record::RunRecord record = example_record();
  record.totals.sent = UINT64_MAX;
  record.histograms[0].buckets[0].count = UINT64_MAX;
  const auto loaded = store->load(add(record));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(difference(*loaded, record), "");
}

TEST_F(Store, ListsTheNewestFirstWithItsFigures) {
  record::RunRecord older = example_record("older");
  older.started_utc_ns -= 1;
  const int64_t newer_id = add(example_record("newer"));
  add(older);
  const auto listing = store->list();
  ASSERT_TRUE(listing) << listing.error().text;
  ASSERT_EQ(listing->rows.size(), 2u);
  EXPECT_EQ(listing->unknown, 0u);
  const ResultRow& row = listing->rows.front();
  EXPECT_EQ(row.id, newer_id);
  EXPECT_EQ(row.name, "newer");
  EXPECT_EQ(row.duration_ns, 5'000'000'000);
  EXPECT_EQ(row.verdict, record::Verdict::lost_allowed);
  EXPECT_EQ(row.mode, plan::Mode::load_balancer);
  EXPECT_TRUE(row.requests);
  EXPECT_FALSE(row.responses);
  EXPECT_EQ(row.senders, 2u);
  EXPECT_EQ(row.receivers, 3u);
  EXPECT_EQ(row.sent, 1000u);
  EXPECT_EQ(row.received, 992u);
  EXPECT_EQ(row.lost, 8u);
  EXPECT_EQ(row.p50_ns, 80'000);
  EXPECT_EQ(row.p99_ns, 200'000);
  EXPECT_EQ(row.trimmed_mean_ns, 90'000);
  EXPECT_EQ(listing->rows.back().name, "older");
}

TEST_F(Store, ListsTheLatencyFromTheIntendedSendWhereThatIsShown) {
  record::RunRecord record = example_record("late");
  add(record);
  EXPECT_FALSE(store->list()->rows.front().intended);
  record.started_utc_ns += 1;
  record.latencies[Latency::scheduled_latency].p99 = 15'000'000'000;
  add(record);
  const ResultRow late = store->list()->rows.front();
  EXPECT_EQ(late.p99_ns, record.latencies[Latency::latency].p99);
  EXPECT_EQ(shown_latency(late).p99_ns, 15'000'000'000);
  EXPECT_EQ(shown_latency(late).p50_ns, record.latencies[Latency::scheduled_latency].p50);
  EXPECT_EQ(shown_latency(late).trimmed_mean_ns, record.latencies[Latency::scheduled_latency].trimmed_mean_p95);
}

TEST_F(Store, ListsTheBusAndTheTurnaroundOfRequests) {
  record::RunRecord record = record::test::example_replies();
  record.plan.bus.kind = "http";
  record.started_utc_ns += 1;
  add(example_record("own queue"));
  add(record);
  const auto rows = store->list()->rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.front().bus, "http");
  EXPECT_EQ(bus_text(rows.front()), "HTTP/1.1");
  EXPECT_EQ(rows.front().p50_ns, record.latencies[Latency::turnaround].p50);
  EXPECT_EQ(rows.back().bus, "n2nq");
  EXPECT_EQ(rows.back().p50_ns, record.latencies[Latency::latency].p50);
}

TEST_F(Store, ListsARunThatNeverBeganWithoutADuration) {
  record::RunRecord record = example_record();
  record.began_utc_ns.reset();
  add(record);
  EXPECT_EQ(store->list()->rows.front().duration_ns, 0);
}

TEST_F(Store, KnowsWhatAResultTakes) {
  record::RunRecord record = example_record();
  record.folder = (dir / "run").string();
  std::filesystem::create_directories(record.folder + "/below");
  record::test::write_file(record.folder + "/sender-1.log", std::string(1000, 'x'));
  record::test::write_file(record.folder + "/below/deep.log", std::string(24, 'x'));
  std::filesystem::create_symlink("/usr", record.folder + "/link");
  add(record);
  record.notes[0].text.append(5000, '.');
  add(record);
  const auto rows = store->list().value().rows;
  EXPECT_EQ(rows[0].file_bytes, 1024u);
  EXPECT_EQ(rows[0].stored_bytes, rows[1].stored_bytes + 5000);
  EXPECT_GT(rows[1].stored_bytes, 1000u);
}

TEST_F(Store, HidesARemovedResultUntilItIsRestored) {
  const int64_t id = add(example_record());
  ASSERT_TRUE(store->remove(id));
  EXPECT_TRUE(store->list()->rows.empty());
  ASSERT_TRUE(store->restore(id));
  EXPECT_EQ(store->list()->rows.size(), 1u);
}

TEST_F(Store, TellsADeletedResultFromOneThatIsGone) {
  const int64_t id = add(example_record());
  EXPECT_EQ(store->presence(id), Presence::listed);
  ASSERT_TRUE(store->remove(id));
  EXPECT_EQ(store->presence(id), Presence::deleted);
  ASSERT_TRUE(store->purge(INT64_MAX));
  EXPECT_EQ(store->presence(id), Presence::gone);
}

TEST_F(Store, SaysWhenAResultIsNotThere) {
  EXPECT_THAT(store->load(7).error().text, HasSubstr("result 7 is not in " + path));
  EXPECT_THAT(store->remove(7).error().text, HasSubstr("result 7 is no longer in"));
  EXPECT_THAT(store->restore(7).error().text, HasSubstr("result 7 is no longer in"));
  EXPECT_THAT(store->set_notes(7, "x").error().text, HasSubstr("result 7 is no longer in"));
}

TEST_F(Store, KeepsWhatTheUserWrote) {
  const int64_t id = add(example_record());
  EXPECT_EQ(store->notes(id), "");
  ASSERT_TRUE(store->set_notes(id, "cable 2; bürö"));
  ASSERT_TRUE(store->set_notes(id, "cable 3; bürö"));
  EXPECT_EQ(opened()->notes(id), "cable 3; bürö");
}

TEST_F(Store, KnowsFoldersOfRemovedResultsToo) {
  record::RunRecord record = example_record();
  record.folder = (dir / "run").string();
  const int64_t id = add(record);
  EXPECT_TRUE(store->holds_run_folder(record.folder));
  EXPECT_EQ(store->find_run_folder(record.folder), id);
  ASSERT_TRUE(store->remove(id));
  EXPECT_TRUE(store->holds_run_folder(record.folder));
  EXPECT_FALSE(store->holds_run_folder(record.folder + "-2"));
}

struct Purge : Store {
  std::filesystem::path folder = dir / "runs/20261128T130000Z-0e1f";
  int64_t id = 0;

  void add_with_files() {
    std::filesystem::create_directories(folder);
    for (const char* name : {"sender-1.log", "receiver-1.log", "broker.log", "journal.jsonl", "master.csv"})
      record::test::write_file(folder / name, "x");
    record::RunRecord record = example_record();
    record.folder = folder.string();
    id = add(record);
  }
  Result<void> purge() { return store->purge(std::numeric_limits<int64_t>::max()); }
};

TEST_F(Purge, TakesARemovedResultAndItsFolder) {
  add_with_files();
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(purge());
  EXPECT_FALSE(std::filesystem::exists(folder));
  EXPECT_TRUE(std::filesystem::exists(folder.parent_path()));
  EXPECT_FALSE(store->load(id));
  EXPECT_FALSE(store->restore(id));
  auto raw = Connection::open(path, Access::read_only, std::chrono::seconds(1));
  for (const char* table : {"results", "figures", "histograms", "services", "processes", "series", "losses", "run_log"})
    EXPECT_EQ(raw->number(std::string("SELECT count(*) FROM ") + table), 0) << table;
}

TEST_F(Purge, LeavesWhatWasNotRemovedOrOnlyJustNow) {
  add_with_files();
  ASSERT_TRUE(purge());
  EXPECT_TRUE(store->load(id));
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(store->purge(1));
  EXPECT_TRUE(store->restore(id));
  EXPECT_TRUE(std::filesystem::exists(folder / "sender-1.log"));
}

TEST_F(Purge, LeavesFilesThatAreNotOfARun) {
  add_with_files();
  record::test::write_file(folder / "thesis.tex", "mine");
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(purge());
  EXPECT_TRUE(std::filesystem::exists(folder / "thesis.tex"));
  EXPECT_FALSE(std::filesystem::exists(folder / "sender-1.log"));
}

TEST_F(Purge, LeavesAFolderWithoutARunInIt) {
  add_with_files();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  record::test::write_file(folder / "senders.hlog", "of somebody");
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(purge());
  EXPECT_TRUE(std::filesystem::exists(folder / "senders.hlog"));
}

// A store from elsewhere may name any.
TEST_F(Purge, LeavesAFolderThatNoBenchNamed) {
  for (const char* name :
       {"experiment", "20261128T130000Z", "20261128T130000Z-0e1g", "20261128T130000Z-0e1f-2", "Imported-1"}) {
    folder = dir / "runs" / name;
    add_with_files();
    ASSERT_TRUE(store->remove(id));
    ASSERT_TRUE(purge());
    EXPECT_TRUE(std::filesystem::exists(folder / "sender-1.log")) << name;
    EXPECT_EQ(store->presence(id), Presence::gone);
  }
}

TEST_F(Purge, FollowsNoLink) {
  add_with_files();
  const std::filesystem::path elsewhere = dir / "elsewhere";
  std::filesystem::rename(folder, elsewhere);
  std::filesystem::create_symlink(elsewhere, folder);
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(purge());
  EXPECT_TRUE(std::filesystem::exists(elsewhere / "sender-1.log"));
}

TEST_F(Purge, FollowsNoLinkFurtherUp) {
  add_with_files();
  const std::filesystem::path elsewhere = dir / "elsewhere";
  std::filesystem::rename(folder.parent_path(), elsewhere);
  std::filesystem::create_symlink(elsewhere, folder.parent_path());
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(purge());
  EXPECT_TRUE(std::filesystem::exists(elsewhere / folder.filename() / "sender-1.log"));
}

TEST_F(Purge, WaitsForADiskThatIsUnplugged) {
  add_with_files();
  ASSERT_TRUE(store->remove(id));
  const std::filesystem::path runs = folder.parent_path(), unplugged = dir / "unplugged";
  std::filesystem::rename(runs, unplugged);
  ASSERT_TRUE(purge());
  EXPECT_EQ(store->presence(id), Presence::deleted) << "it can still be brought back";
  std::filesystem::rename(unplugged, runs);
  ASSERT_TRUE(purge());
  EXPECT_EQ(store->presence(id), Presence::gone);
  EXPECT_FALSE(store->load(id));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(Purge, TakesAResultWhoseFolderAloneIsGone) {
  add_with_files();
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(store->remove(id));
  ASSERT_TRUE(purge());
  EXPECT_FALSE(store->load(id));
}

TEST_F(Purge, TriesAgainWhatItHadNoRightToRemove) {
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0755));
  for (const int right : {0555, 0}) {  // to remove a file, to look for one
    add_with_files();
    ASSERT_TRUE(store->remove(id));
    std::filesystem::permissions(folder, std::filesystem::perms(right));
    {
      const n2nq::test::Unprivileged other;
      const auto done = purge();
      ASSERT_FALSE(done);
      EXPECT_THAT(done.error().text,
                  AllOf(HasSubstr(folder.string()), HasSubstr("cannot be removed: Permission denied")));
      EXPECT_FALSE(store->restore(id)) << "some of its files may be gone";
    }
    EXPECT_TRUE(store->load(id));
    std::filesystem::permissions(folder, std::filesystem::perms(0755));
    ASSERT_TRUE(purge());
    EXPECT_FALSE(store->load(id));
    EXPECT_FALSE(std::filesystem::exists(folder));
  }
}

TEST_F(Store, SaysThatAnotherProgramIsWriting) {
  const int64_t id = add(example_record());
  auto other = Connection::open(path, Access::read_write, std::chrono::seconds(1));
  const auto writing = Transaction::begin(*other);
  ASSERT_TRUE(writing);
  store->set_busy_timeout(std::chrono::milliseconds(1));
  EXPECT_THAT(store->add(example_record()).error().text, HasSubstr(path + " is being written by another program"));
  EXPECT_THAT(store->remove(id).error().text, HasSubstr("try again"));
  EXPECT_EQ(store->list()->rows.size(), 1u) << "reading never waits";
}

TEST_F(Store, AddsAllOfARecordOrNothing) {
  record::RunRecord record = example_record();
  record.histograms.push_back(record.histograms.front());  // the same name twice
  EXPECT_FALSE(store->add(record));
  EXPECT_TRUE(store->list()->rows.empty());
  EXPECT_EQ(Connection::open(path, Access::read_only, std::chrono::seconds(1))->number("SELECT count(*) FROM figures"),
            0);
  add(example_record());
}

TEST_F(Store, SaysThatTheDiskIsFull) {
  ASSERT_TRUE(store->add(example_record()));
  record::RunRecord large = example_record();
  large.reason.assign(64 << 20, 'x');
  const n2nq::test::FileSizeLimit limit(1 << 20);
  const auto added = store->add(large);
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().text, HasSubstr(path));
  EXPECT_THAT(added.error().text, HasSubstr("full"));
  EXPECT_EQ(store->list()->rows.size(), 1u);
}

TEST_F(Store, SeesWhatOthersChange) {
  const int64_t before = store->changes_by_others();
  add(example_record());
  EXPECT_EQ(store->changes_by_others(), before) << "by this one";
  auto other = opened();
  ASSERT_TRUE(other->add(example_record()));
  EXPECT_NE(store->changes_by_others(), before);
  EXPECT_EQ(store->list()->rows.size(), 2u);
}

TEST_F(Store, TakesTheWritesOfTwoProcessesAtOnce) {
  store.reset();
  std::filesystem::remove_all(dir / "data");
  constexpr int kEach = 40;
  std::deque<n2nq::test::Process> writers;
  for (int i = 0; i < 2; i++) {
    writers.emplace_back(std::vector<std::string>{N2NQ_STORE_WRITER, path, std::to_string(kEach)},
                         n2nq::test::Process::Stdin::pipe);
  }
  using namespace std::chrono_literals;
  for (auto& writer : writers) ASSERT_EQ(writer.next_line(20s), "ready") << writer.err();
  for (auto& writer : writers) writer.send_line("go");
  for (auto& writer : writers) {
    const auto exit = writer.wait_exit(40s);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->code, 0) << writer.err();
  }
  store = opened();
  EXPECT_EQ(store->list()->rows.size(), 2u * kEach);
}

}  // namespace
}  // namespace n2nq::store
