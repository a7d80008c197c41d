// Real runs of one plan, compared with each other: whatever is found is a false alarm (docs/statistics.md).
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

#include "app/analysis/mean_interval.h"
#include "app/analysis/run_comparison.h"
#include "tests/headless/bench_process.h"

namespace n2nq::test {
namespace {

using analysis::compare_runs;

constexpr size_t kRuns = 96;
constexpr size_t kRunsOfAComparison = 6;
constexpr int kSplits = 2'000;
constexpr int kSyntheticSets = 60;

// The part of random splits into two sides of so many runs that are told apart.
double alarms_of_splits(std::vector<double> runs, size_t a_side, std::mt19937_64& random) {
  int alarms = 0;
  for (int split = 0; split < kSplits; split++) {
    for (size_t i = 0; i < 2 * a_side; i++) std::swap(runs[i], runs[i + random() % (runs.size() - i)]);
    const std::span<const double> all = runs;
    alarms += compare_runs(all.first(a_side), all.subspan(a_side, a_side))->differs() ? 1 : 0;
  }
  return static_cast<double>(alarms) / kSplits;
}

// As alarms_of_splits() varies from one set of as many runs to the next, where their logarithms are normal.
std::vector<double> synthetic_alarms(size_t a_side, std::mt19937_64& random) {
  std::normal_distribution<double> normal(0, 0.1);
  std::vector<double> rates;
  for (int set = 0; set < kSyntheticSets; set++) {
    std::vector<double> runs;
    for (size_t i = 0; i < kRuns; i++) runs.push_back(80'000 * std::exp(normal(random)));
    rates.push_back(alarms_of_splits(runs, a_side, random));
  }
  return rates;
}

// Of neighbours in time, A, B, A, B, A, B: none of them shares a run with another.
int alarms_of_neighbours(const std::vector<double>& runs) {
  int alarms = 0;
  for (size_t i = 0; i + kRunsOfAComparison <= runs.size(); i += kRunsOfAComparison) {
    const std::vector<double> a{runs[i], runs[i + 2], runs[i + 4]}, b{runs[i + 1], runs[i + 3], runs[i + 5]};
    alarms += compare_runs(a, b)->differs() ? 1 : 0;
  }
  return alarms;
}

struct SamePlanTest : testing::Test {
  ~SamePlanTest() override { EXPECT_EQ(processes_left(), std::vector<std::string>()); }
  void make_runs() const {
    const std::string file = (place / "same.json").string();
    std::ofstream(file) << Json{{"version", 1},
                                {"name", "same"},
                                {"repeats", kRuns},
                                {"base", Json::parse(R"({"senders": {"count": 2, "messages": 10, "delay": "10ms"},
                                                         "receivers": {"count": 2}, "warmup": "0s", "log": "off"})")},
                                {"axes", Json::array()}};
    const BenchEnded ended = place.run({"campaign", file, "--json"});
    ASSERT_EQ(ended.result()["runs_done"], kRuns) << ended.err;
  }
  std::vector<double> figures(const std::string& column) const {
    std::vector<double> values;
    std::istringstream lines(
        place.stored("SELECT " + column + " FROM figures WHERE name = 'latency_ns' ORDER BY result_id"));
    for (double value = 0; lines >> value;) values.push_back(value);
    return values;
  }
  BenchPlace place;
};

TEST_F(SamePlanTest, RunsOfOnePlanAreToldApartAsSeldomAsIsStated) {
  ASSERT_NO_FATAL_FAILURE(make_runs());
  std::mt19937_64 random(48);
  for (const size_t a_side : {3, 5, 10}) {
    const std::vector<double> synthetic = synthetic_alarms(a_side, random);
    const double middle = analysis::mean_of(synthetic);
    // Of three runs a side the test is a little too careful.
    EXPECT_GT(middle, 0.02) << "normal logarithms, " << a_side << " runs a side";
    EXPECT_LT(middle, 0.06) << "normal logarithms, " << a_side << " runs a side";
    // Wider than sets of normal runs vary among themselves: real runs have stragglers, and splits share them.
    const double most = std::max(middle + 6 * std::sqrt(analysis::variance_of(synthetic)), 0.08);
    for (const char* column : {"p50_ns", "trimmed_mean_p95_ns", "p99_ns"}) {
      const std::vector<double> runs = figures(column);
      ASSERT_EQ(runs.size(), kRuns) << column;
      const double rate = alarms_of_splits(runs, a_side, random);
      RecordProperty(std::string(column) + "_" + std::to_string(a_side), std::to_string(rate));
      std::printf("%s, %zu runs a side: %.3f of splits are told apart; of normal runs %.3f, at most %.3f\n", column,
                  a_side, rate, middle, most);
      EXPECT_LT(rate, most) << column << ", " << a_side << " runs a side";
      EXPECT_GT(rate, 0) << "it would find a difference";
    }
  }
  // Sixteen comparisons that are independent: five alarms or fewer at 5 % in all but one case in 12,000. Of a
  // comparison that raises an alarm every other time there are as few in one case in ten.
  for (const char* column : {"p50_ns", "trimmed_mean_p95_ns", "p99_ns"})
    EXPECT_LE(alarms_of_neighbours(figures(column)), 5) << column;
}

}  // namespace
}  // namespace n2nq::test
