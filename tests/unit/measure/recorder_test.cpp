#include "workers/measure/recorder.h"

#include <gtest/gtest.h>

#include <thread>

#include "workers/measure/histogram.h"

namespace n2nq::measure {
namespace {

TEST(IntervalRecorder, HandsOutTheIntervalThatEndedAndStartsAnEmptyOne) {
  IntervalRecorder<CompactHistogram> recorder;
  recorder.active().record(5);
  const CompactHistogram* ended = recorder.swap();
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->count(), 1u);
  EXPECT_EQ(recorder.active().count(), 0u);
}

TEST(IntervalRecorder, GoesOnWithTheIntervalWhileTheReaderHoldsTheOneBefore) {
  IntervalRecorder<CompactHistogram> recorder;
  ASSERT_NE(recorder.swap(), nullptr);
  recorder.active().record(5);
  EXPECT_EQ(recorder.swap(), nullptr);
  recorder.active().record(6);
  recorder.release();
  const CompactHistogram* ended = recorder.swap();
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->count(), 2u);
}

TEST(IntervalRecorder, StartsEachIntervalEmpty) {
  IntervalRecorder<CompactHistogram> recorder;
  for (int round = 0; round < 4; round++) {
    recorder.active().record(5);
    EXPECT_EQ(recorder.swap()->count(), 1u);
    recorder.release();
  }
}

TEST(IntervalRecorder, LosesNothingBetweenTwoThreads) {
  IntervalRecorder<CompactHistogram> recorder;
  std::atomic<const CompactHistogram*> handed = nullptr;
  std::atomic<bool> ended = false;
  uint64_t read = 0;
  std::jthread reader([&] {
    for (;;) {
      const bool last = ended;
      if (const CompactHistogram* interval = handed.exchange(nullptr)) {
        read += interval->count();
        recorder.release();
      } else if (last) {
        return;
      }
    }
  });
  for (int64_t i = 0; i < 200'000; i++) {
    recorder.active().record(i);
    if (i % 64 != 0) continue;
    if (const CompactHistogram* interval = recorder.swap()) handed = interval;
  }
  const CompactHistogram* rest = nullptr;
  while ((rest = recorder.swap()) == nullptr) std::this_thread::yield();
  handed = rest;
  ended = true;
  reader.join();
  EXPECT_EQ(read, 200'000u);
}

}  // namespace
}  // namespace n2nq::measure
