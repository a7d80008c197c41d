#include "workers/measure/payload.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>

namespace n2nq::measure {
namespace {

double compressed_part(const std::vector<uint8_t>& content) {
  uLongf size = ::compressBound(content.size());
  std::vector<uint8_t> packed(size);
  EXPECT_EQ(::compress(packed.data(), &size, content.data(), content.size()), Z_OK);
  return static_cast<double>(size) / static_cast<double>(content.size());
}

TEST(Payload, IsReadFromWordsAndWrittenAsTheSame) {
  for (const char* text : {"random", "repeated", "text 30%"}) EXPECT_EQ(exact_payload(*parse_payload(text)), text);
  EXPECT_EQ(exact_payload(*parse_payload("text 30 %")), "text 30%");
  EXPECT_EQ(exact_payload(*parse_payload("text")), "text 50%");
  EXPECT_NE(parse_payload("text 80%").error().text.find("5% to 75%"), std::string::npos);
  EXPECT_NE(parse_payload("text x%").error().text.find("5% to 75%"), std::string::npos);
  EXPECT_NE(parse_payload("noise").error().text.find("write random, repeated, text 30% or file NAME"),
            std::string::npos);
}

// By zlib, which knows nothing of how the text was made.
TEST(Payload, OfTextCompressesToThePartThatIsAskedFor) {
  for (const uint32_t percent : {5u, 10u, 20u, 30u, 40u, 50u, 60u, 75u}) {
    const auto content = content_of({.kind = Payload::Kind::text, .percent = percent}, 8192, 7);
    EXPECT_NEAR(100 * compressed_part(content), percent, 3) << percent;
    EXPECT_TRUE(std::ranges::all_of(content, [](uint8_t c) { return c >= 0x20 && c < 0x7F; })) << "a log shows it";
  }
}

TEST(Payload, OfAFileIsItsContentAgainAndAgain) {
  const Payload payload{.kind = Payload::Kind::file, .file = bytes_from("x", "abc").value()};
  EXPECT_EQ(content_of(payload, 7, 1), (std::vector<uint8_t>{'a', 'b', 'c', 'a', 'b', 'c', 'a'}));
  EXPECT_EQ(content_of(payload, 7, 2), content_of(payload, 7, 1));
}

TEST(Payload, IsTheSameForTheSameSeed) {
  const Payload text{.kind = Payload::Kind::text};
  EXPECT_EQ(content_of(text, 500, 3), content_of(text, 500, 3));
  EXPECT_NE(content_of(text, 500, 3), content_of(text, 500, 4));
  EXPECT_LT(compressed_part(content_of({.kind = Payload::Kind::repeated}, 8192, 3)), 0.01);
  EXPECT_GT(compressed_part(content_of({}, 8192, 3)), 0.55);
}

}  // namespace
}  // namespace n2nq::measure
