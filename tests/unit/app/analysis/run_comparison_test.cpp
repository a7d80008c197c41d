#include "app/analysis/run_comparison.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/unit/app/analysis/reference_table.h"

namespace n2nq::analysis {
namespace {

using testing::HasSubstr;

// The figures of runs whose spread from run to run is known.
std::vector<double> runs(std::mt19937_64& random, size_t count, double middle, double spread) {
  std::normal_distribution<double> normal(std::log(middle), spread);
  std::vector<double> figures;
  for (size_t i = 0; i < count; i++) figures.push_back(std::exp(normal(random)));
  return figures;
}

TEST(RunComparison, AgreesWithAnotherImplementationOfWelchsTest) {
  for (const auto& row : test::reference_table("welch.csv")) {
    const auto comparison = compare_runs(row[0], row[1]);
    ASSERT_TRUE(comparison);
    EXPECT_EQ(comparison->runs_a, row[0].size());
    EXPECT_NEAR(comparison->t, row[2][0], 1e-6 * std::abs(row[2][0]) + 1e-9);
    EXPECT_NEAR(comparison->degrees, row[3][0], 1e-6 * row[3][0]);
    EXPECT_NEAR(comparison->p_value, row[4][0], 1e-6 * row[4][0] + 1e-12);
    EXPECT_NEAR(comparison->low, row[5][0], 1e-6 * row[5][0]);
    EXPECT_NEAR(comparison->high, row[6][0], 1e-6 * row[6][0]);
  }
}

// Both sides are the same: at a confidence of 95 % one in twenty comparisons may say otherwise. 2,000 of them put the
// observed part within 0.05 +- 0.0146 (three standard deviations); the test itself is known to lie a little below.
TEST(RunComparison, RaisesFalseAlarmsAtTheStatedLevel) {
  constexpr int kTrials = 2'000;
  for (const size_t count : {3, 5, 10}) {
    std::mt19937_64 random(count);
    int alarms = 0;
    for (int trial = 0; trial < kTrials; trial++) {
      const auto a = runs(random, count, 84'000, 0.05);
      const auto b = runs(random, count, 84'000, 0.05);
      alarms += compare_runs(a, b)->differs() ? 1 : 0;
    }
    EXPECT_GT(alarms, kTrials * 0.02) << count;
    EXPECT_LT(alarms, kTrials * 0.0646) << count;
  }
}

TEST(RunComparison, FindsTheDifferenceThatIsThere) {
  constexpr int kTrials = 500;
  std::mt19937_64 random(7);
  int covered = 0, found = 0;
  for (int trial = 0; trial < kTrials; trial++) {
    const auto comparison = compare_runs(runs(random, 5, 100'000, 0.05), runs(random, 5, 125'000, 0.05));
    found += comparison->differs() ? 1 : 0;
    covered += comparison->low <= 0.8 && comparison->high >= 0.8 ? 1 : 0;
  }
  EXPECT_GT(found, kTrials * 0.98);
  EXPECT_GT(covered, kTrials * 0.92);
  EXPECT_LT(covered, kTrials * 0.98);
}

TEST(RunComparison, SaysHowMuchFasterAndHowSureThatIs) {
  const RunComparison faster{.runs_a = 5, .runs_b = 5, .ratio = 0.82, .low = 0.77, .high = 0.88};
  EXPECT_EQ(sentence(faster, "A", "p99", Reads::speed), "A is 18 % faster at p99, 95 % CI 12 to 23 %, 5 runs each");
  const RunComparison slower{.runs_a = 5, .runs_b = 4, .ratio = 1.2, .low = 1.05, .high = 1.4};
  EXPECT_EQ(sentence(slower, "A", "p99", Reads::speed), "A is 20 % slower at p99, 95 % CI 5.0 to 40 %, 5 and 4 runs");
  EXPECT_EQ(sentence(slower, "new", "rate", Reads::level),
            "new is 20 % higher in rate, 95 % CI 5.0 to 40 %, 5 and 4 runs");
}

TEST(RunComparison, SaysWhatTheRunsCannotShow) {
  const RunComparison same{.runs_a = 3, .runs_b = 3, .ratio = 1.01, .low = 0.97, .high = 1.042};
  EXPECT_EQ(sentence(same, "A", "p50", Reads::speed),
            "no significant difference at p50 (95 % CI: A 3.0 % faster to 4.2 % slower), 3 runs each");
}

// Runs that scatter by a tenth: by a table of Student's t it takes 10 of each side, and 11 where one side alone
// scatters.
TEST(RunComparison, SaysHowManyRunsItTakes) {
  const auto of_four = [](double degrees, double bound) {
    const double reach = bound * 0.1 * std::sqrt(2.0 / 4);
    return RunComparison{
        .runs_a = 4, .runs_b = 4, .ratio = 1, .low = std::exp(-reach), .high = std::exp(reach), .degrees = degrees};
  };
  EXPECT_EQ(runs_needed(of_four(6, 2.4469), 1.1), 10u);
  EXPECT_EQ(runs_needed(of_four(3, 3.1824), 1.1), 11u);
  EXPECT_FALSE(runs_needed(of_four(6, 2.4469), 1.001)) << "too many";
}

TEST(RunComparison, SaysLargeDifferencesInTimes) {
  const RunComparison wide{.runs_a = 3, .runs_b = 3, .ratio = 2.5, .low = 0.03, .high = 192.4};
  EXPECT_EQ(sentence(wide, "A", "p50", Reads::speed),
            "undecided at p50: A from 33 times as fast to 192 times as slow (95 % CI), 3 runs each");
  const RunComparison far{.runs_a = 5, .runs_b = 5, .ratio = 4, .low = 2.5, .high = 6.4};
  EXPECT_EQ(sentence(far, "A", "rate", Reads::level),
            "A is 4.0 times as high in rate, 95 % CI 2.5 to 6.4 times as high, 5 runs each");
}

TEST(RunComparison, SaysOfAmountsThatTheyAreMoreOrLess) {
  const RunComparison less{.runs_a = 5, .runs_b = 5, .ratio = 0.82, .low = 0.77, .high = 0.88};
  EXPECT_EQ(sentence(less, "B", "processor time", Reads::amount),
            "B has 18 % less processor time, 95 % CI 12 to 23 %, 5 runs each");
  const RunComparison far{.runs_a = 5, .runs_b = 5, .ratio = 0.25, .low = 0.2, .high = 0.3};
  EXPECT_EQ(sentence(far, "B", "processor time", Reads::amount),
            "B has 0.25 times as much processor time, 95 % CI 0.20 to 0.30 times as much, 5 runs each");
  const RunComparison same{.runs_a = 3, .runs_b = 3, .ratio = 1.01, .low = 0.97, .high = 1.042};
  EXPECT_EQ(sentence(same, "B", "processor time", Reads::amount),
            "no significant difference in processor time (95 % CI: B 3.0 % less to 4.2 % more), 3 runs each");
}

TEST(RunComparison, SaysAllOfASentenceInOneForm) {
  const RunComparison half{.runs_a = 3, .runs_b = 3, .ratio = 1.15, .low = 0.4, .high = 3.3};
  EXPECT_EQ(sentence(half, "A", "p50", Reads::speed),
            "undecided at p50: A from 2.5 times as fast to 3.3 times as slow (95 % CI), 3 runs each");
  const RunComparison far{.runs_a = 3, .runs_b = 3, .ratio = 2, .low = 1.2, .high = 3.4};
  EXPECT_EQ(sentence(far, "A", "p50", Reads::speed),
            "A is 2.0 times as slow at p50, 95 % CI 1.20 to 3.4 times as slow, 3 runs each");
}

TEST(RunComparison, MakesNoStatementOfTooFewRuns) {
  const std::vector<double> one{1}, two{1, 2}, three{1, 2, 3};
  EXPECT_EQ(compare_runs(one, one).error().text, "one run each: no statement");
  EXPECT_THAT(compare_runs(two, three).error().text, HasSubstr("fewer than 3 runs"));
  EXPECT_THAT(compare_runs({}, three).error().text, HasSubstr("a side has no such figure"));
}

TEST(RunComparison, MakesNoStatementOfFiguresThatAreNotAboveZero) {
  EXPECT_THAT(compare_runs(std::vector<double>{1, 2, -3}, std::vector<double>{1, 2, 3}).error().text,
              HasSubstr("not above 0"));
  EXPECT_FALSE(compare_runs(std::vector<double>{1, 2, NAN}, std::vector<double>{1, 2, 3}));
}

// Three runs that fell into the same bucket of a histogram are not proof that runs do not differ.
TEST(RunComparison, RunsThatAreAllAlikeAreAsSteadyAsAHistogramCanTell) {
  const std::vector<double> a{1000, 1000, 1000}, b{1000.5, 1000.5, 1000.5}, c{1100, 1100, 1100};
  EXPECT_FALSE(compare_runs(a, b)->differs());
  EXPECT_TRUE(compare_runs(c, a)->differs());
}

}  // namespace
}  // namespace n2nq::analysis
