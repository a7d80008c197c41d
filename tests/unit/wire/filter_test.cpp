#include "broker/wire/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/base/random.h"
#include "broker/wire/bytes.h"

namespace n2nq::wire {
namespace {

using testing::HasSubstr;
using Range = Filter::Range;
using Ranges = std::vector<Filter::Range>;

constexpr uint32_t kSelf = 7;

std::vector<uint8_t> encoded(const Filter& filter) {
  std::vector<uint8_t> bytes(encoded_size(filter));
  encode(filter, bytes.data());
  return bytes;
}

Filter parsed(std::string_view text) {
  const auto filter = parse_filter(text, kSelf);
  EXPECT_TRUE(filter) << filter.error().text;
  return filter.value_or(Filter());
}

Filter any_filter(Random& random) {
  Filter filter;
  if (random.below(3) != 0) {
    filter.senders.emplace();
    for (uint64_t n = random.below(20); n > 0; n--) {
      const auto first = static_cast<uint32_t>(random.below(200) + 1);
      filter.senders->push_back({.first = first, .last = first + static_cast<uint32_t>(random.below(5))});
    }
  }
  if (random.below(2) == 0) {
    const uint64_t min = random.next() >> (32 + random.below(32));
    filter.size = Filter::Bounds{.min = min, .max = min + random.below((uint64_t{1} << 32) - min)};
  }
  if (random.below(2) == 0) {
    const uint64_t min = random.next() >> random.below(64);
    filter.index = Filter::Bounds{.min = min, .max = min + random.below(~min)};
  }
  if (filter.senders) normalise(*filter.senders);
  return filter;
}

TEST(Filter, OfNothingWantsEverything) {
  const Filter filter = parsed("");
  EXPECT_TRUE(filter.everything());
  EXPECT_TRUE(filter.matches(1, 0, 1));
  EXPECT_TRUE(filter.matches(0xFFFFFFFFu, 1u << 31, ~uint64_t{0}));
  EXPECT_EQ(to_text(filter), "");
}

TEST(Filter, MatchesWhatAllItsPartsMatch) {
  const Filter filter = parsed("senders=1..5,9;size=10B..1KiB;index=1..100");
  EXPECT_TRUE(filter.matches(1, 10, 1));
  EXPECT_TRUE(filter.matches(5, 1024, 100));
  EXPECT_TRUE(filter.matches(9, 50, 50));
  EXPECT_FALSE(filter.matches(6, 50, 50));
  EXPECT_FALSE(filter.matches(8, 50, 50));
  EXPECT_FALSE(filter.matches(10, 50, 50));
  EXPECT_FALSE(filter.matches(0, 50, 50));
  EXPECT_FALSE(filter.matches(1, 9, 50));
  EXPECT_FALSE(filter.matches(1, 1025, 50));
  EXPECT_FALSE(filter.matches(1, 50, 0));
  EXPECT_FALSE(filter.matches(1, 50, 101));
}

TEST(Filter, FindsASenderAsALinearSearchWould) {
  Random random(21);
  for (int round = 0; round < 500; round++) {
    const Filter filter = any_filter(random);
    for (uint32_t sender = 0; sender < 210; sender++) {
      bool wanted = !filter.senders;
      if (filter.senders)
        for (const Range& range : *filter.senders) wanted |= sender >= range.first && sender <= range.last;
      ASSERT_EQ(filter.wants_sender(sender), wanted) << to_text(filter) << " sender " << sender;
    }
  }
}

TEST(Filter, TakesSelfForTheReceiversOwnNumber) {
  EXPECT_EQ(parsed("senders=self").senders, (Ranges{{kSelf, kSelf}}));
  EXPECT_EQ(parsed("senders=self..9").senders, (Ranges{{kSelf, 9}}));
}

TEST(Filter, CanWantNoSenderAtAll) {
  const Filter filter = parsed("senders=none");
  EXPECT_FALSE(filter.everything());
  EXPECT_FALSE(filter.matches(1, 1, 1));
  EXPECT_EQ(to_text(filter), "senders=none");
  const auto decoded = decode_filter(encoded(filter));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, filter);
}

TEST(Filter, HasOneFormForOneWish) {
  const Filter filter = parsed("senders=1..3,4..5,9,2,5,11..12,10");
  EXPECT_EQ(filter.senders, (Ranges{{1, 5}, {9, 12}}));
  EXPECT_EQ(filter, parsed("senders=9..12,1..5"));
  EXPECT_EQ(parsed("senders=4294967295,1..4294967295").senders, (Ranges{{1, 0xFFFFFFFFu}}));
}

TEST(Filter, SurvivesItsTextAndItsBytes) {
  Random random(22);
  for (int round = 0; round < 5000; round++) {
    const Filter filter = any_filter(random);
    const auto from_text = parse_filter(to_text(filter), kSelf);
    ASSERT_TRUE(from_text) << to_text(filter) << ": " << from_text.error().text;
    ASSERT_EQ(*from_text, filter) << to_text(filter);
    const auto from_bytes = decode_filter(encoded(filter));
    ASSERT_TRUE(from_bytes) << to_text(filter) << ": " << from_bytes.error().text;
    ASSERT_EQ(*from_bytes, filter) << to_text(filter);
  }
}

TEST(Filter, TakesAsManyRangesAsThePageAllowsAndNoMore) {
  std::string text = "senders=1";
  for (size_t i = 1; i < kMaxFilterRanges; i++) text += "," + std::to_string(1 + 2 * i);
  const Filter most = parsed(text);
  EXPECT_EQ(most.senders->size(), kMaxFilterRanges);
  EXPECT_EQ(decode_filter(encoded(most)), most);
  const auto more = parse_filter(text + ",100000", kSelf);
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().text, HasSubstr("1024"));
}

