#include "broker/wire/checksum.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "broker/base/random.h"

namespace n2nq::wire {
namespace {

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(Checksum, MatchesTheCheckValueOfThePage) {
  EXPECT_EQ(crc32c(bytes_of("123456789")), 0xE3069283u);
  EXPECT_EQ(crc32c_table(bytes_of("123456789")), 0xE3069283u);
}

// The vectors of RFC 3720, B.4.
TEST(Checksum, MatchesThePublishedVectors) {
  std::vector<uint8_t> data(32, 0x00);
  EXPECT_EQ(crc32c(data), 0x8A9136AAu);
  data.assign(32, 0xFF);
  EXPECT_EQ(crc32c(data), 0x62A8AB43u);
  for (uint8_t i = 0; i < 32; i++) data[i] = i;
  EXPECT_EQ(crc32c(data), 0x46DD794Eu);
  for (uint8_t i = 0; i < 32; i++) data[i] = static_cast<uint8_t>(31 - i);
  EXPECT_EQ(crc32c(data), 0x113FDB5Cu);
}

TEST(Checksum, OfNothingIsZero) {
  EXPECT_EQ(crc32c({}), 0u);
  EXPECT_EQ(crc32c_table({}), 0u);
}

TEST(Checksum, IsTheSameFromTableAndInstructionAtEveryLengthAndAlignment) {
  Random random(5);
  std::vector<uint8_t> data(4096);
  for (auto& byte : data) byte = static_cast<uint8_t>(random.next());
  for (size_t from = 0; from < 16; from++)
    for (size_t length = 0; length < 80; length++) {
      const std::span part(data.data() + from, length);
      ASSERT_EQ(crc32c(part), crc32c_table(part)) << "from " << from << ", length " << length;
    }
  EXPECT_EQ(crc32c(data), crc32c_table(data));
}

TEST(Checksum, ChangesWithEveryBit) {
  std::vector<uint8_t> data(50, 'a');
  const uint32_t whole = crc32c(data);
  for (size_t bit = 0; bit < data.size() * 8; bit++) {
    data[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
    EXPECT_NE(crc32c(data), whole) << bit;
    data[bit / 8] ^= static_cast<uint8_t>(1u << (bit % 8));
  }
}

}  // namespace
}  // namespace n2nq::wire
