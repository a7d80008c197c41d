#include "app/compare/limit.h"

#include <gtest/gtest.h>

namespace n2nq::compare {
namespace {

TEST(Limit, IsKnownOfARunWithTheFigure) {
  record::RunRecord run;
  run.latencies[Latency::latency].p99 = 5'000'000;
  EXPECT_EQ(holds(*parse_limit("p99 <= 5ms"), run), true);
  EXPECT_EQ(holds(*parse_limit("p99 < 5ms"), run), false);
  EXPECT_EQ(holds(*parse_limit("p50 <= 5ms"), run), std::nullopt);
}

TEST(Limit, IsShownAsItIsMeant) {
  EXPECT_EQ(to_text(*parse_limit("p99<=5000us")), "p99 <= 5 ms");
  EXPECT_EQ(to_text(*parse_limit("lost = 0")), "lost = 0");
  EXPECT_EQ(to_text(*parse_limit("rate >= 20000")), "rate >= 20,000 /s");
}

}  // namespace
}  // namespace n2nq::compare
