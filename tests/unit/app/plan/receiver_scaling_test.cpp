#include "app/plan/receiver_scaling.h"

#include <gmock/gmock.h>

#include "app/plan/exact_text.h"

namespace n2nq::plan {
namespace {

using testing::HasSubstr;

constexpr int64_t kScalingSecondNs = 1'000'000'000;

TEST(ReceiverScaling, IsALineOfText) {
  const auto scaling = parse_scaling("from 2 above 1000 below 10 every 2s");
  ASSERT_TRUE(scaling);
  EXPECT_EQ(*scaling, (ReceiverScaling{.from = 2, .above = 1000, .below = 10, .every_ns = 2 * kScalingSecondNs}));
  EXPECT_EQ(to_text(*scaling), "from 2 above 1000 below 10 every 2s");
  EXPECT_EQ(*parse_scaling(" from 2 above 1,000  below 10 every 2 s "), *scaling) << "as people write it";
  EXPECT_EQ(*parse_scaling(told(to_text(*scaling))), *scaling) << "as the window shows it";
  for (const char* none : {"", "none"}) EXPECT_FALSE(parse_scaling(none)->exists());
  EXPECT_EQ(to_text(ReceiverScaling{}), "none");
}

TEST(ReceiverScaling, SaysWhatIsWrong) {
  const auto error = [](const char* text) { return parse_scaling(text).error().text; };
  for (const char* text :
       {"2", "from", "from 2 above 5", "from x above 5 below 1 every 1s", "from 2 below 5 above 10 every 1s",
        "from 2 above 5 below 1 every", "from 1 above 5 below 1 every 5", "from 1 above -5 below 1 every 5s"})
    EXPECT_THAT(error(text), HasSubstr("is not understood; enter")) << text;
  EXPECT_THAT(error("from 0 above 5 below 1 every 1s"), HasSubstr("out of range"));
  EXPECT_THAT(error("from 1 above 1000000000001 below 1 every 1s"), HasSubstr("out of range"));
  EXPECT_THAT(error("from 1 above 5 below 5 every 1s"), HasSubstr("lets a receiver go where another is to come"));
  EXPECT_THAT(error("from 1 above 5 below 1 every 100ms"), HasSubstr("each 200ms to 3600s"));
}

TEST(ReceiverScaling, GoesOneByOneBetweenTheBeginAndAll) {
  const ReceiverScaling scaling{.from = 2, .above = 100, .below = 10, .every_ns = kScalingSecondNs};
  EXPECT_EQ(next_count(scaling, 2, 4, 101), 3u);
  EXPECT_EQ(next_count(scaling, 4, 4, 1e9), 4u);
  for (const double waiting : {10.0, 50.0, 100.0}) EXPECT_EQ(next_count(scaling, 3, 4, waiting), 3u) << waiting;
  EXPECT_EQ(next_count(scaling, 3, 4, 9), 2u);
  EXPECT_EQ(next_count(scaling, 2, 4, 0), 2u);
}

}  // namespace
}  // namespace n2nq::plan
