#include "app/campaign/points_csv.h"

#include <gmock/gmock.h>

#include <sstream>

namespace n2nq::campaign {
namespace {

using testing::ElementsAre;

// By the names in its head.
struct Table {
  explicit Table(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    while (std::getline(lines, line)) {
      std::vector<std::string> fields;
      std::istringstream parts(line.substr(0, line.size() - 1));
      for (std::string field; std::getline(parts, field, ',');) fields.push_back(field);
      head.empty() ? head = fields : (fields.resize(head.size()), rows.push_back(fields), fields);
    }
  }
  std::vector<std::string> column(const std::string& name) const {
    const auto found = std::ranges::find(head, name);
    EXPECT_NE(found, head.end()) << name;
    std::vector<std::string> cells;
    for (const auto& row : rows) cells.push_back(row[static_cast<size_t>(found - head.begin())]);
    return cells;
  }
  std::vector<std::string> head{};
  std::vector<std::vector<std::string>> rows{};
};

record::RunRecord run_of(uint32_t point, uint32_t repeat, int64_t p50_ns, record::Verdict verdict) {
  record::RunRecord run;
  run.id = 10 * point + repeat;
  run.verdict = verdict;
  run.campaign = record::CampaignPlace{.campaign = 1, .point = point, .repeat = repeat};
  run.latencies[Latency::latency].count = 1;
  run.latencies[Latency::latency].p50 = p50_ns;
  run.totals.lost = static_cast<uint64_t>(repeat);
  return run;
}

TEST(PointsCsv, HasEachPointWithTheMeanOfTheRunsThatCountAndEachRun) {
  const Campaign campaign{.axes = {{.name = "size",
                                    .values = {{.label = "50B", .set = {{"senders.size", "50B"}}},
                                               {.label = "1kB", .set = {{"senders.size", "1kB"}}}}}},
                          .repeats = 3};
  const auto points = points_of(campaign);
  const Table table(points_csv(campaign, *points,
                               {run_of(1, 1, 100, record::Verdict::passed), run_of(1, 2, 301, record::Verdict::passed),
                                run_of(1, 3, 999'999, record::Verdict::failed)}));
  EXPECT_THAT(table.column("point"), ElementsAre("1", "1", "1", "1", "2"));
  EXPECT_THAT(table.column("size"), ElementsAre("50B", "50B", "50B", "50B", "1kB"));
  EXPECT_THAT(table.column("run"), ElementsAre("mean", "1", "2", "3", "mean"));
  EXPECT_THAT(table.column("runs"), ElementsAre("2", "1", "1", "1", "0"));
  EXPECT_THAT(table.column("result"), ElementsAre("", "11", "12", "13", ""));
  EXPECT_THAT(table.column("verdict"), ElementsAre("", "passed", "passed", "failed", ""));
  EXPECT_THAT(table.column("p50 [ns]"), ElementsAre("200.5", "100", "301", "999999", ""));
  EXPECT_THAT(table.column("lost"), ElementsAre("1.5", "1", "2", "3", ""));
  EXPECT_THAT(table.column("turnaround-p50 [ns]"), ElementsAre("", "", "", "", "")) << "nobody asks for replies";
}

// Latency, processor time of programs and of the kernel, memory, and what was written.
TEST(PointsCsv, HasTheColumnsOfTheTablesOfTheStudies) {
  const Campaign campaign{.axes = {{.name = "size", .values = {{.label = "50B", .set = {}}}}}};
  const Table table(points_csv(campaign, *points_of(campaign), {run_of(1, 1, 100, record::Verdict::passed)}));
  for (const std::string name : {"min", "mean", "stddev", "p95", "p99", "max", "sent-rate", "host-cpu", "host-cpu-user",
                                 "host-cpu-system", "memory", "written", "written-per-message"}) {
    const auto is_it = [&](const std::string& head) { return head == name || head.starts_with(name + " ["); };
    EXPECT_EQ(std::ranges::count_if(table.head, is_it), 1) << name;
  }
}

}  // namespace
}  // namespace n2nq::campaign