class RefusedFilter : public testing::TestWithParam<const char*> {};
TEST_P(RefusedFilter, IsRefusedWithAReason) {
  const auto filter = parse_filter(GetParam(), kSelf);
  ASSERT_FALSE(filter) << to_text(*filter);
  EXPECT_THAT(filter.error().text, HasSubstr("filter"));
}
INSTANTIATE_TEST_SUITE_P(Filter, RefusedFilter,
                         testing::Values(";", "senders", "senders=", "senders=0", "senders=-1", "senders=1,",
                                         "senders=,1", "senders=1..", "senders=..1", "senders=5..1", "senders=one",
                                         "senders=1 ..2", "senders=4294967296", "senders=1;senders=2", "senders=1;",
                                         ";senders=1", "size=", "size=1kb", "size=2B..1B", "size=4GiB", "size=1;size=2",
                                         "index=", "index=2..1", "index=1..", "index=-1", "index=1.5",
                                         "index=1;index=2", "colour=red", "senders=none,1", "Senders=1", "senders =1"));

// One valid filter that gives everything, to be spoiled a byte at a time.
class SpoiledFilter : public testing::Test {
 protected:
  std::vector<uint8_t> bytes_ = encoded(parsed("senders=1..5,9;size=10B..1KiB;index=1..100"));
};

TEST_F(SpoiledFilter, IsRefusedWhenCutAnywhere) {
  for (size_t length = 1; length < bytes_.size(); length++)
    EXPECT_FALSE(decode_filter(std::span(bytes_).first(length))) << length;
}

TEST_F(SpoiledFilter, IsRefusedWhenLonger) {
  bytes_.push_back(0);
  EXPECT_FALSE(decode_filter(bytes_));
}

TEST_F(SpoiledFilter, IsRefusedWithReservedOrUnknownBits) {
  for (const size_t at : {size_t{1}, size_t{12}, size_t{13}, size_t{14}, size_t{15}}) {
    auto spoiled = bytes_;
    spoiled[at] = 1;
    EXPECT_FALSE(decode_filter(spoiled)) << at;
  }
  for (const uint8_t given : {0, 8, 16, 32, 64, 128, 15}) {
    auto spoiled = bytes_;
    spoiled[0] = given;
    EXPECT_FALSE(decode_filter(spoiled)) << int{given};
  }
}

TEST_F(SpoiledFilter, IsRefusedWithPartsThatAreNotGiven) {
  for (const uint8_t given : {1, 2, 3, 4, 5, 6}) {
    auto spoiled = bytes_;
    spoiled[0] = given;
    EXPECT_FALSE(decode_filter(spoiled)) << int{given};
  }
}

TEST_F(SpoiledFilter, IsRefusedWithRangesThatRunBackwardsOrOverlap) {
  auto spoiled = bytes_;
  put<uint32_t>(&spoiled[4], 2000);
  EXPECT_FALSE(decode_filter(spoiled));
  spoiled = bytes_;
  put<uint64_t>(&spoiled[16], 101);
  EXPECT_FALSE(decode_filter(spoiled));
  spoiled = bytes_;
  put<uint32_t>(&spoiled[32], 6);
  EXPECT_FALSE(decode_filter(spoiled));
  spoiled = bytes_;
  put<uint32_t>(&spoiled[40], 5);
  EXPECT_FALSE(decode_filter(spoiled));
}

TEST_F(SpoiledFilter, IsRefusedWithAnotherNumberOfRangesThanItHolds) {
  for (const uint16_t n : {0, 1, 3, 0xFFFF}) {
    put<uint16_t>(&bytes_[2], n);
    EXPECT_FALSE(decode_filter(bytes_)) << n;
  }
}

TEST(FilterBytes, AreRefusedWithMoreRangesThanThePageAllows) {
  std::vector<uint8_t> bytes(kFilterFixedBytes + 8 * (kMaxFilterRanges + 1));
  bytes[0] = 1;
  put<uint16_t>(&bytes[2], kMaxFilterRanges + 1);
  for (uint32_t i = 0; i <= kMaxFilterRanges; i++) {
    put<uint32_t>(&bytes[kFilterFixedBytes + 8 * i], 2 * i + 1);
    put<uint32_t>(&bytes[kFilterFixedBytes + 8 * i + 4], 2 * i + 1);
  }
  EXPECT_FALSE(decode_filter(bytes));
}

TEST(FilterBytes, ThatGiveNothingWantEverything) {
  std::vector<uint8_t> bytes(kFilterFixedBytes);
  EXPECT_EQ(decode_filter(bytes), Filter());
  for (const size_t at : {2, 4, 8, 16, 24}) {
    auto spoiled = bytes;
    spoiled[at] = 1;
    EXPECT_FALSE(decode_filter(spoiled)) << at;
  }
}

TEST(FilterBytes, WithAdjacentRangesCompareEqualToTheMergedOnes) {
  Filter adjacent;
  adjacent.senders = Ranges{{1, 3}, {4, 5}};
  const auto decoded = decode_filter(encoded(adjacent));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, parsed("senders=1..5"));
}

}  // namespace
}  // namespace n2nq::wire
