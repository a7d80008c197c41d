#include "app/compare/limit.h"

#include <gmock/gmock.h>

namespace n2nq::compare {
namespace {

using testing::HasSubstr;

record::RunRecord run_with(int64_t p99_ns, uint64_t lost) {
  record::RunRecord run;
  run.latency.p99 = p99_ns;
  run.totals.lost = lost;
  return run;
}

std::optional<bool> holds_of(const char* text, const record::RunRecord& run) {
  const auto limit = parse_limit(text);
  EXPECT_TRUE(limit) << limit.error().text;
  return limit ? holds(*limit, run) : std::nullopt;
}

TEST(Limit, HoldsByItsRelation) {
  const auto run = run_with(5'000'000, 0);
  EXPECT_EQ(holds_of("p99 <= 5ms", run), true);
  EXPECT_EQ(holds_of("p99<5ms", run), false);
  EXPECT_EQ(holds_of("p99 = 5ms", run), true);
  EXPECT_EQ(holds_of("p99 >= 5ms", run), true);
  EXPECT_EQ(holds_of("p99 > 5ms", run), false);
  EXPECT_EQ(holds_of("lost = 0", run), true);
  EXPECT_EQ(holds_of("lost = 0", run_with(1, 1)), false);
}

TEST(Limit, IsNotKnownOfARunWithoutTheFigure) {
  EXPECT_EQ(holds_of("p50 <= 5ms", run_with(1, 0)), std::nullopt);
}

TEST(Limit, IsShownAsItIsMeant) {
  EXPECT_EQ(to_text(*parse_limit("p99<=5000us")), "p99 <= 5 ms");
  EXPECT_EQ(to_text(*parse_limit("lost = 0")), "lost = 0");
  EXPECT_EQ(to_text(*parse_limit("rate >= 20000")), "rate >= 20,000 /s");
}

TEST(Limit, SaysWhatItTakes) {
  const auto trouble = [](const char* text) { return parse_limit(text).error().text; };
  EXPECT_THAT(trouble("p99"), HasSubstr("\"p99\": a limit is a metric, one of <=, >=, <, > and =, and a value"));
  EXPECT_THAT(trouble("p98 <= 5ms"), HasSubstr("\"p98\" is not a metric; there are p50, "));
  EXPECT_THAT(trouble("p99 <= 5"), HasSubstr("\"5\" is not a limit for p99; expected a duration such as 5ms"));
  EXPECT_THAT(trouble("p99 <= 1.1x"), HasSubstr("is not a limit for p99"));
  EXPECT_THAT(trouble("p99 =< 5ms"), HasSubstr("\"< 5ms\" is not a limit"));
  EXPECT_THAT(trouble("lost = -1"), HasSubstr("\"-1\" is not a limit for lost; expected a number"));
  EXPECT_THAT(trouble("rate >= nan"), HasSubstr("expected a number"));
  EXPECT_THAT(trouble(""), HasSubstr("a limit is"));
}

}  // namespace
}  // namespace n2nq::compare
