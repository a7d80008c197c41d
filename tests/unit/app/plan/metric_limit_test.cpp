#include "app/plan/metric_limit.h"

#include <gmock/gmock.h>

namespace n2nq::plan {
namespace {

using testing::HasSubstr;

TEST(MetricLimit, IsAMetricARelationAndAValueInItsUnit) {
  using enum LimitUse;
  struct Case {
    const char* text;
    LimitUse use;
    Relation relation;
    double value;
    const char* exact;  // its value
  };
  for (const auto& [text, use, relation, value, exact] :
       {Case{"p99 <= 5 ms", search, Relation::at_most, 5e6, "5ms"},
        Case{"p99<5000us", search, Relation::below, 5e6, "5ms"}, Case{" lost = 0 ", search, Relation::equal, 0, "0"},
        Case{"rate >= 20,000", LimitUse::plan, Relation::at_least, 20000, "20000/s"},
        Case{"rate >= 20,000 /s", LimitUse::plan, Relation::at_least, 20000, "20000/s"},
        Case{"host-cpu > 10%", run_condition, Relation::above, 10, "10%"},
        Case{"host-cpu > 12.5", comparison, Relation::above, 12.5, "12.5%"},
        Case{"written-per-message > 1kB", run_condition, Relation::above, 1000, "1kB"},
        Case{"written-per-message <= 1.5", LimitUse::plan, Relation::at_most, 1.5, "1.5B"},
        Case{"wire-bytes-per-message <= 2 KiB", LimitUse::plan, Relation::at_most, 2048, "2KiB"},
        Case{"throughput < 20 MB/s", comparison, Relation::below, 20, "20MB/s"},
        Case{"queue-length < 1e3", search, Relation::below, 1000, "1000"},
        Case{"in-system <= 20ms", search, Relation::at_most, 2e7, "20ms"},
        Case{"in-system-count > 12.5", search, Relation::above, 12.5, "12.5"},
        Case{"max <= 0", LimitUse::plan, Relation::at_most, 0, "0s"}}) {
    const auto limit = parse_metric_limit(use, text);
    ASSERT_TRUE(limit) << text << ": " << limit.error().text;
    EXPECT_EQ(limit->relation, relation) << text;
    EXPECT_EQ(limit->value, value) << text;
    EXPECT_FALSE(limit->ratio) << text;
    EXPECT_EQ(exact_value(*limit->metric, value), exact);
    EXPECT_EQ(parse_limit_value(use, *limit->metric, exact), value) << "it reads back as the same";
  }
}

TEST(MetricLimit, IsARatioInComparisonsAlone) {
  using enum LimitUse;
  const auto limit = parse_metric_limit(comparison, "p99 > 1.1x");
  ASSERT_TRUE(limit);
  EXPECT_TRUE(limit->ratio);
  EXPECT_EQ(limit->value, 1.1);
}

TEST(MetricLimit, HoldsByItsRelation) {
  struct Case {
    Relation relation;
    bool less, same, more;  // than the limit
  };
  for (const auto& [relation, less, same, more] :
       {Case{Relation::below, true, false, false}, Case{Relation::at_most, true, true, false},
        Case{Relation::equal, false, true, false}, Case{Relation::at_least, false, true, true},
        Case{Relation::above, false, false, true}}) {
    EXPECT_EQ(holds(4, relation, 5), less) << to_text(relation);
    EXPECT_EQ(holds(5, relation, 5), same) << to_text(relation);
    EXPECT_EQ(holds(6, relation, 5), more) << to_text(relation);
  }
}

TEST(MetricLimit, SaysWhatItTakes) {
  using enum LimitUse;
  struct Case {
    LimitUse use;
    const char* text;
    const char* error;
  };
  for (const auto& [use, text, error] : {
           Case{search, "p99", "\"p99\": a limit is a metric, one of <=, >=, <, > and =, and a value"},
           Case{search, "", "a limit is a metric"},
           Case{search, "p98 <= 5ms", "\"p98\" is not a metric; there are p50, p90"},
           Case{search, "undeliverable = 0", "\"undeliverable\" is not a metric"},
           Case{search, "p99 <= 5", "\"5\" is not a limit for p99; expected a duration such as 5ms"},
           Case{search, "p99 <= 1.1x", "is not a limit for p99"},
           Case{search, "p99 =< 5ms", "\"< 5ms\" is not a limit"},
           Case{search, "lost = -1", "\"-1\" is not a limit for lost; expected a number"},
           Case{search, "rate >= nan", "expected a rate such as 20000/s"},
           Case{LimitUse::plan, "p99 < 5ms", "p99 <= 5ms stop"},
           Case{LimitUse::plan, "p98 <= 5ms", "\"p98\" cannot limit a plan; there are p50, p90"},
           Case{LimitUse::plan, "waiting <= 5ms", "\"waiting\" cannot limit a plan"},
           Case{LimitUse::plan, "p99 <= 5", "\"5\" is not a limit for p99; expected a duration such as 5ms"},
           Case{LimitUse::plan, "lost <= 5ms", "is not a limit for lost; expected a number"},
           Case{LimitUse::plan, "lost <= 1e300", "expected a number"},
           Case{LimitUse::plan, "host-cpu <= 5ms", "expected a percentage such as 80%"},
           Case{run_condition, "p99", "a condition is a metric, > or <, and a limit: p99 > 5ms"},
           Case{run_condition, "p99 >= 5ms", "a condition is a metric, > or <"},
           Case{run_condition, "p98 > 1", "\"p98\" is not a metric"},
           Case{run_condition, "p99 > 1.1x",
                "a ratio is for compare, as a run has nothing to be compared with; "
                "expected a duration such as 5ms"},
           Case{run_condition, "written-per-message > 1h", "expected a size such as 1kB"},
           Case{comparison, "p99", "p99 > 1.1x"},
           Case{comparison, "> 1x", "\"\" is not a metric"},
           Case{comparison, "p99 > 5", "expected a duration such as 5ms, or a ratio such as 1.1x"},
           Case{comparison, "p99 > x", "\"x\" is not a ratio"},
           Case{comparison, "p99 > 0x", "is not a ratio"},
           Case{comparison, "rate > 5ms", "expected a rate such as 20000/s"},
           Case{comparison, "lost > 1.1x", "lost cannot be a ratio"},
       }) {
    const auto limit = parse_metric_limit(use, text);
    ASSERT_FALSE(limit) << text;
    EXPECT_THAT(limit.error().text, HasSubstr(error)) << text;
  }
}

// The parts of half a limit are what is there of it.
TEST(MetricLimit, ComesApartHalfTyped) {
  EXPECT_EQ(limit_parts(" p99 ").metric, "p99");
  EXPECT_EQ(limit_parts("p99").relation, std::nullopt);
  EXPECT_EQ(limit_parts("p99 <=").relation, Relation::at_most);
  EXPECT_EQ(limit_parts("p99 <= 5 m").value, "5 m");
}

}  // namespace
}  // namespace n2nq::plan
