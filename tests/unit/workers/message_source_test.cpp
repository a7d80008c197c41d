#include "workers/fleet/message_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "broker/wire/checksum.h"

namespace n2nq::fleet {
namespace {

std::string text(const MessageSource::Message& message) {
  return {message.payload.begin(), message.payload.end()};
}

TEST(MessageSource, MakesTheSameMessageAgain) {
  const MessagePool one({.min = 10, .max = 90}, 4);
  const MessagePool two({.min = 10, .max = 90}, 4);
  for (uint64_t i = 1; i < 200; i++) EXPECT_EQ(text(MessageSource(one, 3).at(i)), text(MessageSource(two, 3).at(i)));
}

TEST(MessageSource, MakesOtherMessagesForAnotherSeedSenderOrIndex) {
  const MessagePool pool({.min = 50, .max = 50}, 4);
  const MessagePool other({.min = 50, .max = 50}, 5);
  const std::string message = text(MessageSource(pool, 3).at(1));
  EXPECT_NE(message, text(MessageSource(pool, 3).at(2)));
  EXPECT_NE(message, text(MessageSource(pool, 4).at(1)));
  EXPECT_NE(message, text(MessageSource(other, 3).at(1)));
}

TEST(MessageSource, UsesEverySizeOfTheRangeAndNoOther) {
  const MessagePool pool({.min = 3, .max = 7}, 1);
  std::set<size_t> sizes;
  for (uint64_t i = 1; i < 500; i++) sizes.insert(MessageSource(pool, 1).at(i).payload.size());
  EXPECT_EQ(sizes, (std::set<size_t>{3, 4, 5, 6, 7}));
}

TEST(MessageSource, WritesLettersWithTheirChecksum) {
  for (const SizeRange size : {SizeRange{.min = 50, .max = 50}, SizeRange{.min = 0, .max = 99}}) {
    const MessagePool pool(size, 1);
    for (uint64_t i = 1; i < 300; i++) {
      const auto message = MessageSource(pool, 9).at(i);
      EXPECT_EQ(message.checksum, wire::crc32c(message.payload));
      EXPECT_TRUE(std::ranges::all_of(message.payload, [](uint8_t c) { return c >= 'a' && c <= 'z'; }));
    }
  }
}

TEST(MessageSource, MakesEmptyMessages) {
  const MessagePool pool({.min = 0, .max = 0}, 1);
  EXPECT_TRUE(MessageSource(pool, 1).at(1).payload.empty());
}

}  // namespace
}  // namespace n2nq::fleet
