#include "app/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

#include "app/journal/journal_lines.h"
#include "app/journal/recover.h"
#include "app/plan/filter_text.h"

#include "tests/helpers/file_size_limit.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/journal/live_run.h"
#include "tests/unit/app/journal/log_text.h"
#include "tests/unit/app/record/example_record.h"

namespace n2nq::journal {
namespace {

using log::LogRole;
using record::test::read_file;
using record::test::write_file;
using test::LiveRun;
using test::LogText;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int64_t kStart = 1'772'357'400'000'000'000;

struct JournalTest : testing::Test {
  n2nq::test::TempDir runs;
  std::filesystem::path folder = runs / "one";
  std::filesystem::path path = folder / "journal.jsonl";
  LiveRun run;
  std::vector<record::RunNote> notes;
  record::RunRecord so_far = start();
  Told told;

  JournalTest() { std::filesystem::create_directory(folder); }
  record::RunRecord start() const {
    record::RunRecord record;
    record.run_id = "c0ffee";
    record.plan.name = "cut";
    record.plan.senders.fleet.count = 2;
    record.plan.receivers.fleet.count = 1;
    record.started_utc_ns = kStart;
    record.totals.planned = 1000;
    record.folder = folder.string();
    record.machine_json = "{}";
    record.processes = {{.name = "senders 1-2", .role = Role::sender, .first_service = 1, .services = 2},
                        {.name = "receiver 1", .role = Role::receiver, .first_service = 1, .services = 1}};
    return record;
  }
  std::unique_ptr<Journal> created() {
    auto journal = Journal::create(start());
    if (!journal) ADD_FAILURE() << journal.error().text;
    return journal ? std::move(*journal) : nullptr;
  }
  Result<void> append(Journal& journal, const live::LiveFigures& figures,
                      const std::vector<record::RunNote>& told_notes) {
    Told next = told;
    auto written = journal.append(next_journal_line(figures, told_notes, so_far, next));
    if (written) told = std::move(next);
    return written;
  }
  // A bench that dies after so many seconds.
  void bench_dies_after(int seconds) {
    const auto journal = created();
    for (int i = 0; i < seconds; i++) {
      run.step();
      ASSERT_TRUE(append(*journal, run.figures, notes));
    }
  }
  void fill_disk() const {
    std::ofstream rest(folder / "other", std::ios::binary);
    const std::string block(4096, 'x');
    while (rest << block << std::flush) {
    }
  }
  record::RunRecord recovered() {
    auto record = recover(folder.string());
    if (!record) ADD_FAILURE() << record.error().text;
    return record.value_or(record::RunRecord{});
  }
  std::string recover_error() {
    const auto record = recover(folder.string());
    return record ? std::string("no error") : record.error().text;
  }
};

TEST_F(JournalTest, GivesBackWhatTheBenchKnewWhenItDied) {
  bench_dies_after(12);
  const record::RunRecord record = recovered();
  EXPECT_EQ(record.verdict, record::Verdict::cut_off);
  EXPECT_EQ(record.reason, "the bench ended 12 s after BEGIN; figures up to then");
  EXPECT_EQ(record.plan, start().plan);
  EXPECT_EQ(record.run_id, "c0ffee");
  EXPECT_EQ(record.started_utc_ns, kStart);
  EXPECT_EQ(record.folder, folder.string());
  EXPECT_EQ(record.totals.planned, 1000u);
  EXPECT_EQ(record.totals.sent, 2400u);
  EXPECT_EQ(record.totals.received, 2400u);
  EXPECT_EQ(record.totals.bytes_sent, 120'000u);
  EXPECT_FALSE(record.totals.lost) << "nobody knows";
  ASSERT_TRUE(record.began_utc_ns);
  EXPECT_GT(record.ended_utc_ns, *record.began_utc_ns);
  ASSERT_EQ(record.services.size(), 3u);
  EXPECT_EQ(record.services[1].number, 2u);
  EXPECT_EQ(record.services[1].count, 1200);
  ASSERT_EQ(record.processes.size(), 2u);
  EXPECT_EQ(record.processes[0].name, "senders 1-2");
  EXPECT_TRUE(record::is_at_least(record, Role::sender)) << "it may have sent more that nobody heard of";
}

TEST_F(JournalTest, CountsAsAcceptedWhatWasReceived) {
  run.step();
  control::Telemetry sent{.role = Role::sender, .time_ns = 2 * kSecond};
  sent.totals = {{.count = 700, .bytes = 35'000, .accepted = 450}};
  run.figures.take(run.senders, sent);
  control::Telemetry received{.role = Role::receiver, .time_ns = 2 * kSecond};
  received.services.push_back({{.count = 690, .bytes = 34'500}, /*service=*/1, control::kRunning});
  received.totals = {{.count = 690, .bytes = 34'500}};
  run.figures.take(run.receivers, received);
  {
    const auto journal = created();
    ASSERT_TRUE(append(*journal, run.figures, notes));
  }
  const record::RunRecord record = recovered();
  EXPECT_EQ(record.totals.received, 690u);
  EXPECT_EQ(record.totals.accepted, 690u) << "though the senders had heard of 450 only";
  EXPECT_EQ(record.totals.sent, 700u);
}

TEST_F(JournalTest, GivesBackWhatWasAskedForWhen) {
  const auto journal = created();
  for (const char* filters : {"all:senders=1", "1:senders=self / 2:index=1..9", ""}) {
    so_far.requests.push_back({.since_begin_ns = static_cast<int64_t>(so_far.requests.size()) + 5, .filters = filters});
    run.step();
    ASSERT_TRUE(append(*journal, run.figures, notes));
  }
  run.step();
  ASSERT_TRUE(append(*journal, run.figures, notes));
  EXPECT_EQ(recovered().requests, so_far.requests);
}

TEST_F(JournalTest, GivesBackThePlanWithTheFiltersThatWereRequestedSinceItsFirstLine) {
  so_far.plan.queue.requests.on = true;
  auto journal = Journal::create(so_far);
  ASSERT_TRUE(journal) << journal.error().text;
  for (const char* filters : {"all:senders=1", "1:senders=self", "1:senders=self"}) {
    so_far.plan.queue.requests.filters = *plan::parse_filters(filters);
    ASSERT_TRUE(append(**journal, run.figures, notes));
  }
  EXPECT_EQ(recovered().plan, so_far.plan);
  so_far.plan.queue.requests.filters.clear();
  ASSERT_TRUE(append(**journal, run.figures, notes));
  EXPECT_EQ(recovered().plan, so_far.plan);
}

TEST_F(JournalTest, GivesBackWhatProcessesSaidOfTheBusAfterItsFirstLine) {
  const auto journal = created();
  ASSERT_TRUE(append(*journal, run.figures, notes));
  so_far.server = "redis-server 7.0.15";
  so_far.bus_client = "n2nq 0.1.0";
  so_far.processes[0].nodelay = true;
  so_far.processes[0].send_buffer_bytes = 4096;
  so_far.processes[0].receive_buffer_bytes = 8192;
  so_far.processes[0].congestion = "bbr";
  for (int i = 0; i < 2; i++) ASSERT_TRUE(append(*journal, run.figures, notes));
  const record::RunRecord record = recovered();
  EXPECT_EQ(record.server, "redis-server 7.0.15");
  EXPECT_EQ(record.bus_client, "n2nq 0.1.0");
  EXPECT_EQ(record.processes[0].nodelay, true);
  EXPECT_EQ(record.processes[0].send_buffer_bytes, 4096u);
  EXPECT_EQ(record.processes[0].receive_buffer_bytes, 8192u);
  EXPECT_EQ(record.processes[0].congestion, "bbr");
  EXPECT_EQ(record.processes[1].nodelay, std::nullopt);
}

TEST_F(JournalTest, GivesBackTheRunIdThatTheQueueSaidAfterItsFirstLine) {
  record::RunRecord before = start();
  before.run_id.clear();
  auto journal = Journal::create(before);
  ASSERT_TRUE(journal) << journal.error().text;
  for (int i = 0; i < 2; i++) ASSERT_TRUE(append(**journal, run.figures, notes));
  EXPECT_EQ(recovered().run_id, "c0ffee");
}

TEST_F(JournalTest, GivesBackWhichProcessesThereWereAndWhereTheirFilesAre) {
  const auto journal = created();
  so_far.processes = {{.name = "queue", .role = Role::broker, .place = "vm1", .pid = 7, .log_dir = "/home/a/runs/x"},
                      {.name = "senders",
                       .role = Role::sender,
                       .place = "this computer",
                       .first_service = 1,
                       .services = 2,
                       .pid = 8,
                       .log_dir = folder.string()},
                      {.name = "receivers",
                       .role = Role::receiver,
                       .place = "vm2",
                       .first_service = 1,
                       .services = 1,
                       .pid = 9,
                       .log_dir = "/home/b/runs/x"}};
  for (int i = 0; i < 3; i++) {
    run.step();
    ASSERT_TRUE(append(*journal, run.figures, notes));
  }
  const record::RunRecord record = recovered();
  ASSERT_EQ(record.processes.size(), 3u);
  EXPECT_EQ(record.processes[0].name, "queue");
  EXPECT_EQ(record.processes[0].place, "vm1");
  EXPECT_EQ(record.processes[0].end, "unknown: the bench was gone first");
  EXPECT_EQ(record.processes[1].log_dir, folder.string());
  EXPECT_EQ(record.processes[2].place, "vm2");
  std::vector<std::string> said;
  for (const record::RunNote& note : record.notes)
    if (note.text.find("was not fetched") != std::string::npos) said.push_back(note.text);
  ASSERT_EQ(said.size(), 2u);
  EXPECT_THAT(said[0], AllOf(HasSubstr("on vm1"), HasSubstr("/home/a/runs/x")));
  EXPECT_THAT(said[1], AllOf(HasSubstr("on vm2"), HasSubstr("/home/b/runs/x")));
}

TEST_F(JournalTest, GivesBackOnWhichComputersItWas) {
  const auto journal = created();
  run.step();
  ASSERT_TRUE(append(*journal, run.figures, notes));
  so_far.machines = {{.place = "vm1", .facts = {.processor = "Z80", .cores = 4, .load_1_min = 0.5, .boot_id = "b"}},
                     {.place = "vm2", .facts = {}}};
  for (int i = 0; i < 3; i++) {
    run.step();
    ASSERT_TRUE(append(*journal, run.figures, notes));
  }
  EXPECT_EQ(recovered().machines, so_far.machines);
}

TEST_F(JournalTest, SaysFiltersOnlyWhenTheyHaveChanged) {
  so_far.plan.queue.requests.filters = *plan::parse_filters("1:senders=self");
  EXPECT_THAT(next_journal_line(run.figures, notes, so_far, told), HasSubstr(R"("filters":"1:senders=self")"));
  EXPECT_THAT(next_journal_line(run.figures, notes, so_far, told), testing::Not(HasSubstr("filters")));
}

TEST_F(JournalTest, TakesALineWithFiltersThatAreNoneForDamaged) {
  bench_dies_after(2);
  const std::string text = read_file(path);
  for (const char* filters : {"7", "\"nobody\"", "\"0:senders=1\""}) {
    Told anew;
    std::string line = next_journal_line(run.figures, notes, so_far, anew);
    line.replace(line.find(R"("filters":"")"), 12, std::string("\"filters\":") + filters);
    write_file(path, text + line);
    EXPECT_THAT(recover_readable(folder.string(), {}).value().damage, HasSubstr("damaged in line 4")) << filters;
  }
}

TEST_F(JournalTest, GivesBackServicesAsTheyWereOverTheRun) {
  bench_dies_after(12);
  for (const live::ServiceFigures& service : recovered().services)
    EXPECT_DOUBLE_EQ(service.rate_per_s, static_cast<double>(service.count) / 12);
}

TEST_F(JournalTest, GivesBackTheHistogramsExactly) {
  const auto journal = created();
  for (const int64_t latency_ns : {80'000, 80'000, 2'000'000, -700, 80'000}) {
    run.step(latency_ns);
    ASSERT_TRUE(append(*journal, run.figures, notes));
  }
  const record::RunRecord record = recovered();
  EXPECT_EQ(record.latencies[Latency::latency], measure::summarize(run.figures.histogram(Latency::latency)));
  const record::HistogramRecord* kept = record::find_histogram(record, Latency::latency);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->buckets, record::to_record("latency_ns", run.figures.histogram(Latency::latency)).buckets);
  EXPECT_EQ(record::find_histogram(record, Latency::delay), nullptr);
}

TEST_F(JournalTest, GivesBackTheSeriesWithoutLossesOrOverlaps) {
  bench_dies_after(12);
  double sent = 0;
  int64_t end_ns = 0;
  for (const live::SeriesPoint& point : recovered().series) {
    EXPECT_GE(point.start_ns, end_ns);
    end_ns = point.start_ns + point.width_ns;
    sent += point.sent;
  }
  EXPECT_NEAR(sent, 200.0 * static_cast<double>(end_ns) / kSecond, 1);
  EXPECT_GE(end_ns, 11 * kSecond);
}

TEST_F(JournalTest, KeepsTheSeriesWholeWhenItsSlotsGrow) {
  bench_dies_after(600);  // 100 ms slots become 400 ms ones on the way
  double received = 0;
  for (const live::SeriesPoint& point : recovered().series) received += point.received;
  EXPECT_NEAR(received, 120'000, 400);
}

TEST_F(JournalTest, GivesBackEachNoteOnce) {
  const auto journal = created();
  const auto note = [&](const std::string& text) {
    notes.push_back({.utc_ns = kStart + static_cast<int64_t>(notes.size()), .text = text});
  };
  note("started");
  ASSERT_TRUE(append(*journal, run.figures, notes));
  note("joined");
  note("begun");
  ASSERT_TRUE(append(*journal, run.figures, notes));
  notes.erase(notes.begin());
  ASSERT_TRUE(append(*journal, run.figures, notes));
  note("late");
  ASSERT_TRUE(append(*journal, run.figures, {notes.back()}));  // only what is new
  std::vector<std::string> texts;
  for (const record::RunNote& one : recovered().notes) texts.push_back(one.text);
  EXPECT_THAT(texts, ElementsAre("started", "joined", "begun", "late"));
}

TEST_F(JournalTest, GivesBackTheRecordOfARunThatIsOver) {
  record::RunRecord over = record::test::example_replies();
  over.folder = folder.string();
  for (int64_t i = 0; i < 1000; i++) over.notes.push_back({.utc_ns = i, .text = "note " + std::to_string(i)});
  {
    const auto journal = created();
    run.step();
    ASSERT_TRUE(append(*journal, run.figures, notes));
    ASSERT_TRUE(journal->finish(over));
  }
  write_file(folder / "sender-1.log", LogText(LogRole::sender).message(1, 1).text());
  EXPECT_EQ(record::test::difference(recovered(), over), "");
}

// Of a run on other hosts: once before their files are fetched, and once more with what they have added.
struct TwoEnds {
  record::RunRecord first = record::test::example_record("asked anew");
  record::RunRecord second;

  explicit TwoEnds(const std::string& folder) {
    first.folder = folder;
    first.processes = {{.name = "senders",
                        .role = Role::sender,
                        .place = "vm1",
                        .log_dir = "/home/a/runs/x",
                        .figures_from = "summary"}};
    second = first;
    second.totals.sent++;
    second.processes[0].log_dir = folder;
  }
};

TEST_F(JournalTest, SaysOfARunThatHasEndedThatItsFilesWereNotFetchedToTheEnd) {
  const TwoEnds ends(folder.string());
  ASSERT_TRUE(created()->finish(ends.first, Fetch::to_come));
  record::RunRecord found = recovered();
  ASSERT_FALSE(found.notes.empty());
  EXPECT_THAT(found.notes.back().text,
              AllOf(HasSubstr("on vm1"), HasSubstr("not fetched to the end"), HasSubstr("/home/a/runs/x")));
  found.notes.pop_back();
  EXPECT_EQ(record::test::difference(found, ends.first), "");
}

TEST_F(JournalTest, GivesBackTheRecordWithWhatWasFetched) {
  const TwoEnds ends(folder.string());
  const auto journal = created();
  ASSERT_TRUE(journal->finish(ends.first, Fetch::to_come));
  ASSERT_TRUE(journal->finish(ends.second));
  EXPECT_EQ(record::test::difference(recovered(), ends.second), "");
}

TEST_F(JournalTest, GivesBackTheFirstEndWhereTheSecondIsNotWhole) {
  const TwoEnds ends(folder.string());
  ASSERT_TRUE(created()->finish(ends.first, Fetch::to_come));
  const auto lines = final_journal_lines(ends.second);
  write_file(path, read_file(path) + lines[0] + lines[1]);
  const record::RunRecord found = recovered();
  EXPECT_EQ(found.totals, ends.first.totals);
  EXPECT_EQ(found.services, ends.first.services);
  EXPECT_EQ(found.notes.size(), ends.first.notes.size() + 1) << "and no figure is said to be older";
  EXPECT_THAT(found.notes.back().text, HasSubstr("not fetched to the end"));
}

TEST_F(JournalTest, GivesBackTheVerdictThoughTheDiskHadNoRoomForMore) {
  bench_dies_after(3);
  record::RunRecord over = start();
  over.verdict = record::Verdict::failed;
  over.reason = "the queue hangs";
  over.totals.received = 700;
  write_file(path, read_file(path) + final_journal_lines(over).front());
  const record::RunRecord record = recovered();
  EXPECT_EQ(record.verdict, record::Verdict::failed);
  EXPECT_EQ(record.reason, "the queue hangs");
  EXPECT_EQ(record.totals, over.totals);
  EXPECT_EQ(record.latencies[Latency::latency], measure::summarize(run.figures.histogram(Latency::latency)));
  EXPECT_EQ(record.services.size(), 3u);
  EXPECT_THAT(record.notes.back().text, HasSubstr("the disk had no space for all final figures"));
}

// The first end, before logs are fetched, takes nothing of the room that is kept for the one that counts.
TEST_F(JournalTest, KeepsRoomForTheVerdictOnAFullDiskAlsoAfterAFirstEnd) {
  bool possible = true;
  // A disk of its own, which only this thread sees.
  std::thread([&] {
    possible = ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
               ::mount("none", folder.c_str(), "tmpfs", 0, "size=1m") == 0;
    if (!possible) return;
    const auto journal = created();
    run.step();
    ASSERT_TRUE(append(*journal, run.figures, notes));
    fill_disk();
    for (bool full = false; !full;) {
      run.step();
      full = !append(*journal, run.figures, notes);
    }
    record::RunRecord over = start();
    over.verdict = record::Verdict::passed;
    over.reason = std::string(60'000, 'x');
    EXPECT_FALSE(journal->finish(over, Fetch::to_come));
    over.verdict = record::Verdict::failed;
    ASSERT_TRUE(journal->finish(over));
    EXPECT_EQ(recovered().verdict, record::Verdict::failed);
  }).join();
  if (!possible) GTEST_SKIP() << "no disk of its own here";
}

TEST_F(JournalTest, SaysThatNothingWasMeasuredBeforeBegin) {
  {
    const auto journal = created();
    ASSERT_TRUE(append(*journal, live::LiveFigures(2, 1), notes));
  }
  const record::RunRecord record = recovered();
  EXPECT_EQ(record.reason, "the bench ended before BEGIN; nothing was measured");
  EXPECT_FALSE(record.began_utc_ns);
}

TEST_F(JournalTest, IsEnoughWithItsFirstLine) {
  created();
  EXPECT_EQ(recovered().plan.name, "cut");
}

TEST_F(JournalTest, SaysInALineOnlyWhatIsNew) {
  const auto journal = created();
  run.step();
  ASSERT_TRUE(append(*journal, run.figures, notes));
  const auto first = std::filesystem::file_size(path);
  ASSERT_TRUE(append(*journal, run.figures, notes));
  const std::string line = read_file(path).substr(first);
  EXPECT_THAT(line, HasSubstr(R"("services":[])"));
  EXPECT_THAT(line, HasSubstr(R"("histograms":[])"));
  EXPECT_THAT(line, HasSubstr(R"("series":[])"));
}

TEST_F(JournalTest, WritesABoundedLineHoweverManyServicesThereAre) {
  live::LiveFigures many(20'000, 20'000);
  const auto journal = created();
  const auto before = std::filesystem::file_size(path);
  ASSERT_TRUE(append(*journal, many, notes));
  EXPECT_LT(std::filesystem::file_size(path) - before, 100'000u);
  for (int i = 0; i < 100; i++) ASSERT_TRUE(append(*journal, many, notes));
  EXPECT_EQ(recovered().services.size(), 40'000u) << "all get their turn";
}

TEST_F(JournalTest, IsNotFoundWhileItsBenchLives) {
  {
    const auto journal = created();
    EXPECT_THAT(find_cut_off(runs.path().string()), IsEmpty());
    EXPECT_FALSE(Journal::create(start()));
  }
  EXPECT_THAT(find_cut_off(runs.path().string()), ElementsAre(folder.string()));
}

// Other benches look at each journal when they start.
TEST_F(JournalTest, IsNeverTakenForOneOfABenchThatIsGoneWhileItIsMadeAndRemoved) {
  std::atomic<int> looks{0}, seen_as_cut_off{0};
  std::jthread other([&](const std::stop_token& stop) {
    for (; !stop.stop_requested(); looks++) seen_as_cut_off += is_cut_off(folder.string());
  });
  while (looks == 0) std::this_thread::yield();
  for (int i = 0; i < 500; i++) {
    const auto journal = Journal::create(start());
    ASSERT_TRUE(journal) << journal.error().text;
    journal.value()->done();
  }
  other.request_stop();
  other.join();
  EXPECT_EQ(seen_as_cut_off, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(JournalTest, CanBeHeldThoughOthersLookAtIt) {
  created();
  std::atomic<int> looks{0};
  const std::jthread other([&](const std::stop_token& stop) {
    for (; !stop.stop_requested(); looks++) (void)is_cut_off(folder.string());
  });
  while (looks == 0) std::this_thread::yield();
  for (int i = 0; i < 50; i++) EXPECT_TRUE(Journal::create(start())) << "in the place of the one before";
}

TEST_F(JournalTest, IsGoneWhenTheRunIsKept) {
  {
    const auto journal = created();
    journal->done();
  }
  EXPECT_THAT(find_cut_off(runs.path().string()), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(JournalTest, IsNotLookedForBehindLinks) {
  created();
  std::filesystem::create_directory(runs / "below");
  std::filesystem::rename(folder, runs / "below/one");
  std::filesystem::create_directory_symlink(runs / "below/one", runs / "link");
  EXPECT_THAT(find_cut_off(runs.path().string()), IsEmpty());
  EXPECT_THAT(find_cut_off((runs / "nowhere").string()), IsEmpty());
}

TEST_F(JournalTest, TellsOfAFullDiskAndGoesOnWhenThereIsRoom) {
  const auto journal = created();
  run.step();
  ASSERT_TRUE(append(*journal, run.figures, notes));
  {
    const n2nq::test::FileSizeLimit limit(std::filesystem::file_size(path) + 100);
    run.step();
    const auto first = append(*journal, run.figures, notes);
    ASSERT_FALSE(first);
    EXPECT_THAT(first.error().text, HasSubstr(path.string() + " cannot be written"));
    EXPECT_FALSE(append(*journal, run.figures, notes));
    EXPECT_EQ(recovered().totals.sent, 200u) << "no half line stays";
  }
  run.step(90'000);
  ASSERT_TRUE(append(*journal, run.figures, notes));
  EXPECT_EQ(recovered().totals.sent, 600u);
  EXPECT_EQ(recovered().latencies[Latency::latency], measure::summarize(run.figures.histogram(Latency::latency)))
      << "with what did not get in before";
}

TEST_F(JournalTest, SaysWhereItCannotBeMade) {
  record::RunRecord record = start();
  record.folder += "/nowhere";
  const auto journal = Journal::create(record);
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().text, HasSubstr(record.folder + "/journal.jsonl"));
}

TEST_F(JournalTest, CountsWhatTheLogsHaveBeyondIt) {
  bench_dies_after(1);
  LogText sender(LogRole::sender, kStart + 5), receiver(LogRole::receiver, kStart + 5);
  for (uint64_t i = 1; i <= 150; i++) sender.message(i, 1);
  for (uint64_t i = 1; i <= 240; i++) receiver.message(i, 1);
  receiver.message(240, 1, log::kLogDuplicate).message(239, 1, log::kLogAgain | log::kLogDuplicate);
  receiver.message(241, 1, log::kLogCorrupt).message(2, 2, log::kLogReordered);
  write_file(folder / "sender-1.log", sender.with_end(150));
  write_file(folder / "receiver-1.log", receiver.raw("243\t1\t7").text());
  const record::RunRecord record = recovered();
  EXPECT_EQ(record.totals.sent, 250u) << "150 by the log of the one, 100 by the journal for the other";
  EXPECT_EQ(record.totals.received, 241u);
  EXPECT_EQ(record.totals.duplicates, 1u);
  EXPECT_EQ(record.totals.redelivered, 1u);
  EXPECT_EQ(record.totals.corrupt, 1u);
  EXPECT_EQ(record.totals.reordered, 1u);
  EXPECT_EQ(record.began_utc_ns, kStart + 5);
}

TEST_F(JournalTest, TakesItsOwnWordWithoutFullLogs) {
  record::RunRecord record = start();
  record.plan.log = plan::LogLevel::summary;
  Journal::create(record).value();
  write_file(folder / "sender-1.log", LogText(LogRole::sender).message(1, 1).text());
  EXPECT_EQ(recovered().totals.sent, 0u);
}

TEST_F(JournalTest, PassesOverALastLineThatIsCut) {
  bench_dies_after(3);
  const std::string whole = read_file(path);
  const size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (const size_t left : {size_t{1}, size_t{2}, size_t{40}, whole.size() - last - 2}) {
    write_file(path, whole.substr(0, last + left));
    EXPECT_EQ(recovered().totals.sent, 400u) << left;
  }
}

TEST_F(JournalTest, IsNamedWhenItsFirstLineIsDamaged) {
  bench_dies_after(2);
  const std::string whole = read_file(path);
  const size_t second = whole.find('\n') + 1;
  for (const std::string& wrong : {std::string(), std::string("\n"), std::string("{}\n"), std::string("[1,2]\n"),
                                   "nonsense\n" + whole, whole.substr(0, 20), whole.substr(second)}) {
    write_file(path, wrong);
    EXPECT_THAT(recover_error(), HasSubstr(path.string() + " is damaged in line 1")) << wrong.substr(0, 200);
  }
}

TEST_F(JournalTest, IsReadUpToALineThatIsDamaged) {
  bench_dies_after(2);
  const std::string whole = read_file(path);
  const size_t second = whole.find('\n') + 1, third = whole.find('\n', second) + 1;
  const std::string deep(100'000, '[');
  for (const std::string& wrong : {std::string("{}\n"), deep + "\n", std::string("\0\n", 2)}) {
    write_file(path, whole.substr(0, third) + wrong + whole.substr(third));
    const auto found = recover_readable(folder.string(), {});
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->record);
    EXPECT_EQ(found->record->totals.sent, 200u);
    EXPECT_THAT(found->damage, HasSubstr(path.string() + " is damaged in line 3"));
  }
}

TEST_F(JournalTest, GivesBackTheEndOfTheRunThoughALineBeforeItIsDamaged) {
  bench_dies_after(2);
  record::RunRecord over = record::test::example_record();
  over.folder = folder.string();
  std::string text = read_file(path) + "nonsense\n";
  for (const std::string& line : final_journal_lines(over)) text += line;
  write_file(path, text);
  EXPECT_EQ(record::test::difference(recovered(), over), "");
}

TEST_F(JournalTest, IsNamedWhateverByteIsWrong) {
  bench_dies_after(2);
  const std::string whole = read_file(path);
  for (size_t i = 0; i < whole.size(); i += 7) {
    std::string wrong = whole;
    wrong[i] = static_cast<char>(wrong[i] ^ 0x15);
    write_file(path, wrong);
    EXPECT_THAT(recover_error(), testing::AnyOf("no error", HasSubstr(path.string())));
  }
}

TEST_F(JournalTest, IsReadUpToFiguresThatCannotBe) {
  bench_dies_after(1);
  const std::string whole = read_file(path);
  for (const auto& [from, to] :
       {std::pair("\"since_begin_ns\":1000000000", "\"since_begin_ns\":1e300"),
        std::pair("\"utc_ns\":", "\"utc_ns\":9"), std::pair("\"buckets\":[", "\"buckets\":[7,"),
        std::pair("\"buckets\":[", "\"buckets\":[99999999999,1,"), std::pair("\"sender\",2", "\"sender\",-2"),
        std::pair("\"moments\":[", "\"moments\":[0,"), std::pair("\"running\"", "\"flying\"")}) {
    std::string wrong = whole;
    const size_t at = wrong.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    wrong.replace(at, std::string_view(from).size(), to);
    write_file(path, wrong);
    const auto found = recover_readable(folder.string(), {});
    ASSERT_TRUE(found);
    EXPECT_THAT(found->damage, HasSubstr(path.string() + " is damaged in line 2")) << to;
    EXPECT_EQ(found->record->totals.sent, 0u) << "nothing of the damaged line";
  }
}

}  // namespace
}  // namespace n2nq::journal
