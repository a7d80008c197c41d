// Two sides, metric by metric: the figures of their runs, and what can be said of them. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/analysis/mean_interval.h"
#include "app/compare/side.h"
#include "app/figures/metric.h"

namespace n2nq::compare {

struct MetricComparison {
  const figures::Metric* metric = nullptr;
  size_t failed_b = 0;           // runs of B that do not count, because they failed
  std::vector<double> a{}, b{};  // of the runs that have it
  std::optional<analysis::MeanInterval> of_a{}, of_b{};
  std::optional<analysis::RunComparison> b_to_a{};  // B measured against A; nothing where no statement can be made
  std::string statement{};                          // of B, always there
};

double sum_of(const std::vector<double>& values);
// Statements compare geometric means, which are only of what is above 0; counts are not compared by ratios.
bool has_geometric_means(const figures::Metric& metric, const std::vector<std::vector<double>>& sides);
double geometric_mean_of(const std::vector<double>& values);  // of at least one, all above 0
// Of the runs that count; for counts of messages also of those that failed.
std::vector<double> values_of(const figures::Metric& metric, const Side& side);
MetricComparison compare_by(const figures::Metric& metric, const Side& a, const Side& b);
std::vector<MetricComparison> compare_sides(const Side& a, const Side& b);  // by all metrics

// How far two sets of a side's runs would differ by chance, with its ratio at 1; nothing where its runs are too few.
std::optional<analysis::RunComparison> against_itself(const figures::Metric& metric, const Side& side);

// A row for each comparison as tables show them: the metric with its unit, which is the same in all rows of its kind,
// and the geometric mean of either side, which its statement compares; the mean where there is none.
struct MeanRow {
  std::string metric{};  // "p99 [ms]"
  std::string a{};       // "-" where no run has it
  std::string b{};
};
std::vector<MeanRow> mean_rows(const std::vector<MetricComparison>& comparisons);

// What the plans have different: "Senders amount: A 5, B 10".
std::vector<std::string> unlike_settings(const Side& a, const Side& b);
// What must be known beside figures and settings: runs left out, clock bounds, another version of the bus, connections
// that the kernel had otherwise, other machines.
std::vector<std::string> remarks(const Side& a, const Side& b);
// Of each run of a side that is doubtful, why.
std::vector<std::string> doubts(const Side& side);
// All of these, of both sides.
std::vector<std::string> all_remarks(const Side& a, const Side& b, bool with_settings);

// What the doubtful runs among all do to what is said of the sides.
struct Doubt {
  size_t doubtful = 0;
  size_t runs = 0;
  std::string reasons{};  // "other programs used 0.70 cores on average, or so (3 runs); and 1 more"
  std::string figure{};   // "p99"
  bool holds = false;     // the others alone lead to the same answer on every side

  // "2 of 6 runs are doubtful: .... Without them the answer at p99 is the same."; empty: none is.
  std::string text() const;
};
Doubt doubt_of(const figures::Metric& metric, std::span<const Side> sides);

}  // namespace n2nq::compare
