#include "workers/measure/clock.h"

#include <gtest/gtest.h>

namespace n2nq::measure {
namespace {

constexpr const char* kBoot = "6f9a7a0e-0c3e-4a43-9f5e-111111111111\n";
constexpr const char* kNamespace = "time:[4026531834]";

TEST(Clock, MonotonicTimeNeverGoesBack) {
  int64_t last = now_ns();
  for (int i = 0; i < 10'000; i++) {
    const int64_t now = now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(Clock, IdIsTheSameWheneverAsked) {
  EXPECT_EQ(clock_id(), clock_id());
}

TEST(Clock, IdIsNonzeroForAKnownBootAndNamespace) {
  EXPECT_NE(clock_id_from(kBoot, kNamespace, ""), 0u);
}

TEST(Clock, IdDiffersBetweenBoots) {
  EXPECT_NE(clock_id_from(kBoot, kNamespace, ""),
            clock_id_from("6f9a7a0e-0c3e-4a43-9f5e-111111111112\n", kNamespace, ""));
}

TEST(Clock, IdDiffersBetweenTimeNamespaces) {
  EXPECT_NE(clock_id_from(kBoot, kNamespace, ""), clock_id_from(kBoot, "time:[4026531835]", ""));
}

TEST(Clock, IdDiffersBetweenMonotonicOffsetsButNotBoottimeOnes) {
  const auto plain =
      clock_id_from(kBoot, kNamespace, "monotonic           0         0\nboottime            0         0\n");
  EXPECT_NE(plain,
            clock_id_from(kBoot, kNamespace, "monotonic          10         0\nboottime            0         0\n"));
  EXPECT_EQ(plain,
            clock_id_from(kBoot, kNamespace, "monotonic           0         0\nboottime            7         0\n"));
}

TEST(Clock, IdIsZeroWhenTheBootIsUnknown) {
  EXPECT_EQ(clock_id_from("", kNamespace, ""), 0u);
  EXPECT_EQ(clock_id_from("00000000-0000-0000-0000-000000000000\n", kNamespace, ""), 0u);
}

TEST(Clock, UtcTextIsIso8601WithMicrosecondsOrAsManyDecimalsAsAsked) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(utc_text(1'709'210'096'123'456'789), "2024-02-29T12:34:56.123456Z");
  EXPECT_EQ(utc_text(1'709'210'096'123'456'789, 9), "2024-02-29T12:34:56.123456789Z");
}

TEST(Clock, UtcTextRoundsDownBefore1970Too) {
  EXPECT_EQ(utc_text(-1), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(utc_text(-1, 9), "1969-12-31T23:59:59.999999999Z");
}

}  // namespace
}  // namespace n2nq::measure
