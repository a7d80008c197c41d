#include "app/plan/pair_load.h"

#include <gtest/gtest.h>

namespace n2nq::plan {
namespace {

SenderPlan hundred_a_second() {
  SenderPlan senders;
  senders.messages = 500;
  senders.delay_ns = 10'000'000;
  senders.size_bytes = {.min = 1, .max = 100};
  return senders;
}

TEST(PairLoad, OfTheBroadcasterIsTheRateOfEachSender) {
  const PairLoad load(hundred_a_second(), Mode::broadcaster, FilterMatrix(3, 2));
  EXPECT_TRUE(load.per_second());
  EXPECT_DOUBLE_EQ(load.of(2, 3).value(), 100);
  EXPECT_DOUBLE_EQ(load.least(), 100);
  EXPECT_DOUBLE_EQ(load.largest(), 100);
  EXPECT_EQ(load.of(3, 1), std::nullopt) << "there is no such receiver";
}

TEST(PairLoad, IsLessWhereSizeOrIndexIsFiltered) {
  FilterMatrix matrix(2, 3);
  ASSERT_TRUE(matrix.set_size_text(1, "1B..25B"));
  ASSERT_TRUE(matrix.set_index_text(2, "1..100"));
  ASSERT_TRUE(matrix.set_size_text(3, "200B..300B"));
  const PairLoad load(hundred_a_second(), Mode::broadcaster, matrix);
  EXPECT_DOUBLE_EQ(load.of(1, 1).value(), 25);
  EXPECT_DOUBLE_EQ(load.of(2, 1).value(), 20);
  EXPECT_DOUBLE_EQ(load.of(3, 1).value(), 0) << "no message is so large";
  EXPECT_DOUBLE_EQ(load.least(), 20);
  EXPECT_DOUBLE_EQ(load.largest(), 25);
}

TEST(PairLoad, OfTheLoadBalancerIsSpreadOverThoseThatTakeAMessage) {
  FilterMatrix matrix(2, 4);
  for (const uint32_t receiver : {2u, 3u, 4u}) matrix.set(receiver, 2, false);
  const PairLoad load(hundred_a_second(), Mode::load_balancer, matrix);
  EXPECT_DOUBLE_EQ(load.of(1, 1).value(), 25);
  EXPECT_DOUBLE_EQ(load.of(1, 2).value(), 100) << "nobody else takes them";
  EXPECT_DOUBLE_EQ(load.least(), 25);
  EXPECT_DOUBLE_EQ(load.largest(), 100);
}

TEST(PairLoad, InARunIsWhatTheSendersReallySend) {
  FilterMatrix matrix(2, 2);
  ASSERT_TRUE(matrix.set_index_text(2, "1..100"));
  const PairLoad load(hundred_a_second(), Mode::broadcaster, matrix, {80, 40});
  EXPECT_TRUE(load.per_second());
  EXPECT_DOUBLE_EQ(load.of(1, 1).value(), 80);
  EXPECT_DOUBLE_EQ(load.of(1, 2).value(), 40);
  EXPECT_DOUBLE_EQ(load.least(), 8);
  EXPECT_DOUBLE_EQ(load.largest(), 80);
}

TEST(PairLoad, OfSendersWithoutAScheduleIsAShare) {
  SenderPlan senders = hundred_a_second();
  senders.delay_ns = 0;
  FilterMatrix matrix(1, 1);
  EXPECT_FALSE(PairLoad(senders, Mode::broadcaster, matrix).per_second());
  EXPECT_DOUBLE_EQ(PairLoad(senders, Mode::broadcaster, matrix).of(1, 1).value(), 100);
  senders.duration_ns = 1'000'000'000;
  ASSERT_TRUE(matrix.set_index_text(1, "1..100"));
  const PairLoad load(senders, Mode::broadcaster, matrix);
  EXPECT_EQ(load.of(1, 1), std::nullopt) << "who knows how many there will be";
  EXPECT_EQ(load.largest(), 0);
}

}  // namespace
}  // namespace n2nq::plan
