// The one campaign that a window makes: what is kept of it is read beside the window's thread.
#include "app/campaign/campaign_desk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include <QSignalSpy>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <thread>

#include "app/campaign/campaign_bin.h"
#include "app/campaign/campaign_file.h"
#include "app/campaign/campaign_reader.h"
#include "app/store/sql.h"
#include "app/store/store_import.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/campaign/example_results.h"
#include "tests/unit/app/campaign/example_search.h"
#include "tests/unit/app/store/store_watch.h"

namespace n2nq::campaign {
namespace {

using record::Verdict;
using testing::HasSubstr;

constexpr uint32_t kPoints = 4, kRepeats = 250;

struct CampaignDeskTest : testing::Test {
  CampaignDeskTest() : store(store::ResultStore::open(path).value()) {}

  // Its id, with these results kept.
  // `begun_ns`: when each began; without it one after another.
  int64_t keep(const Campaign& campaign, std::vector<record::RunRecord> records,
               const std::vector<int64_t>& begun_ns = {}) const {
    const auto into = store::StoreImport::begin(path).value();
    const int64_t id =
        into->find_or_add({.name = campaign.name, .definition = to_json(campaign), .started_utc_ns = 1}).value();
    for (size_t i = 0; i < records.size(); i++) {
      records[i].run_id = std::to_string(i);
      records[i].started_utc_ns = begun_ns.empty() ? static_cast<int64_t>(i + 1) : begun_ns[i];
      records[i].campaign->campaign = id;
      EXPECT_TRUE(into->add(records[i], {}));
    }
    EXPECT_TRUE(into->commit());
    return id;
  }
  // All of its runs are made.
  int64_t keep_sizes() const {
    const auto campaign = parse_campaign(
        R"({"version": 1, "name": "sizes", "base": {}, "repeats": 250,
            "axes": [{"name": "messages", "field": "senders.messages", "values": [1, 2, 3, 4]}]})");
    std::vector<record::RunRecord> records;
    for (uint32_t point = 1; point <= kPoints; point++)
      for (uint32_t repeat = 1; repeat <= kRepeats; repeat++) records.push_back(test::result(point, repeat));
    return keep(campaign.value(), std::move(records));
  }

  static Campaign one_point() {
    return parse_campaign(R"({"version": 1, "name": "one", "base": {},
      "axes": [{"name": "messages", "field": "senders.messages", "values": [1]}]})")
        .value();
  }

  n2nq::test::TempDir dir;
  std::string path = dir / "results.sqlite";
  std::unique_ptr<store::ResultStore> store;
};

