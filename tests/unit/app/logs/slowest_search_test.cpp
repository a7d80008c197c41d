#include "app/logs/slowest_search.h"

#include <gtest/gtest.h>

#include "tests/unit/app/logs/made_log.h"

namespace n2nq::logs {
namespace {

using n2nq::test::TempDir;

constexpr int64_t kMs = 1'000'000;

// Rows that are received each millisecond of a run that began at 1 s.
std::string log_with(int64_t rows, int64_t slow_index, int64_t slow_ns) {
  std::string text = "# origin_monotonic_ns=1000000000 origin_utc=-\n" + test::kReceiverHead;
  for (int64_t i = 1; i <= rows; ++i)
    text += test::receiver_row({.index = i, .latency_ns = i == slow_index ? slow_ns : 1'000 + i % 7});
  return text + test::kEnd;
}

class SlowestSearchTest : public testing::Test {
 protected:
  void add(const std::string& name, const std::string& text) {
    wish_.logs.push_back({.path = test::write_file(folder_ / name, text), .title = name});
  }
  SlowestOutcome find() { return find_slowest_of(wish_, watch_); }

  TempDir folder_;
  SlowestWish wish_;
  int64_t last_share_ = 0;
  SearchWatch watch_{.stop = test::never, .progress = [this](int64_t done, int64_t of) {
                       EXPECT_LE(done, of);
                       EXPECT_GE(done, last_share_);
                       last_share_ = done;
                     }};
};

TEST_F(SlowestSearchTest, IsTheSlowestOfAllLogs) {
  add("receiver-1.log", log_with(500, 400, 70'000));
  add("receiver-2.log", log_with(500, 30, 90'000));
  add("receiver-3.log", log_with(500, 31, 80'000));
  const auto found = find();
  ASSERT_TRUE(found.message.has_value());
  EXPECT_EQ(found.message->log, 1u);
  EXPECT_EQ(found.message->line.value_ns, 90'000);
  EXPECT_EQ(found.unreadable, 0u);
}

TEST_F(SlowestSearchTest, OfAStretchOnlyWhatWasReceivedInIt) {
  add("receiver-1.log", log_with(500, 400, 70'000));
  add("receiver-2.log", log_with(500, 30, 90'000));
  wish_.aim.stretch = RunStretch{.from_ns = 380 * kMs, .to_ns = 420 * kMs};
  EXPECT_EQ(find().message->log, 0u);
  last_share_ = 0;
  wish_.aim.stretch = RunStretch{.from_ns = 600 * kMs, .to_ns = 700 * kMs};
  EXPECT_FALSE(find().message.has_value());
}

// Messages of a point are up to half a report beside it, where those of its neighbours are too.
TEST_F(SlowestSearchTest, OfAPointIsTheOneThatItShowsAndElseOneOfItsOwnTime) {
  add("receiver-1.log", log_with(500, 120, 70'000));
  add("receiver-2.log", log_with(500, 220, 90'000));
  wish_.aim = {.stretch = RunStretch{.from_ns = 50 * kMs, .to_ns = 250 * kMs},
               .own = RunStretch{.from_ns = 100 * kMs, .to_ns = 200 * kMs},
               .shown = ValueRange{.low_ns = 69'970, .high_ns = 70'020}};
  EXPECT_EQ(find().message->line.value_ns, 70'000);
  last_share_ = 0;
  wish_.aim.shown = ValueRange{.low_ns = 89'970, .high_ns = 90'020};
  EXPECT_EQ(find().message->line.value_ns, 90'000) << "came late, and is shown here";
  last_share_ = 0;
  wish_.aim.shown.reset();
  EXPECT_EQ(find().message->line.value_ns, 70'000);
}

// In a log of 40 MB the place is found by jumping, not by reading.
TEST_F(SlowestSearchTest, OfALongLogOnlyThatPartIsRead) {
  add("receiver-1.log", log_with(400'000, 300'000, 70'000));
  const auto size = static_cast<int64_t>(std::filesystem::file_size(wish_.logs[0].path));
  ASSERT_GT(size, 30'000'000);
  for (const int64_t at_ms : {int64_t{300'000}, int64_t{5}, int64_t{399'999}}) {
    wish_.aim.stretch = RunStretch{.from_ns = (at_ms - 1) * kMs, .to_ns = (at_ms + 1) * kMs};
    last_share_ = 0;
    const int64_t before = test::bytes_read_so_far();
    const auto found = find();
    EXPECT_LT(test::bytes_read_so_far() - before, size / 4);
    ASSERT_TRUE(found.message.has_value()) << at_ms;
    EXPECT_EQ(found.message->line.value_ns == 70'000, at_ms == 300'000);
  }
}

TEST_F(SlowestSearchTest, WhatIsNotThereIsCountedAndTheRestFound) {
  wish_.logs.push_back({.path = (folder_ / "gone.log").string(), .title = "receiver 9"});
  add("receiver-1.log", log_with(5, 3, 5'000));
  const auto found = find();
  EXPECT_EQ(found.unreadable, 1u);
  EXPECT_EQ(found.message->log, 1u);
}

TEST_F(SlowestSearchTest, StopsWhenTold) {
  add("receiver-1.log", log_with(50'000, 3, 5'000));
  watch_.stop = [] { return true; };
  const auto found = find();
  EXPECT_TRUE(found.stopped);
  EXPECT_FALSE(found.message.has_value());
}

}  // namespace
}  // namespace n2nq::logs
