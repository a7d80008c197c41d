#include "workers/measure/service_time.h"

#include <gtest/gtest.h>

#include <cmath>

namespace n2nq::measure {
namespace {

using Kind = ServiceTime::Kind;

TEST(ServiceTime, IsReadWithItsKind) {
  EXPECT_EQ(*parse_service_time("none"), ServiceTime());
  EXPECT_EQ(*parse_service_time("fixed:5ms"), (ServiceTime{Kind::fixed, 5'000'000}));
  EXPECT_EQ(*parse_service_time("5ms"), (ServiceTime{Kind::fixed, 5'000'000}));
  EXPECT_EQ(*parse_service_time("exponential:1.5s"), (ServiceTime{Kind::exponential, 1'500'000'000}));
}

TEST(ServiceTime, ThatCannotBeIsRefusedWithWhatItTakes) {
  for (const char* text : {"", "5", "normal:5ms", "fixed:", "fixed:-5ms", "fixed:5ms:2", "Exponential:5ms"})
    EXPECT_NE(parse_service_time(text).error().text.find("fixed:5ms or exponential:5ms"), std::string::npos) << text;
  for (const char* text : {"fixed:0", "0", "exponential:2h"})
    EXPECT_NE(parse_service_time(text).error().text.find("from 1ns to 1h"), std::string::npos) << text;
}

TEST(ServiceTimes, OfAFixedTimeAreAllAlike) {
  ServiceTimes times({Kind::fixed, 77}, 1, 1);
  EXPECT_EQ(times.next_ns(), 77);
  EXPECT_EQ(times.next_ns(), 77);
}

TEST(ServiceTimes, AreExponentialAndRepeatWithTheirSeed) {
  constexpr int64_t kMeanTime = 5'000'000;
  constexpr int kServices = 200'000;
  ServiceTimes times({Kind::exponential, kMeanTime}, 1, 3);
  ServiceTimes same({Kind::exponential, kMeanTime}, 1, 3);
  ServiceTimes another({Kind::exponential, kMeanTime}, 1, 4);
  double sum = 0;
  double squares = 0;
  double product = 0;  // with another receiver's: nothing in common
  for (int i = 0; i < kServices; i++) {
    const int64_t ns = times.next_ns();
    ASSERT_EQ(ns, same.next_ns());
    ASSERT_GE(ns, 0);
    const double x = static_cast<double>(ns) / kMeanTime;
    sum += x;
    squares += x * x;
    product += x * static_cast<double>(another.next_ns()) / kMeanTime;
  }
  EXPECT_NEAR(sum / kServices, 1, 0.01);
  EXPECT_NEAR(squares / kServices, 2, 0.03);
  EXPECT_NEAR(product / kServices, 1, 0.02);
}

}  // namespace
}  // namespace n2nq::measure
