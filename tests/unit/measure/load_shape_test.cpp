#include "workers/measure/load_shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "workers/measure/load_parts.h"
#include "workers/measure/load_profile.h"
#include "workers/measure/pacer.h"

namespace n2nq::measure {
namespace {

using Kind = LoadShape::Kind;
constexpr int64_t kSecond = 1'000'000'000;

LoadShape shape(const char* text) {
  const auto parsed = parse_shape(text);
  EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().text);
  return parsed.value_or(LoadShape{});
}

std::string error_of(const char* text) {
  const auto parsed = parse_shape(text);
  return parsed ? "none" : parsed.error().text;
}

TEST(LoadShape, IsReadFromWordsAndWrittenAsTheSame) {
  for (const char* text :
       {"constant", "ramp 100/s..5000/s over 30s", "steps 100/s..1000/s in 10 over 30s",
        "spike 500/s..5000/s at 10s for 2s over 30s", "burst 0/s..0.5/s every 1s for 100ms over 1500ms"})
    EXPECT_EQ(exact_shape(shape(text)), text);
  EXPECT_EQ(exact_shape(shape("ramp 1,000/s .. 5,000/s over 30 s")), "ramp 1000/s..5000/s over 30s");
  EXPECT_EQ(exact_shape(shape(" steps  in 5 steps over 1min from 10 to 20")), "steps 10/s..20/s in 5 over 60s");
  EXPECT_EQ(shape("ramp"), LoadShape{.kind = Kind::ramp}) << "the rest is as it is by default";
}

TEST(LoadShape, SaysWhatIsWrongAndWhatToWrite) {
  EXPECT_NE(error_of("wave").find("there are constant, ramp, steps, spike, burst"), std::string::npos);
  EXPECT_NE(error_of("ramp 5").find("write it like 100/s..5000/s"), std::string::npos);
  EXPECT_NE(error_of("ramp 1/s..2/s over soon").find("write it like 30s"), std::string::npos);
  EXPECT_NE(error_of("ramp 1/s..2/s at 3s").find("a ramp has no 'at'"), std::string::npos);
  EXPECT_NE(error_of("ramp -1/s..2/s").find("out of range"), std::string::npos);
  EXPECT_NE(error_of("ramp 1/s..nan/s").find("not a rate"), std::string::npos);
  EXPECT_NE(error_of("ramp 1/s..1e99/s").find("not a rate"), std::string::npos);
  EXPECT_NE(error_of("steps 1/s..2/s in many").find("number of steps"), std::string::npos);
  EXPECT_NE(error_of("constant 5/s").find("write constant alone"), std::string::npos);
  EXPECT_NE(error_of("").find("is not a load shape"), std::string::npos);
  EXPECT_EQ(error_of("ramp 1/s..2/s over 3s over 4s"), "'over' is there twice; write it once");
  EXPECT_EQ(error_of("ramp 1/s..2/s to 4/s"), "'to' is there twice; write it once");
}

TEST(LoadShape, HasAProblemForEachPartThatCannotBe) {
  const auto part = [](const char* text) {
    const auto problems = problems_of(shape(text));
    return problems.empty() ? "" : problems.front().part;
  };
  EXPECT_EQ(part("ramp 100/s..5000/s over 30s"), "");
  EXPECT_EQ(part("ramp 0/s..0/s over 30s"), "to");
  EXPECT_EQ(part("ramp 1/s..2/s over 0s"), "over");
  EXPECT_EQ(part("steps 1/s..2/s in 1"), "steps");
  EXPECT_EQ(part("spike 1/s..2/s at 9s for 2s over 10s"), "over");
  EXPECT_EQ(part("burst 1/s..2/s every 1s for 2s"), "for");
  EXPECT_EQ(part("burst 1/s..2/s every 1ms for 1ms over 100s"), "every");
}

// By adding up small pieces of the rate, as a person would who knows the words alone.
double messages_by_pieces(const LoadShape& shape, double until_s) {
  const auto seconds = [](int64_t ns) { return static_cast<double>(ns) / kSecond; };
  const double over = seconds(shape.over_ns);
  const auto rate_at = [&](double s) {
    const double rise = shape.to_per_s - shape.from_per_s;
    switch (shape.kind) {
      case Kind::ramp:
        return shape.from_per_s + rise * s / over;
      case Kind::steps:
        return shape.from_per_s + rise * std::floor(s / over * shape.steps) / (shape.steps - 1);
      case Kind::spike:
        return s >= seconds(shape.at_ns) && s < seconds(shape.at_ns + shape.for_ns) ? shape.to_per_s : shape.from_per_s;
      case Kind::burst:
        return std::fmod(s, seconds(shape.every_ns)) < seconds(shape.for_ns) ? shape.to_per_s : shape.from_per_s;
      case Kind::constant:
      case Kind::recorded:
        break;
    }
    return 0.0;
  };
  constexpr int kPieces = 200'000;
  double sum = 0;
  for (int i = 0; i < kPieces; i++) sum += rate_at((i + 0.5) * until_s / kPieces) * until_s / kPieces;
  return sum;
}

constexpr const char* kShapes[] = {"ramp 100/s..5000/s over 30s",
                                   "ramp 900/s..0/s over 7s",
                                   "ramp 0/s..400/s over 3s",
                                   "steps 100/s..1000/s in 10 over 30s",
                                   "steps 0/s..70/s in 3 over 10s",
                                   "spike 500/s..5000/s at 10s for 2s over 30s",
                                   "spike 0/s..50/s at 1s for 2s over 4s",
                                   "burst 0/s..1000/s every 1s for 100ms over 10s",
                                   "burst 30/s..300/s every 3s for 1s over 10s"};

TEST(LoadProfile, HasAsManyMessagesAsTheIntegralOfItsRate) {
  for (const char* text : kShapes) {
    const LoadProfile profile(shape(text));
    for (const double part : {0.1, 0.37, 0.5, 0.93, 1.0}) {
      const double s = part * static_cast<double>(profile.length_ns()) / kSecond;
      const double by_hand = messages_by_pieces(shape(text), s);
      EXPECT_NEAR(profile.messages_until(std::llround(s * kSecond)), by_hand, 1e-3 * by_hand + 0.05) << text;
    }
  }
  EXPECT_EQ(LoadProfile(shape("ramp 100/s..5000/s over 30s")).messages(), 76'500);
  EXPECT_EQ(LoadProfile(shape("steps 100/s..1000/s in 10 over 30s")).messages(), 16'500);
  EXPECT_EQ(LoadProfile(shape("spike 500/s..5000/s at 10s for 2s over 30s")).messages(), 24'000);
  EXPECT_EQ(LoadProfile(shape("burst 0/s..1000/s every 1s for 100ms over 10s")).messages(), 1'000);
}

TEST(LoadProfile, HasEachMessageDueWhereTheIntegralReachesIt) {
  for (const char* text : kShapes) {
    const LoadProfile profile(shape(text));
    size_t near = 0;
    int64_t before_ns = 0;
    for (double i = 0; i < profile.messages(); i++) {
      const int64_t due_ns = profile.time_of(i, near);
      ASSERT_GE(due_ns, before_ns) << text << " message " << i;
      ASSERT_LT(due_ns, profile.length_ns()) << text << " message " << i;
      ASSERT_NEAR(profile.messages_until(due_ns), i, 1e-4) << text << " at " << due_ns;
      before_ns = due_ns;
    }
  }
}

TEST(LoadProfile, FindsAMessageAlsoOutOfOrder) {
  const LoadProfile profile(shape("burst 30/s..300/s every 3s for 1s over 10s"));
  size_t near = 0;
  std::vector<int64_t> in_order;
  for (double i = 0; i < profile.messages(); i++) in_order.push_back(profile.time_of(i, near));
  for (size_t i = in_order.size(); i-- > 0;) ASSERT_EQ(profile.time_of(static_cast<double>(i), near), in_order[i]);
}

TEST(LoadProfile, HasABurstBeginAtItsTimeAndNotAtTheEndOfTheOneBefore) {
  const LoadProfile profile(shape("burst 0/s..1000/s every 1s for 100ms over 10s"));
  size_t near = 0;
  EXPECT_EQ(profile.time_of(99, near), 99'000'000);
  EXPECT_EQ(profile.time_of(100, near), kSecond);
  EXPECT_EQ(profile.longest_gap_ns(), 901'000'000);
  EXPECT_EQ(LoadProfile(shape("spike 0/s..50/s at 1s for 2s over 4s")).longest_gap_ns(), 1'020'000'000);
}

TEST(LoadProfile, DealsAllItsMessagesToTheSendersWithoutOneTwice) {
  for (const char* text : kShapes) {
    const LoadProfile profile(shape(text));
    std::vector<int64_t> due;
    constexpr uint64_t kSenders = 7;
    for (uint64_t k = 0; k < kSenders; k++) {
      const double first = first_of(PhaseKind::even, k, kSenders, 1);
      const Schedule schedule = Schedule::shaped(1'000, profile, first, kSenders);
      const uint64_t count = profile.count_of(first, kSenders);
      for (uint64_t i = 0; i < count; i++) due.push_back(schedule.intended_ns(i) - 1'000);
    }
    std::ranges::sort(due);
    size_t near = 0;
    ASSERT_EQ(due.size(), std::ceil(profile.messages())) << text;
    for (size_t i = 0; i < due.size(); i++) ASSERT_EQ(due[i], profile.time_of(static_cast<double>(i), near)) << text;
  }
}

// Of messages `first`, `first` + `step`, ..., whichever the first is, by looking at each of them.
int64_t longest_by_hand_ns(const LoadProfile& profile, double step) {
  int64_t longest_ns = 0;
  size_t near = 0;
  for (double first = 0; first < step; first += std::max(step / 50, 1.0)) {
    int64_t before_ns = 0;
    for (double amount = first;; amount += step) {
      const int64_t due_ns = profile.time_of(amount, near);
      longest_ns = std::max(longest_ns, due_ns - before_ns);
      before_ns = due_ns;
      if (amount >= profile.messages()) break;
    }
  }
  return longest_ns;
}

TEST(LoadParts, TellHowLongSomeOfItsMessagesTakeAtTheMost) {
  for (const char* text : kShapes)
    for (const double step : {1.0, 20.0, 500.0}) {
      const LoadProfile profile(shape(text));
      const int64_t by_hand_ns = longest_by_hand_ns(profile, step);
      const int64_t told_ns = longest_ns(shape(text), step);
      EXPECT_GE(told_ns + 2, by_hand_ns) << text << " step " << step;
      EXPECT_LE(told_ns, by_hand_ns + by_hand_ns / 5 + kSecond) << text << " step " << step;
    }
  EXPECT_EQ(longest_ns(shape("burst 0/s..1000/s every 1s for 100ms over 10s"), 1), 901'000'000);
  EXPECT_EQ(longest_ns(shape("spike 0/s..50/s at 1s for 2s over 4s"), 1), 1'020'000'000);
  EXPECT_EQ(longest_ns(shape("ramp 1/s..2/s over 1s"), 99), kSecond) << "no longer than all of it";
  EXPECT_EQ(longest_ns({}, 1), 0);
}

TEST(LoadParts, TellTheLengthOfThePartInWhichAMessageIsDue) {
  const LoadShape burst = shape("burst 10/s..1000/s every 1s for 100ms over 1950ms");
  EXPECT_EQ(part_length_ns(burst, 0), 100'000'000);
  EXPECT_EQ(part_length_ns(burst, 99'999'999), 100'000'000);
  EXPECT_EQ(part_length_ns(burst, 100'000'000), 900'000'000);
  EXPECT_EQ(part_length_ns(burst, 1'100'000'000), 850'000'000) << "the last one";
  EXPECT_EQ(part_length_ns(burst, 9 * kSecond), 850'000'000);
  EXPECT_EQ(part_length_ns(shape("ramp 10/s..100/s over 3s"), kSecond), 3 * kSecond);
  const LoadShape spike = shape("spike 10/s..100/s at 1s for 2s over 10s");
  EXPECT_EQ(part_length_ns(spike, kSecond - 1), kSecond);
  EXPECT_EQ(part_length_ns(spike, kSecond), 2 * kSecond);
  EXPECT_EQ(part_length_ns(spike, 3 * kSecond), 7 * kSecond);
  const LoadShape steps = shape("steps 10/s..100/s in 3 over 10s");
  EXPECT_EQ(part_length_ns(steps, 3'333'333'332), 3'333'333'333);
  EXPECT_EQ(part_length_ns(steps, 3'333'333'333), 3'333'333'333);
  EXPECT_EQ(part_length_ns(steps, 6'666'666'666), 3'333'333'334);
}

TEST(RecordedLoad, HasEachMessageDueAtItsTimeAndDealsThemInOrder) {
  const std::vector<int64_t> times{0, 5, 5, 20, 1'000'000'007};
  const LoadShape load = recorded_shape(times_from("x", pack_times(times)).value());
  EXPECT_EQ(load.over_ns, 1'000'000'008) << "until behind the last one";
  EXPECT_TRUE(problems_of(load).empty());
  const LoadProfile profile(load);
  EXPECT_EQ(profile.messages(), 5);
  EXPECT_EQ(profile.messages_until(5), 1);
  EXPECT_EQ(profile.messages_until(6), 3);
  EXPECT_EQ(profile.messages_until(kSecond * 2), 5);
  std::vector<int64_t> sent;
  for (uint32_t k = 0; k < 2; k++) {
    const Schedule schedule = Schedule::shaped(100, profile, first_of(PhaseKind::even, k, 2, 1), 2);
    EXPECT_EQ(profile.count_of(first_of(PhaseKind::even, k, 2, 1), 2), k == 0 ? 3u : 2u);
    for (uint64_t i = 0; i < (k == 0 ? 3 : 2); i++) {
      EXPECT_EQ(schedule.intended_ns(i) - 100, times[2 * i + k]);
      sent.push_back(schedule.intended_ns(i) - 100);
    }
  }
  std::ranges::sort(sent);
  EXPECT_EQ(sent, times);
  EXPECT_EQ(profile.longest_gap_ns(), 999'999'987);
  EXPECT_EQ(longest_ns(load, 2), 1'000'000'002) << "from the second or third until the end";
  EXPECT_EQ(part_length_ns(load, 7), load.over_ns);
  EXPECT_EQ(problems_of(LoadShape{.kind = Kind::recorded}).front().part, "file");
}

TEST(Schedule, OfAShapeMovesByTheLengthOfAPause) {
  const LoadProfile profile(shape("ramp 0/s..100/s over 10s"));
  Schedule schedule = Schedule::shaped(0, profile, 0, 1);
  const int64_t due_ns = schedule.intended_ns(50);
  schedule.pause(kSecond);
  schedule.resume(3 * kSecond);
  EXPECT_EQ(schedule.intended_ns(50), due_ns + 2 * kSecond);
}

// Of a Poisson process with this rate the number in a piece of time has the integral there as its mean and variance.
TEST(Schedule, OfAPoissonShapeHasTheRateOfTheShapeInEachOfItsTenths) {
  const LoadProfile profile(shape("ramp 100/s..5000/s over 30s"));
  std::vector<double> tenths(10, 0);
  const Schedule again = Schedule::shaped_poisson(0, profile, 1, 5, 3);
  Schedule schedule = Schedule::shaped_poisson(0, profile, 1, 5, 3);
  for (uint64_t i = 0;; i++) {
    const int64_t due_ns = schedule.intended_ns(i);
    if (i % 1000 == 0) {
      ASSERT_EQ(again.intended_ns(i), due_ns) << "the same for the same seed";
    }
    if (due_ns >= profile.length_ns()) break;
    tenths[static_cast<size_t>(due_ns / (3 * kSecond))]++;
    schedule.forget_before(i);
  }
  for (int64_t i = 0; i < 10; i++) {
    const double mean = profile.messages_until((i + 1) * 3 * kSecond) - profile.messages_until(i * 3 * kSecond);
    EXPECT_NEAR(tenths[static_cast<size_t>(i)], mean, 5 * std::sqrt(mean)) << i;
  }
}

}  // namespace
}  // namespace n2nq::measure
