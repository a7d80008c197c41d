#include "app/record/run_record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/figures/metric.h"

namespace n2nq::record {
namespace {

TEST(RunRecord, NamesVerdictsForPeopleAndForMachines) {
  for (const Verdict verdict : {Verdict::passed, Verdict::lost_allowed, Verdict::failed, Verdict::stopped,
                                Verdict::cut_off, Verdict::limit, Verdict::exceeded}) {
    EXPECT_EQ(parse_verdict(to_word(verdict)), verdict);
    EXPECT_FALSE(to_text(verdict).empty());
  }
  EXPECT_EQ(to_word(Verdict::lost_allowed), "lost_allowed");
  EXPECT_EQ(to_text(Verdict::lost_allowed), "lost as the plan allows");
  EXPECT_EQ(to_text(Verdict::cut_off), "cut off");
  EXPECT_EQ(to_word(Verdict::exceeded), "limit_exceeded");
  EXPECT_EQ(to_text(Verdict::exceeded), "failed") << "the reason names the limit";
  EXPECT_EQ(to_text(Verdict::limit), "failed") << "the same";
  EXPECT_FALSE(parse_verdict("Passed").has_value());
  EXPECT_FALSE(parse_verdict("").has_value());
}

// By names alone a host of the list would always be another computer, and by processors alone a twin would be the same.
TEST(RunRecord, TellsPlacesOfOneComputerFromOthers) {
  RunRecord record;
  record.plan.queue.host = "vm1";
  record.machines = {{.place = "vm1", .facts = {.processor = "x", .boot_id = "1"}},
                     {.place = "vm2", .facts = {.processor = "x", .boot_id = "2"}},
                     {.place = "a container of vm1", .facts = {.processor = "x", .boot_id = "1"}},
                     {.place = "old", .facts = {.processor = "x"}}};
  EXPECT_EQ(is_beside_queue(record, "vm1"), true);
  EXPECT_EQ(is_beside_queue(record, "vm2"), false);
  EXPECT_EQ(is_beside_queue(record, "a container of vm1"), true);
  EXPECT_EQ(is_beside_queue(record, "old"), std::nullopt);
  EXPECT_EQ(is_beside_queue(record, "vm3"), std::nullopt);
  record.plan.queue.host.clear();
  EXPECT_EQ(is_beside_queue(record, "vm2"), std::nullopt) << "this computer has not told";
}

TEST(RunRecord, BringsAHistogramBackWithAllItsFigures) {
  measure::Histogram histogram;
  for (int64_t i = -50; i < 5000; i++) histogram.record(i * 37);
  const HistogramRecord record = to_record("latency_ns", histogram);
  EXPECT_EQ(record.name, "latency_ns");
  const measure::LatencySummary before = measure::summarize(histogram);
  const measure::LatencySummary after = measure::summarize(to_histogram(record));
  EXPECT_EQ(after.count, before.count);
  EXPECT_EQ(after.min, before.min);
  EXPECT_EQ(after.p50, before.p50);
  EXPECT_EQ(after.p999, before.p999);
  EXPECT_EQ(after.max, before.max);
  EXPECT_DOUBLE_EQ(*after.mean, *before.mean);
  EXPECT_NEAR(*after.stddev, *before.stddev, *before.stddev * 1e-9);
  EXPECT_DOUBLE_EQ(*after.trimmed_mean_p95, *before.trimmed_mean_p95);
  EXPECT_EQ(to_record("latency_ns", to_histogram(record)).buckets, record.buckets);
}

TEST(RunRecord, TakesAnEmptyHistogramForWhatItIs) {
  EXPECT_EQ(measure::summarize(to_histogram(to_record("delay_ns", measure::Histogram()))), measure::LatencySummary{});
}

TEST(RunRecord, MakesNothingOfAHistogramThatContradictsItself) {
  HistogramRecord record{.name = "latency_ns",
                         .moments = {.count = 2, .min = 5, .max = 5, .sum = 10, .sum_squares = 50},
                         .buckets = {{.index = 5, .count = 3}}};
  EXPECT_EQ(to_histogram(record).count(), 0u);
  record.buckets = {{.index = 1 << 20, .count = 2}};
  EXPECT_EQ(to_histogram(record).count(), 0u);
  record.buckets = {{.index = 5, .count = 2}};
  EXPECT_EQ(to_histogram(record).count(), 2u);
  record.moments.sum = std::nan("");
  EXPECT_EQ(to_histogram(record).count(), 0u);
}

TEST(RunRecord, FindsAHistogramByItsName) {
  RunRecord record;
  record.histograms = {{.name = "delay_ns"}, {.name = "latency_ns"}};
  EXPECT_EQ(find_histogram(record, Latency::latency), &record.histograms[1]);
  EXPECT_EQ(find_histogram(record, Latency::lateness), nullptr);
}

TEST(RunRecord, AddsUpWhatAllReceiversGot) {
  RunRecord record{.began_utc_ns = 1'000'000'000, .ended_utc_ns = 5'000'000'000};
  const figures::Metric& throughput = *figures::find_metric("throughput");
  EXPECT_EQ(throughput.value(record), std::nullopt) << "no receiver was heard of";
  record.services = {{{.bytes = 7'000'000}, Role::sender, 1},
                     {{.bytes = 6'000'000}, Role::receiver, 1},
                     {{.bytes = 2'000'000}, Role::receiver, 2}};
  EXPECT_EQ(throughput.value(record), 2) << "MB a second of the 4 s from BEGIN to the end";
  EXPECT_EQ(figures::value_text(throughput, 2), "2 MB/s");
  record.began_utc_ns.reset();
  EXPECT_EQ(throughput.value(record), std::nullopt);
}

}  // namespace
}  // namespace n2nq::record
