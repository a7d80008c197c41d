#include "app/plan/exact_text.h"

#include <gtest/gtest.h>

namespace n2nq::plan {
namespace {

TEST(ExactText, WritesDurationsInTheLargestUnitThatStaysExact) {
  EXPECT_EQ(exact_duration(0), "0s");
  EXPECT_EQ(exact_duration(20'000'000), "20ms");
  EXPECT_EQ(exact_duration(1'500'000'000), "1.5s");
  EXPECT_EQ(exact_duration(60'000'000'000), "60s");
  EXPECT_EQ(exact_duration(1'234'567), "1234.567us");
  EXPECT_EQ(exact_duration(-2'000), "-2us");
}

TEST(ExactText, WritesSizesInTheUnitInWhichTheyAreShort) {
  EXPECT_EQ(exact_size(0), "0B");
  EXPECT_EQ(exact_size(1000), "1kB");
  EXPECT_EQ(exact_size(16'000), "16kB");
  EXPECT_EQ(exact_size(16'384), "16KiB");
  EXPECT_EQ(exact_size(128'000), "128kB");
  EXPECT_EQ(exact_size(5'000'000), "5MB");
  EXPECT_EQ(exact_size(1536), "1.5KiB");
  EXPECT_EQ(exact_size(1025), "1025B");
  EXPECT_EQ(exact_size(256ull << 20), "256MiB");
  EXPECT_EQ(exact_size_range({.min = 10, .max = 1024}), "10B..1KiB");
  EXPECT_EQ(exact_size_range({.min = 50, .max = 50}), "50B");
}

TEST(ExactText, ReadsBackAsTheSameNumber) {
  for (int64_t ns = 1; ns < 100'000'000'000'000; ns = ns * 7 / 3 + 11) {
    EXPECT_EQ(parse_duration(exact_duration(ns)), ns) << exact_duration(ns);
    const auto bytes = static_cast<uint64_t>(ns);
    EXPECT_EQ(parse_size(exact_size(bytes)), bytes) << exact_size(bytes);
  }
}

}  // namespace
}  // namespace n2nq::plan
