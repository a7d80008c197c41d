#include "app/journal/interval_log.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/journal/journal_writer.h"
#include "app/record/run_folder.h"
#include "tests/helpers/temp_dir.h"
#include "tests/unit/app/journal/live_run.h"
#include "tests/unit/app/record/example_record.h"
#include "workers/measure/hlog.h"

namespace n2nq::journal {
namespace {

using record::test::read_file;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

measure::Histogram of(std::initializer_list<std::pair<int64_t, int>> values) {
  measure::Histogram histogram;
  for (const auto& [ns, count] : values)
    for (int i = 0; i < count; i++) histogram.record(ns);
  return histogram;
}

// The messages of a second of LiveRun.
measure::Histogram second_of(int64_t latency_ns) {
  measure::Histogram histogram;
  for (int i = 0; i < 200; i++) histogram.record(latency_ns + i);
  return histogram;
}

struct IntervalLog : testing::Test {
  n2nq::test::TempDir dir;
  test::LiveRun run;
  std::unique_ptr<Journal> journal;

  // A run of some seconds, each with its own latency.
  record::RunRecord run_with(std::initializer_list<int64_t> latencies_ns) {
    record::RunRecord record;
    record.folder = dir.path().string();
    record.began_utc_ns = 1'700'000'000'000'000'000;
    record.plan.name = "mine";
    JournalWriter writer([&] { return Journal::create(record); }, [](const std::string&) {});
    for (const int64_t latency_ns : latencies_ns) {
      run.step(latency_ns);
      writer.put(run.figures, {}, {});
    }
    journal = std::move(writer.finish().journal);
    record.ended_utc_ns = *record.began_utc_ns + run.seconds * kSecond;
    record.histograms = {record::to_record("latency_ns", run.figures.histogram(Latency::latency))};
    return record;
  }
  std::string path() const { return (dir / record::kIntervalLogName).string(); }
  std::string journal_path() const { return (dir / record::kJournalName).string(); }
  // Without the header.
  std::vector<std::string> lines() const {
    std::vector<std::string> found;
    std::ifstream file(path());
    for (std::string line; std::getline(file, line);)
      if (!line.starts_with('#') && !line.starts_with('"')) found.push_back(line);
    return found;
  }
};

TEST_F(IntervalLog, HasALineForEachSecondOfARun) {
  record::RunRecord record = run_with({80'000, 90'000, 80'000});
  add_interval_log(record);
  EXPECT_THAT(record.notes, IsEmpty());
  EXPECT_THAT(read_file(path()), HasSubstr("#[BaseTime: 1700000000.000 (seconds since epoch)]"));
  const auto found = lines();
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(found[0], StartsWith("0.000,1.000,0.080"));
  EXPECT_THAT(found[1], StartsWith("1.000,1.000,0.090"));
  EXPECT_THAT(found[1], testing::EndsWith("," + measure::encode_histogram(second_of(90'000))));
  EXPECT_THAT(found[2], testing::EndsWith("," + measure::encode_histogram(second_of(80'000))));
}

TEST_F(IntervalLog, HasWhatCameAfterTheLastSecondThatTheJournalTold) {
  record::RunRecord record = run_with({80'000, 90'000});
  measure::Histogram all = of({{90'000, 3}});
  all.merge(run.figures.histogram(Latency::latency));
  record.histograms = {record::to_record("latency_ns", all)};
  record.ended_utc_ns += 500'000'000;
  add_interval_log(record);
  const auto found = lines();
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(found[2], StartsWith("2.000,0.500,"));
  EXPECT_THAT(found[2], testing::EndsWith("," + measure::encode_histogram(of({{90'000, 3}}))));
}

TEST_F(IntervalLog, HasLatenciesFromTheScheduleUnderATag) {
  record::RunRecord record = run_with({80'000});
  record.histograms.push_back(record::to_record("scheduled_latency_ns", of({{95'000, 4}})));
  add_interval_log(record);
  const auto found = lines();
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found.back(), StartsWith("Tag=scheduled,"));
  EXPECT_THAT(found.back(), testing::EndsWith("," + measure::encode_histogram(of({{95'000, 4}}))));
}

TEST_F(IntervalLog, HasTurnaroundsThoughTheRepliersLeftNoFigures) {
  record::RunRecord record = run_with({80'000});
  record.plan.queue.mode = plan::Mode::request_reply;
  record.histograms = {record::to_record("turnaround_ns", of({{95'000, 4}}))};
  add_interval_log(record);
  ASSERT_FALSE(lines().empty());
  EXPECT_THAT(lines().back(), StartsWith("Tag=turnaround,"));
  EXPECT_EQ(find_interval_log(record).value_or(""), path());
}

TEST_F(IntervalLog, HasPublishLatencyUnderItsOwnTag) {
  record::RunRecord record = run_with({80'000});
  record.histograms.push_back(record::to_record("publish_ns", of({{95'000, 4}})));
  add_interval_log(record);
  ASSERT_FALSE(lines().empty());
  EXPECT_THAT(lines().back(), StartsWith("Tag=publish,"));
}

TEST_F(IntervalLog, OfARunWithoutAJournalIsOneLine) {
  record::RunRecord record = run_with({80'000, 90'000});
  journal->done();
  add_interval_log(record);
  ASSERT_THAT(lines(), SizeIs(1));
  EXPECT_THAT(lines()[0], StartsWith("0.000,2.000,0.090"));
}

// Clocks that are not known may be hours apart.
TEST_F(IntervalLog, HasLatenciesBeyondAnHourEitherWay) {
  constexpr int64_t kTwoHours = 7'200'000'000'000;
  record::RunRecord record = run_with({80'000});
  journal->done();
  for (const int64_t latency_ns : {kTwoHours, -kTwoHours}) {
    const measure::Histogram all = of({{latency_ns, 3}});
    record.histograms = {record::to_record("latency_ns", all)};
    add_interval_log(record);
    EXPECT_THAT(record.notes, IsEmpty());
    const auto sign = latency_ns < 0 ? measure::Sign::negative : measure::Sign::positive;
    ASSERT_FALSE(lines().empty());
    EXPECT_THAT(lines().back(), testing::EndsWith("," + measure::encode_histogram(all, sign)));
  }
}

TEST_F(IntervalLog, PassesOverDamageInTheJournal) {
  record::RunRecord record = run_with({80'000});
  std::ofstream(journal_path(), std::ios::app) << "{\"since_begin_ns\": 9223372036854775807, \"histograms\": []}\n"
                                               << "{\"histograms\": [{\"name\": 7}]}\nnonsense\n";
  record.ended_utc_ns = INT64_MAX;
  *record.began_utc_ns = INT64_MIN;
  measure::Histogram all = of({{90'000, 3}});
  all.merge(run.figures.histogram(Latency::latency));
  record.histograms = {record::to_record("latency_ns", all)};
  add_interval_log(record);
  EXPECT_THAT(record.notes, IsEmpty());
  ASSERT_THAT(lines(), SizeIs(2));
  EXPECT_THAT(lines()[1], testing::EndsWith("," + measure::encode_histogram(of({{90'000, 3}}))));
}

TEST_F(IntervalLog, ThatCannotBeWrittenIsANoteAndNoHalfFile) {
  record::RunRecord record = run_with({80'000});
  std::filesystem::create_directory(path());
  add_interval_log(record);
  ASSERT_THAT(record.notes, SizeIs(1));
  EXPECT_THAT(record.notes[0].text, HasSubstr("no HdrHistogram log: cannot write"));
  EXPECT_FALSE(find_interval_log(record));
}

TEST_F(IntervalLog, IsAFileOfTheRunAndThereOnlyWithLatencies) {
  record::RunRecord record = run_with({80'000});
  EXPECT_THAT(find_interval_log(record).error().text, HasSubstr("has no HdrHistogram log among its files"));
  add_interval_log(record);
  EXPECT_EQ(find_interval_log(record).value_or(""), path());
  EXPECT_TRUE(record::is_run_file(record::kIntervalLogName)) << "it goes with the run's folder, and with its archive";
  record.histograms.clear();
  EXPECT_THAT(find_interval_log(record).error().text, HasSubstr("no messages were received"));
  record.plan.queue.mode = plan::Mode::request_reply;
  EXPECT_THAT(find_interval_log(record).error().text, HasSubstr("no request was received or answered"));
  std::filesystem::remove(path());
  add_interval_log(record);
  EXPECT_FALSE(std::filesystem::exists(path()));
}

}  // namespace
}  // namespace n2nq::journal
