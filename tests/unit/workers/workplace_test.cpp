// What receivers share for their services: places, a rate, and threads that compute.
#include "workers/receiver/workplace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <vector>

namespace n2nq::receiver {
namespace {

measure::SharedLimit limit_of(const char* text) {
  return *measure::parse_shared_limit(text);
}

TEST(Workplace, GivesEachPlaceToWhoHasWaitedLongest) {
  Workplace workplace(limit_of("pool:2"));
  std::vector<int> order;
  const auto enter = [&](int who) { return workplace.enter([&order, who] { order.push_back(who); }); };
  EXPECT_TRUE(enter(1));
  EXPECT_TRUE(enter(2));
  for (const int who : {3, 4, 5}) EXPECT_FALSE(enter(who));
  workplace.leave();
  EXPECT_EQ(order, (std::vector{3}));
  workplace.leave();
  workplace.leave();
  EXPECT_EQ(order, (std::vector{3, 4, 5}));
  EXPECT_FALSE(enter(6)) << "4 and 5 are there";
  workplace.leave();
  workplace.leave();
  EXPECT_TRUE(enter(7)) << "6 alone is there";
}

TEST(Workplace, SpacesBeginsByItsRateAndSavesNoneUp) {
  Workplace workplace(limit_of("rate:500/s"));
  for (const int64_t at_ns : {1'000, 2'001'000, 4'001'000}) EXPECT_EQ(workplace.begin_at(1'000), at_ns);
  EXPECT_EQ(workplace.begin_at(5'000'000), 6'001'000);
  EXPECT_EQ(workplace.begin_at(90'000'000), 90'000'000) << "as long as nobody comes nothing is owed";
  EXPECT_EQ(workplace.begin_at(90'000'000), 92'000'000);
}

TEST(Workplace, DoesNotDriftWhereTheRateDividesNoSecond) {
  Workplace workplace(limit_of("rate:3/s"));
  int64_t last_ns = 0;
  for (int i = 0; i <= 3'000; i++) last_ns = workplace.begin_at(0);
  EXPECT_NEAR(static_cast<double>(last_ns), 1e12, 1);
}

TEST(Workplace, ComputesOnThreadsOfItsOwnUntilItIsGivenUpOrStopped) {
  constexpr int64_t kWithoutEnd = 3'600'000'000'000;
  Workplace workplace({});
  std::promise<std::thread::id> done;
  const auto given_up = workplace.compute(kWithoutEnd, [] { FAIL(); });
  workplace.compute(1'000, [&done] { done.set_value(std::this_thread::get_id()); });
  EXPECT_NE(done.get_future().get(), std::this_thread::get_id());
  given_up->given_up = true;
  std::promise<void> next;
  workplace.compute(1, [&next] { next.set_value(); });
  next.get_future().get();
  workplace.compute(kWithoutEnd, [] { FAIL(); });
  workplace.stop();
}

}  // namespace
}  // namespace n2nq::receiver