TEST_F(CampaignDeskTest, ThisThreadReadsNoRecords) {
  const int64_t id = keep_sizes();
  store::test::StoreWatch watch;
  const auto watched = store::ResultStore::open(path).value();
  CampaignDesk desk({}, *watched, path.substr(0, path.rfind('/')));
  QSignalSpy begun(&desk, &CampaignDesk::begun), finished(&desk, &CampaignDesk::finished);
  watch.start_anew();
  ASSERT_TRUE(desk.resume(id));
  EXPECT_TRUE(desk.reading());
  EXPECT_EQ(desk.run(), nullptr);
  ASSERT_TRUE(begun.wait(60'000));
  EXPECT_FALSE(desk.reading());
  EXPECT_EQ(desk.run()->records().size(), size_t{kPoints} * kRepeats);
  EXPECT_EQ(desk.run()->ledger().done(), size_t{kPoints} * kRepeats);
  ASSERT_TRUE(finished.count() == 1 || finished.wait(60'000));
  EXPECT_EQ(desk.run()->end_text(), "all 1000 runs completed");
  EXPECT_GE(watch.statements(), int64_t{kPoints} * kRepeats) << "somebody reads them";
  EXPECT_LE(watch.statements_of_this_thread(), 20) << "to open the store, and to write how it ended";
}

TEST_F(CampaignDeskTest, OneThatIsMadeElsewhereIsRefused) {
  const int64_t id = keep_sizes();
  const auto lock = CampaignLock::take(path, id);
  ASSERT_TRUE(lock);
  CampaignDesk desk({}, *store, path.substr(0, path.rfind('/')));
  QSignalSpy refused(&desk, &CampaignDesk::refused), finished(&desk, &CampaignDesk::finished);
  ASSERT_TRUE(desk.resume(id));
  EXPECT_FALSE(desk.resume(id)) << "one at a time";
  ASSERT_TRUE(refused.wait(60'000));
  EXPECT_THAT(refused.front().front().toString().toStdString(), HasSubstr("is being run by another bench"));
  EXPECT_EQ(finished.count(), 1);
  EXPECT_FALSE(desk.active());
  EXPECT_EQ(desk.run(), nullptr);
}

// What a bench has begun to start holds its files until it is another program, also where the bench is killed
// meanwhile.
TEST_F(CampaignDeskTest, OneWhoseBenchWasKilledAMomentAgoIsTakenUp) {
  Fd held(::open((path + ".campaign-1").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::flock(held.get(), LOCK_EX | LOCK_NB), 0);
  const std::jthread starts([&held] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // nothing tells that somebody waits for a lock
    held.reset();
  });
  EXPECT_TRUE(CampaignLock::take(path, 1));
}

TEST_F(CampaignDeskTest, OneThatWasDeletedIsRefused) {
  const int64_t id = keep_sizes();
  ASSERT_EQ(remove_campaign(path, id), size_t{kPoints} * kRepeats);
  EXPECT_TRUE(CampaignLock::take(path, id)) << "nobody holds it";
  CampaignDesk desk({}, *store, path.substr(0, path.rfind('/')));
  QSignalSpy refused(&desk, &CampaignDesk::refused);
  ASSERT_TRUE(desk.resume(id));
  ASSERT_TRUE(refused.wait(60'000));
  EXPECT_THAT(refused.front().front().toString().toStdString(), HasSubstr("campaign 1 was deleted"));
}

// Between being found and being locked.
TEST_F(CampaignDeskTest, OneThatIsDeletedWhileItIsTakenUpIsRefused) {
  run::SessionOptions options;
  Result<uint64_t> removed = fail("not asked for");
  options.at_step = [&](const char* step) {
    if (std::string(step) == "campaign noted") removed = remove_campaign(path, 1);
  };
  auto campaigns = store::CampaignStore::open(path).value();
  const auto taken = take_up(one_point(), path, *campaigns, options);
  EXPECT_EQ(removed, 0u);
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().text, HasSubstr("campaign 1 was deleted"));
}

TEST_F(CampaignDeskTest, OneThatIsBeingMadeIsNotDeleted) {
  const int64_t id = keep_sizes();
  CampaignBin bin(path);
  QSignalSpy removed(&bin, &CampaignBin::removed), refused(&bin, &CampaignBin::not_removed);
  {
    const auto lock = CampaignLock::take(path, id);
    bin.remove(id);
    ASSERT_TRUE(refused.wait(60'000));
  }
  EXPECT_THAT(refused.front()[1].toString().toStdString(),
              HasSubstr("campaign 1 is being run by another bench; wait for it, or stop it there"));
  EXPECT_EQ(store::CampaignStore::open(path).value()->find(id)->results, size_t{kPoints} * kRepeats);
  bin.remove(id);
  ASSERT_TRUE(removed.wait(60'000));
}

TEST_F(CampaignDeskTest, DeletingAndBringingBackIsNotOfThisThreadAndEachIsDone) {
  const int64_t id = keep_sizes();
  const int64_t other = keep(one_point(), {});
  CampaignBin bin(path);
  QSignalSpy removed(&bin, &CampaignBin::removed), restored(&bin, &CampaignBin::restored),
      refused(&bin, &CampaignBin::not_restored);
  store::test::StoreWatch watch;
  watch.start_anew();
  bin.remove(id);
  bin.remove(other);
  bin.restore(id);
  bin.restore(99);
  ASSERT_TRUE(refused.wait(60'000));
  ASSERT_EQ(removed.count(), 2);
  EXPECT_EQ(removed[0][0].toLongLong(), id);
  EXPECT_EQ(removed[0][1].toULongLong(), quint64{kPoints} * kRepeats);
  EXPECT_EQ(removed[1][0].toLongLong(), other);
  ASSERT_EQ(restored.count(), 1);
  EXPECT_EQ(refused[0][2].value<store::Presence>(), store::Presence::gone);
  EXPECT_GT(watch.statements(), 0);
  EXPECT_EQ(watch.statements_of_this_thread(), 0);
  EXPECT_EQ(store->list()->rows.size(), size_t{kPoints} * kRepeats);
}

// The window may close before its turn has come.
TEST_F(CampaignDeskTest, WhatIsToBeBroughtBackIsThoughNobodyWaitsForIt) {
  const int64_t id = keep_sizes();
  const int64_t other = keep(one_point(), {});
  {
    CampaignBin bin(path);
    bin.remove(id);
    bin.remove(other);
    bin.restore(id);
  }
  const auto campaigns = store::CampaignStore::open(path).value();
  EXPECT_EQ(*campaigns->presence(id), store::Presence::listed);
  EXPECT_EQ(*campaigns->presence(other), store::Presence::deleted);
}

// The window shows the last one until it is not in the store any more.
TEST_F(CampaignDeskTest, TheLastOneIsForgottenWhenItIsOver) {
  const int64_t id = keep_sizes();
  CampaignDesk desk({}, *store, path.substr(0, path.rfind('/')));
  QSignalSpy begun(&desk, &CampaignDesk::begun), finished(&desk, &CampaignDesk::finished);
  ASSERT_TRUE(desk.resume(id));
  ASSERT_TRUE(begun.wait(60'000));
  desk.forget(id);
  EXPECT_NE(desk.run(), nullptr) << "it is being made";
  ASSERT_TRUE(finished.count() == 1 || finished.wait(60'000));
  desk.forget(id + 1);
  EXPECT_NE(desk.run(), nullptr) << "another one";
  desk.forget(id);
  EXPECT_EQ(desk.run(), nullptr);
}

// This thread is the window's: it does not wait until the other program has written.
TEST_F(CampaignDeskTest, TheEndIsSavedOnceAnotherProgramHasWritten) {
  const int64_t id = keep_sizes();
  CampaignDesk desk({}, *store, path.substr(0, path.rfind('/')));
  QSignalSpy finished(&desk, &CampaignDesk::finished), noted(&desk, &CampaignDesk::noted);
  auto other = store::Connection::open(path, store::Access::read_write, std::chrono::seconds(1)).value();
  QObject::connect(&desk, &CampaignDesk::begun, &desk, [&] {
    ASSERT_TRUE(other.run("BEGIN IMMEDIATE"));
    QTimer::singleShot(300, [&] { ASSERT_TRUE(other.run("COMMIT")); });
  });
  ASSERT_TRUE(desk.resume(id));
  ASSERT_TRUE(finished.wait(60'000));
  EXPECT_EQ(noted.count(), 0);
  EXPECT_EQ(store::CampaignStore::open(path).value()->find(id)->end_text, "all 1000 runs completed");
}

TEST_F(CampaignDeskTest, ALookAtOneThatWasDeletedSaysSo) {
  const int64_t id = keep_sizes();
  ASSERT_TRUE(remove_campaign(path, id));
  CampaignReader reader(path, path.substr(0, path.rfind('/')));
  QSignalSpy gone(&reader, &CampaignReader::gone), trouble(&reader, &CampaignReader::trouble);
  reader.look(id);
  ASSERT_TRUE(gone.wait(60'000));
  EXPECT_EQ(gone.front().front().toLongLong(), id);
  EXPECT_EQ(trouble.count(), 0);
}

TEST_F(CampaignDeskTest, StoppedWhileItIsReadItIsNotBegun) {
  const int64_t id = keep_sizes();
  CampaignDesk desk({}, *store, path.substr(0, path.rfind('/')));
  QSignalSpy refused(&desk, &CampaignDesk::refused);
  ASSERT_TRUE(desk.resume(id));
  EXPECT_FALSE(desk.stopping());
  desk.stop();
  EXPECT_TRUE(desk.stopping());
  ASSERT_TRUE(refused.wait(60'000));
  EXPECT_THAT(refused.front().front().toString().toStdString(), HasSubstr("stopped by the user"));
  EXPECT_FALSE(desk.active());
  EXPECT_TRUE(CampaignLock::take(path, id)) << "others may make it";
}

// One that goes on long after its last run: the times that passed are said, not made up for.
TEST_F(CampaignDeskTest, ARunWaitsForItsStartTimeAndMissedOnesAreSaid) {
  Campaign campaign = one_point();
  campaign.repeats = 3;
  campaign.every = parse_start_times("10min").value();
  const int64_t id = keep(campaign, {test::result(1, 1)});
  const auto list = store->list();
  ASSERT_TRUE(list);
  const int64_t begun_ns = list->rows.front().started_utc_ns;
  std::atomic<int64_t> now_ns = next_start(*campaign.every, begun_ns) + 1'500'000'000'000;
  std::atomic<int> begun_runs = 0;
  const std::string folder = path.substr(0, path.rfind('/'));
  run::SessionOptions options{
      .runs_folder = folder, .begun_folder = folder, .wall_clock = [&now_ns] { return now_ns.load(); }};
  options.at_step = [&](const char* step) { begun_runs += std::string(step) == "run begins" ? 1 : 0; };
  CampaignDesk desk(options, *store, folder);
  QSignalSpy noted(&desk, &CampaignDesk::noted), finished(&desk, &CampaignDesk::finished);
  ASSERT_TRUE(desk.resume(id));
  ASSERT_TRUE(noted.wait(60'000));
  EXPECT_THAT(noted.front()[1].toString().toStdString(),
              HasSubstr("3 start times were missed; the next run starts at"));
  EXPECT_EQ(desk.run()->state(), CampaignRun::State::pausing);
  EXPECT_EQ(desk.run()->missed_starts(), 3u);
  const int64_t next_ns = desk.run()->next_start_utc_ns().value();
  EXPECT_EQ(next_ns, next_start(*campaign.every, now_ns));
  EXPECT_EQ(progress_line(*desk.run()),
            "1 of 3 runs, 3 start times were missed: the next run starts at " + start_text(next_ns, now_ns));
  EXPECT_EQ(begun_runs, 0);
  now_ns = next_ns + 20'000'000'000;  // the computer slept
  ASSERT_TRUE(noted.wait(60'000));
  EXPECT_EQ(desk.run()->missed_starts(), 4u);
  EXPECT_EQ(begun_runs, 0) << "it is too late for that one";
  now_ns = *desk.run()->next_start_utc_ns();
  QSignalSpy changed(&desk, &CampaignDesk::changed);
  while (begun_runs == 0) ASSERT_TRUE(changed.wait(60'000));
  EXPECT_FALSE(desk.run()->next_start_utc_ns());
  EXPECT_EQ(desk.run()->missed_starts(), 4u) << "they are not forgotten while it goes on";
  desk.stop();
  ASSERT_TRUE(finished.count() > 0 || finished.wait(60'000));
}

TEST_F(CampaignDeskTest, TheFirstRunOfARoundWaitsForItsStartTimeAndTheOthersDoNot) {
  Campaign campaign = one_point();
  campaign.axes = {{.name = "kind", .values = {{.label = "a", .set = {}}, {.label = "b", .set = {}}}}};
  campaign.order = Order::interleaved;
  campaign.repeats = 2;
  campaign.every = parse_start_times("1h in rounds").value();
  const std::string folder = path.substr(0, path.rfind('/'));
  for (const bool whole : {false, true}) {
    SCOPED_TRACE(whole);
    campaign.name += whole ? " whole" : " half";
    std::vector<record::RunRecord> made{test::result(1, 1)};
    if (whole) made.push_back(test::result(2, 1));
    const int64_t id = keep(campaign, made);
    std::atomic<int> begun_runs = 0;
    run::SessionOptions options{
        .runs_folder = folder, .begun_folder = folder, .wall_clock = [] { return int64_t{1'800'000'000'000'000'000}; }};
    options.at_step = [&](const char* step) { begun_runs += std::string(step) == "run begins" ? 1 : 0; };
    CampaignDesk desk(options, *store, folder);
    QSignalSpy changed(&desk, &CampaignDesk::changed), finished(&desk, &CampaignDesk::finished);
    ASSERT_TRUE(desk.resume(id));
    while (begun_runs == 0 && !(desk.run() != nullptr && desk.run()->next_start_utc_ns()))
      ASSERT_TRUE(changed.wait(60'000));
    EXPECT_EQ(begun_runs, whole ? 0 : 1);
    desk.stop();
    ASSERT_TRUE(finished.count() > 0 || finished.wait(60'000));
  }
}

// The second run of the first round began behind the next start: that one is missed, whoever began when.
TEST_F(CampaignDeskTest, StartTimesThatPassDuringARoundAreMissed) {
  Campaign campaign = one_point();
  campaign.axes = {{.name = "kind", .values = {{.label = "a", .set = {}}, {.label = "b", .set = {}}}}};
  campaign.order = Order::interleaved;
  campaign.repeats = 3;
  campaign.every = parse_start_times("1min in rounds").value();
  const int64_t first_ns = next_start(*campaign.every, 1'800'000'000'000'000'000), minute_ns = 60'000'000'000;
  const int64_t id =
      keep(campaign, {test::result(1, 1), test::result(2, 1)}, {first_ns, first_ns + minute_ns + 10'000'000'000});
  const int64_t now = first_ns + minute_ns + 20'000'000'000;
  const std::string folder = path.substr(0, path.rfind('/'));
  run::SessionOptions options{.runs_folder = folder, .begun_folder = folder, .wall_clock = [now] { return now; }};
  CampaignDesk desk(options, *store, folder);
  QSignalSpy changed(&desk, &CampaignDesk::changed), finished(&desk, &CampaignDesk::finished);
  ASSERT_TRUE(desk.resume(id));
  while (!(desk.run() != nullptr && desk.run()->next_start_utc_ns())) ASSERT_TRUE(changed.wait(60'000));
  EXPECT_EQ(desk.run()->next_start_utc_ns(), first_ns + 2 * minute_ns);
  EXPECT_EQ(desk.run()->missed_starts(), 1u);
  desk.stop();
  ASSERT_TRUE(finished.count() > 0 || finished.wait(60'000));
}

// What breaks a limit need not have passed.
TEST_F(CampaignDeskTest, TheListCountsTheRunsOfASearchByWhatTheyTold) {
  Campaign campaign = test::rate_search();
  campaign.search->limits = {"lost = 0"};
  Search search(campaign);
  std::vector<record::RunRecord> records;
  size_t lossy = 0;
  while (search.next()) {
    record::RunRecord record = test::next_run(search, 1'000);
    if (*record.latencies[Latency::latency].p99 > 5'000'000) {
      record.verdict = Verdict::failed;
      record.reason = "deliveries were lost";
      record.totals.lost = 3;
      lossy++;
    }
    search.take(record);
    records.push_back(record);
  }
  ASSERT_GT(lossy, 0u);
  keep(campaign, records);
  CampaignReader reader(path, path.substr(0, path.rfind('/')));
  QSignalSpy listed(&reader, &CampaignReader::listed);
  reader.list();
  ASSERT_TRUE(listed.wait(60'000));
  const auto all = listed.front().front().value<std::vector<ListedCampaign>>();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all.front().search);
  EXPECT_EQ(all.front().done, records.size());
  EXPECT_FALSE(all.front().runs) << "how many it takes turns out";
}

}  // namespace
}  // namespace n2nq::campaign
