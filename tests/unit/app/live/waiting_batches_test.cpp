#include "app/live/waiting_batches.h"

#include <gtest/gtest.h>

#include "app/live/live_figures.h"

namespace n2nq::live {
namespace {

constexpr int64_t kSlot = WaitingBatches::kFinestNs;

TEST(WaitingBatches, AreOfTheTimeInWhichTheMessagesWere) {
  WaitingBatches batches;
  batches.add(2 * kSlot, 3 * kSlot, 3, 30);
  batches.add(2 * kSlot, 3 * kSlot, 1, 5);
  batches.add(4 * kSlot, 5 * kSlot, 2, 8);
  batches.add(9 * kSlot, 9 * kSlot, 0, 0);
  const std::vector<WaitingBatch> expected{
      {2 * kSlot, kSlot, 4, 35}, {3 * kSlot, kSlot, 0, 0}, {4 * kSlot, kSlot, 2, 8}};
  EXPECT_EQ(batches.all(), expected);
}

TEST(WaitingBatches, AreMergedInALongRunAndLoseNothing) {
  WaitingBatches batches;
  uint64_t count = 0;
  for (int64_t i = 0; i < 1000; i++) {
    batches.add(i * kSlot, (i + 1) * kSlot, static_cast<uint64_t>(i), 2.0 * static_cast<double>(i));
    count += static_cast<uint64_t>(i);
  }
  const auto all = batches.all();
  EXPECT_LE(all.size(), WaitingBatches::kMost);
  EXPECT_GT(all.size(), WaitingBatches::kMost / 4);
  uint64_t counted = 0;
  int64_t end_ns = all.front().start_ns;
  for (const WaitingBatch& batch : all) {
    EXPECT_EQ(batch.start_ns, end_ns);
    EXPECT_EQ(batch.width_ns, 8 * kSlot);
    EXPECT_DOUBLE_EQ(batch.sum_ns, 2.0 * static_cast<double>(batch.count));
    end_ns += batch.width_ns;
    counted += batch.count;
  }
  EXPECT_EQ(counted, count);
}

TEST(WaitingBatches, TakeATimeThatCannotBeAsTheNearestThatCan) {
  WaitingBatches batches;
  batches.add(-5, -1, 1, 1);
  EXPECT_EQ(batches.all().front().start_ns, 0);
  batches.add(INT64_MAX - 1, INT64_MAX, 1, 1);
  EXPECT_LE(batches.all().size(), WaitingBatches::kMost);
}

control::Telemetry line(int64_t time_ns, uint64_t count, double sum_ns, uint64_t added) {
  control::Telemetry telemetry{.role = Role::receiver, .time_ns = time_ns};
  telemetry.histograms = {
      {.name = "waiting_ns",
       .moments =
           {.count = count, .min = 10, .max = 10, .sum = sum_ns, .sum_squares = 100 * static_cast<double>(count)},
       .buckets = {{.index = 10, .count = added}}}};
  return telemetry;
}

TEST(LiveWaiting, IsWhatEachReceiverProcessGainedPutTogether) {
  LiveFigures figures(1, 4);
  const uint32_t one = figures.add_worker(Role::receiver, 1, 2);
  const uint32_t two = figures.add_worker(Role::receiver, 3, 2);
  for (const uint32_t worker : {one, two}) figures.begin(worker, 0);
  figures.take(one, line(kSlot, 2, 20, 2));
  figures.take(two, line(kSlot, 1, 10, 1));
  figures.take(one, line(2 * kSlot, 5, 50, 3));
  EXPECT_EQ(figures.histogram(Latency::waiting).count(), 6u);
  const std::vector<WaitingBatch> expected{{0, kSlot, 3, 30}, {kSlot, kSlot, 3, 30}};
  EXPECT_EQ(figures.waiting_batches().all(), expected);
}

}  // namespace
}  // namespace n2nq::live
