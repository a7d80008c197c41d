#include "app/analysis/batch_means.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/analysis/student.h"

namespace n2nq::analysis {
namespace {

// In so many groups of neighbours, as equal as whole batches allow.
std::vector<Batch> grouped(std::span<const Batch> batches, size_t groups) {
  std::vector<Batch> out(groups);
  for (size_t i = 0; i < batches.size(); i++) {
    Batch& group = out[i * groups / batches.size()];
    group.count += batches[i].count;
    group.sum += batches[i].sum;
  }
  return out;
}

// Their sum is 0: what each batch has more than its share.
std::vector<double> deviations(std::span<const Batch> batches, double mean) {
  std::vector<double> all;
  for (const Batch& batch : batches) all.push_back(batch.sum - mean * batch.count);
  return all;
}

double squares_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

// How far each value follows from the one before: 0 for independent ones.
double lag_1_autocorrelation(std::span<const double> values) {
  double product = 0;
  for (size_t i = 0; i + 1 < values.size(); i++) product += values[i] * values[i + 1];
  const double squares = squares_of(values);
  return squares > 0 ? product / squares : 0;
}

}  // namespace

std::optional<BatchMean> batch_mean(std::span<const Batch> batches, double confidence) {
  const auto filled = static_cast<size_t>(std::ranges::count_if(batches, [](const Batch& b) { return b.count > 0; }));
  if (filled < kFewestBatches) return std::nullopt;
  double count = 0;
  double sum = 0;
  for (const Batch& batch : batches) {
    count += batch.count;
    sum += batch.sum;
  }
  BatchMean result{.mean = sum / count};
  std::vector<double> off;
  for (size_t groups = std::min(batches.size(), kMostBatches);; groups = std::max(groups / 2, kFewestBatches)) {
    off = deviations(grouped(batches, groups), result.mean);
    // What independent batches have by chance is below this, but for one time in twenty.
    result.independent = lag_1_autocorrelation(off) <= 1.645 / std::sqrt(static_cast<double>(groups));
    if (result.independent || groups == kFewestBatches) break;
  }
  result.batches = off.size();
  const auto n = static_cast<double>(off.size());
  const double error = std::sqrt(n / (n - 1) * squares_of(off)) / count;
  const double reach = student_bound(confidence, n - 1) * error;
  result.low = result.mean - reach;
  result.high = result.mean + reach;
  return result;
}

}  // namespace n2nq::analysis
