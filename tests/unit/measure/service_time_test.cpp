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
  EXPECT_EQ(*parse_service_time("busy:5ms"),
            (ServiceTime{.kind = Kind::fixed, .mean_ns = 5'000'000, .computes = true}));
  EXPECT_EQ(
      *parse_service_time("busy-exponential:5ms+10us/1KiB"),
      (ServiceTime{
          .kind = Kind::exponential, .mean_ns = 5'000'000, .piece_ns = 10'000, .piece_bytes = 1024, .computes = true}));
}

TEST(ServiceTime, GrowsWithTheSizeInProportion) {
  const ServiceTime time = *parse_service_time("0s+10us/1KiB");
  EXPECT_EQ(time.mean_of(0), 0);
  EXPECT_EQ(time.mean_of(512), 5'000);
  EXPECT_EQ(time.mean_of(1 << 20), 10'240'000);
  EXPECT_EQ(parse_service_time("fixed:1ms+1h/1B")->mean_of(1 << 30), kLongestServiceNs);
  EXPECT_EQ(ServiceTimes(*parse_service_time("2ms+1ms/1kB"), 1, 1).next_ns(3000), 5'000'000);
}

TEST(SharedLimit, ReadsBackAsItIsWritten) {
  for (const char* text : {"none", "pool:1", "pool:10000", "rate:0.5/s", "rate:200/s"})
    EXPECT_EQ(exact_shared_limit(*parse_shared_limit(text)), text);
  EXPECT_EQ(*parse_shared_limit("rate:200"), (SharedLimit{.kind = SharedLimit::Kind::rate, .per_s = 200}));
  for (const char* text :
       {"", "4", "pool", "pool:0", "pool:10001", "pool:x", "rate:0/s", "rate:0.0009/s", "rate:-1/s", "crowd:4"})
    EXPECT_NE(parse_shared_limit(text).error().text.find("pool:4"), std::string::npos) << text;
}

TEST(ServiceTime, ThatCannotBeIsRefusedWithWhatItTakes) {
  for (const char* text : {"", "5", "normal:5ms", "fixed:", "fixed:-5ms", "fixed:5ms:2", "Exponential:5ms", "none:5ms",
                           "fixed:5ms+", "fixed:5ms+1us", "fixed:5ms+1us/0B", "fixed:5ms+0us/1KiB", "busy"})
    EXPECT_NE(parse_service_time(text).error().text.find("fixed:5ms or exponential:5ms"), std::string::npos) << text;
  for (const char* text : {"fixed:0", "0", "exponential:2h", "busy:1ms+2h/1B"})
    EXPECT_NE(parse_service_time(text).error().text.find("from 1ns to 1h"), std::string::npos) << text;
}

TEST(ServiceTimes, OfAFixedTimeAreAllAlike) {
  ServiceTimes times({Kind::fixed, 77}, 1, 1);
  EXPECT_EQ(times.next_ns(0), 77);
  EXPECT_EQ(times.next_ns(0), 77);
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
    const int64_t ns = times.next_ns(0);
    ASSERT_EQ(ns, same.next_ns(0));
    ASSERT_GE(ns, 0);
    const double x = static_cast<double>(ns) / kMeanTime;
    sum += x;
    squares += x * x;
    product += x * static_cast<double>(another.next_ns(0)) / kMeanTime;
  }
  EXPECT_NEAR(sum / kServices, 1, 0.01);
  EXPECT_NEAR(squares / kServices, 2, 0.03);
  EXPECT_NEAR(product / kServices, 1, 0.02);
}

}  // namespace
}  // namespace n2nq::measure
