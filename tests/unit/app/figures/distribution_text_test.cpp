#include "app/figures/distribution_text.h"

#include <gmock/gmock.h>

#include <sstream>

namespace n2nq::figures {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// As HdrHistogram 2.1's outputPercentileDistribution(..., 5, 1000.0) writes it.
TEST(DistributionText, IsWhatHdrHistogramWrites) {
  measure::Histogram histogram;
  for (int i = 1; i <= 4; i++) histogram.record(i * 100);
  EXPECT_EQ(distribution_text(histogram),
            "       Value     Percentile TotalCount 1/(1-Percentile)\n"
            "\n"
            "       0.100 0.000000000000          1           1.00\n"
            "       0.100 0.100000000000          1           1.11\n"
            "       0.100 0.200000000000          1           1.25\n"
            "       0.200 0.300000000000          2           1.43\n"
            "       0.200 0.400000000000          2           1.67\n"
            "       0.200 0.500000000000          2           2.00\n"
            "       0.300 0.550000000000          3           2.22\n"
            "       0.300 0.600000000000          3           2.50\n"
            "       0.300 0.650000000000          3           2.86\n"
            "       0.300 0.700000000000          3           3.33\n"
            "       0.300 0.750000000000          3           4.00\n"
            "       0.400 0.775000000000          4           4.44\n"
            "       0.400 1.000000000000          4\n"
            "#[Mean    =        0.250, StdDeviation   =        0.112]\n"
            "#[Max     =        0.400, Total count    =            4]\n"
            "#[Buckets =           33, SubBuckets     =         2048]\n");
}

TEST(DistributionText, HasNoRowWithoutValues) {
  EXPECT_THAT(distribution_text({}), HasSubstr("\n\n#[Mean"));
}

// However many messages, so many rows a half of what is left.
TEST(DistributionText, IsShortForAMillionValues) {
  measure::Histogram histogram;
  for (int i = 1; i <= 1'000'000; i++) histogram.record(i);
  std::istringstream lines(distribution_text(histogram));
  int count = 0;
  for (std::string line; std::getline(lines, line);) count++;
  EXPECT_GT(count, 60);
  EXPECT_LT(count, 130);
}

}  // namespace
}  // namespace n2nq::figures
