#include "app/plan/exact_text.h"

#include <gtest/gtest.h>

#include "app/plan/plain_text.h"

namespace n2nq::plan {
namespace {

TEST(ExactText, WritesDurationsInTheLargestUnitThatStaysExact) {
  EXPECT_EQ(exact_duration(0), "0s");
  EXPECT_EQ(exact_duration(20'000'000), "20ms");
  EXPECT_EQ(exact_duration(1'500'000'000), "1.5s");
  EXPECT_EQ(exact_duration(60'000'000'000), "60s");
  EXPECT_EQ(exact_duration(1'234'567), "1234.567us");
  EXPECT_EQ(exact_duration(-2'000), "-2us");
}

TEST(ExactText, WritesSizesInTheUnitInWhichTheyAreShort) {
  EXPECT_EQ(exact_size(0), "0B");
  EXPECT_EQ(exact_size(1000), "1kB");
  EXPECT_EQ(exact_size(16'000), "16kB");
  EXPECT_EQ(exact_size(16'384), "16KiB");
  EXPECT_EQ(exact_size(128'000), "128kB");
  EXPECT_EQ(exact_size(5'000'000), "5MB");
  EXPECT_EQ(exact_size(1536), "1.5KiB");
  EXPECT_EQ(exact_size(1025), "1025B");
  EXPECT_EQ(exact_size(256ull << 20), "256MiB");
  EXPECT_EQ(exact_size_range({.min = 10, .max = 1024}), "10B..1KiB");
  EXPECT_EQ(exact_size_range({.min = 50, .max = 50}), "50B");
}

TEST(ExactText, ReadsBackAsTheSameNumber) {
  for (int64_t ns = 1; ns < 100'000'000'000'000; ns = ns * 7 / 3 + 11) {
    EXPECT_EQ(parse_duration(exact_duration(ns)), ns) << exact_duration(ns);
    const auto bytes = static_cast<uint64_t>(ns);
    EXPECT_EQ(parse_size(exact_size(bytes)), bytes) << exact_size(bytes);
  }
}

TEST(ExactText, PeopleReadABlankBeforeTheUnit) {
  EXPECT_EQ(told("20ms"), "20 ms");
  EXPECT_EQ(told("1234.567us"), "1234.567 µs");
  EXPECT_EQ(told("-2us"), "-2 µs");
  EXPECT_EQ(told("50B"), "50 B");
  EXPECT_EQ(told("10B..1KiB"), "10 B to 1 KiB");
  EXPECT_EQ(told("recorded /20ms/10B.csv"), "recorded /20ms/10B.csv");
  EXPECT_EQ(told("exponential:5ms"), "exponential 5 ms");
  EXPECT_EQ(told("busy-exponential:5ms+10us/1KiB"), "busy-exponential 5 ms + 10 µs/1 KiB");
  EXPECT_EQ(told("leader:5s"), "leader:5 s");
  EXPECT_EQ(told("r1: size=10B..20B"), "r1: size=10 B to 20 B");
  for (const char* other :
       {"none", "", "1234", "127.0.0.1:7500", "vm1", "/home/10s5/x", "10.0.0.5s", "thesis-1s", "a 5sx"})
    EXPECT_EQ(told(other), other);
}

TEST(PlainText, TurnsNoDirection) {
  for (const std::string turn : {"\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"}) {
    const std::string name = "gpj" + turn + "exe";
    EXPECT_TRUE(has_controls(name));
    EXPECT_TRUE(trouble_with_text(name));
    for (const std::string& harmless : {plain_text(name), without_controls(name), one_line(name), without_turns(name)})
      EXPECT_EQ(harmless, "gpj   exe");
  }
  for (const std::string good : {"\u200d", "\u2026", "\u2065", "\u206a", "שלום", "b\u00fcr\u00f6"}) {
    EXPECT_FALSE(has_controls(good)) << good;
    EXPECT_FALSE(trouble_with_text(good)) << good;
  }
}

TEST(PlainText, HasNoOrdersForATerminal) {
  EXPECT_EQ(without_controls("a\x1b]0;x\x07\tb\nc\x7f"), "a ]0;x \tb\nc ");
  EXPECT_EQ(without_controls("a\xc2\x9b"
                             "2Jb"),
            "a  2Jb");
  EXPECT_EQ(one_line("a\nb\tc"), "a b c");
}

}  // namespace
}  // namespace n2nq::plan
