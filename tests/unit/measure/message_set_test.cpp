#include "workers/measure/message_set.h"

#include <gmock/gmock.h>

#include <set>

#include "broker/base/random.h"
#include "workers/measure/distinct.h"

namespace n2nq::measure {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Stretch> there_and_back(const std::vector<Stretch>& stretches) {
  SetWriter writer;
  for (const Stretch& one : stretches) writer.add(one);
  const auto read = read_set(writer.text());
  EXPECT_TRUE(read);
  return read.value_or(std::vector<Stretch>{{0, 0}});
}

TEST(MessageSet, IsReadAsItWasWritten) {
  const std::vector<Stretch> kSets[] = {
      {},
      {{1, 1}},
      {{8, 8}},
      {{9, 9}},
      {{1, 8}},
      {{1, 1'000'000'007}},
      {{3, 5}, {7, 9}, {17, 24}, {26, 90}, {5'000'000, 5'000'000}},
      {{uint64_t{1} << 40, (uint64_t{1} << 40) + 100}},
  };
  for (const auto& set : kSets) EXPECT_EQ(there_and_back(set), set);
  EXPECT_THAT(there_and_back({{1, 4}, {5, 9}, {10, 10}}), ElementsAre(Stretch{1, 10})) << "stretches that touch";
}

TEST(MessageSet, IsReadAsItWasWrittenWhateverCame) {
  Random random(7);
  for (int round = 0; round < 300; round++) {
    std::set<uint64_t> oracle;
    Distinct distinct;
    const uint64_t range = 1 + random.below(40'000);
    const uint64_t count = 1 + random.below(20'000);
    for (uint64_t i = 0; i < count; i++) {
      const uint64_t index = round % 3 == 0 ? i + 1 : 1 + random.below(range);
      oracle.insert(index);
      distinct.insert(index);
    }
    SetWriter writer;
    distinct.each_stretch([&writer](const Stretch& one) { writer.add(one); });
    const auto read = read_set(writer.text());
    ASSERT_TRUE(read);
    auto next = oracle.begin();
    for (const Stretch& one : *read)
      for (uint64_t index = one.first; index <= one.last; index++, ++next)
        ASSERT_TRUE(next != oracle.end() && *next == index);
    ASSERT_EQ(next, oracle.end());
    ASSERT_EQ(size_of_all(*read), oracle.size());
  }
}

TEST(MessageSet, TakesFewBytesForWhatIsWhole) {
  SetWriter writer;
  writer.add({1, uint64_t{1} << 40});
  EXPECT_LT(writer.text().size(), 16U);
  SetWriter half;
  for (uint64_t index = 1; index < 80'000; index += 2) half.add({index, index});
  EXPECT_LT(half.text().size(), 14'000U) << "a bit for each, as base64";
}

TEST(MessageSet, OfOtherTextIsNone) {
  for (const char* text : {"A", "----", "AA==", "/w==", "AP////////8="}) EXPECT_FALSE(read_set(text)) << text;
  EXPECT_THAT(*read_set(""), IsEmpty());
}

TEST(MessageSet, SizeCountsWhatIsInSeveralOnce) {
  EXPECT_EQ(size_of_all({}), 0U);
  EXPECT_EQ(size_of_all({{1, 5}, {4, 9}, {6, 7}, {20, 20}}), 10U);
}

TEST(MessageSums, OfAllPartsAreThoseOfTheWhole) {
  Random random(3);
  for (const uint64_t last : {0, 1, 2, 3, 4, 5, 6, 7, 1000, 4097}) {
    MessageSums whole, parts[2];
    for (const uint32_t sender : {1U, 2U, 70'000U}) {
      whole.add_up_to(sender, last);
      for (uint64_t index = 1; index <= last; index++) parts[random.below(2)].add(sender, index);
    }
    parts[0] += parts[1];
    EXPECT_EQ(parts[0], whole) << last;
  }
}

TEST(MessageSums, TellThatOneMessageCameTwiceForAnother) {
  MessageSums whole;
  for (const uint32_t sender : {1U, 2U}) whole.add_up_to(sender, 100);
  // What is lost, and what came twice in its place.
  const std::vector<std::pair<uint32_t, uint64_t>> kLost[] = {{{1, 5}}, {{1, 5}, {1, 8}}, {{1, 5}, {2, 5}}};
  const std::vector<std::pair<uint32_t, uint64_t>> kTwice[] = {{{1, 6}}, {{1, 6}, {1, 7}}, {{1, 6}, {2, 4}}};
  for (size_t i = 0; i < std::size(kLost); i++) {
    MessageSums came;
    for (const uint32_t sender : {1U, 2U})
      for (uint64_t index = 1; index <= 100; index++)
        if (std::ranges::find(kLost[i], std::pair(sender, index)) == kLost[i].end()) came.add(sender, index);
    for (const auto& [sender, index] : kTwice[i]) came.add(sender, index);
    EXPECT_EQ(came.count, whole.count);
    EXPECT_NE(came, whole) << i;
  }
}

}  // namespace
}  // namespace n2nq::measure
