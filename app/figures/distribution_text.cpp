#include "app/figures/distribution_text.h"

#include <cmath>
#include <cstdio>
#include <vector>

#include "workers/measure/latency_summary.h"

namespace n2nq::figures {
namespace {

constexpr double kNsPerUs = 1000;
constexpr double kStepsPerHalf = 5;

void append_row(std::string& text, double value_ns, double share, uint64_t count) {
  char line[128];
  if (share < 1)
    std::snprintf(line, sizeof line, "%12.3f %2.12f %10llu %14.2f\n", value_ns / kNsPerUs, share,
                  static_cast<unsigned long long>(count), 1 / (1 - share));
  else
    std::snprintf(line, sizeof line, "%12.3f %2.12f %10llu\n", value_ns / kNsPerUs, share,
                  static_cast<unsigned long long>(count));
  text += line;
}

// Half of what is left to 100 % takes so many steps, the half of the rest as many again.
double next_level(double level) {
  const double halves = std::floor(std::log2(100 / (100 - level))) + 1;
  return level + 100 / (kStepsPerHalf * std::exp2(halves));
}

}  // namespace

std::string distribution_text(const measure::Histogram& histogram) {
  std::string text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n";
  const auto total = static_cast<double>(histogram.count());
  uint64_t so_far = 0;
  double level = 0;
  histogram.for_each([&](const measure::Bucket& bucket) {
    so_far += bucket.count;
    const double reached = 100 * static_cast<double>(so_far) / total;
    const auto value = static_cast<double>(bucket.highest_ns);
    while (so_far < histogram.count() && level <= reached) {
      append_row(text, value, level / 100, so_far);
      level = next_level(level);
    }
    if (so_far < histogram.count()) return;
    append_row(text, value, level / 100, so_far);
    append_row(text, value, 1, so_far);
  });
  const measure::LatencySummary summary = measure::summarize(histogram);
  char line[128];
  std::snprintf(line, sizeof line, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n",
                summary.mean.value_or(0) / kNsPerUs, summary.stddev.value_or(0) / kNsPerUs);
  text += line;
  std::snprintf(line, sizeof line, "#[Max     = %12.3f, Total count    = %12llu]\n",
                static_cast<double>(summary.max.value_or(0)) / kNsPerUs,
                static_cast<unsigned long long>(summary.count));
  text += line;
  std::snprintf(line, sizeof line, "#[Buckets = %12u, SubBuckets     = %12u]\n", measure::Histogram::Layout::kBlocks,
                2 * measure::Histogram::Layout::kBlockSize);
  return text + line;
}

}  // namespace n2nq::figures
