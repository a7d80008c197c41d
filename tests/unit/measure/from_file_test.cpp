#include "workers/measure/from_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/helpers/temp_dir.h"

namespace n2nq::measure {
namespace {

std::string trouble_of(const char* text) {
  const auto times = parse_times(text);
  return times ? "none" : times.error().text;
}

TEST(Times, AreReadOneALineInSecondsOrWithAUnit) {
  const std::vector<int64_t> expected{0, 1'500'000, 1'500'000, 1'000'000'000, 60'000'000'000};
  EXPECT_EQ(parse_times("# recorded on Monday\n0\n\n1.5ms\r\n0.0015 # the same\n1\n1min").value(), expected);
  EXPECT_EQ(parse_times("time;size\n0;5\n\"0.0015\";7\n1.5ms;1\n1s;1\n60;2\n").value(), expected) << "CSV with a head";
  EXPECT_EQ(parse_times("0.1234567894321").value().front(), 123'456'789);
  EXPECT_EQ(trouble_of("0\n1\nsoon\n"),
            "line 3: 'soon' is not a time; write seconds since the start, or a duration such "
            "as 20ms");
  EXPECT_NE(trouble_of("2\n1\n").find("line 2: '1' is before the one above"), std::string::npos);
  EXPECT_NE(trouble_of("1700000000.5\n").find("since the start"), std::string::npos);
  EXPECT_NE(trouble_of("# nothing\n").find("there are no times"), std::string::npos);
  EXPECT_NE(trouble_of("a\nb\n").find("line 2"), std::string::npos) << "one head";
}

TEST(Times, ArePackedWithoutALoss) {
  const std::vector<int64_t> times{3, 3, 1'000'000'000'000, 604'799'999'999'999};
  EXPECT_EQ(*times_from("x", pack_times(times)).value().content, times);
  for (const char* damaged : {"", ",", "1,", "1,,2", "-1", "1;2", "zzzzzzzzzzzzzzz", "1,5zzzzzzzzzz"})
    EXPECT_FALSE(times_from("x", damaged)) << damaged;
  const std::vector<int64_t> many(kMostFromFile, 1);
  EXPECT_NE(times_from("x", pack_times(many)).error().text.find("use a part of it"), std::string::npos);
}

TEST(Files, AreReadWithTheContentThatTheirFingerprintIsOf) {
  const test::TempDir dir;
  const std::string path = dir / "with blank #1.bin";
  std::ofstream(path) << "abc";
  const auto file = read_bytes(path).value();
  EXPECT_EQ(*file.content, "abc");
  EXPECT_EQ(read_bytes(exact_file(file)).value(), file);
  std::ofstream(path) << "abd";
  EXPECT_NE(read_bytes(exact_file(file)).error().text.find("has changed"), std::string::npos);
  EXPECT_NE(read_bytes(path).value(), file);
  std::ofstream(path) << std::string(kMostFromFile + 1, 'a');
  EXPECT_NE(read_bytes(path).error().text.find("larger than 1 MiB"), std::string::npos);
  std::ofstream(path).close();
  EXPECT_NE(read_bytes(path).error().text.find("is empty"), std::string::npos);
  EXPECT_NE(read_bytes(dir.path().string()).error().text.find("is not a file"), std::string::npos);
  EXPECT_FALSE(read_bytes(""));
}

TEST(Base64, ReadsBackEveryByte) {
  std::string bytes;
  for (int length = 0; length < 260; length++) {
    EXPECT_EQ(from_base64(base64(bytes)).value(), bytes);
    bytes += static_cast<char>(length * 7);
  }
  EXPECT_EQ(base64("light w"), "bGlnaHQgdw==");
  for (const char* damaged : {"a", "ab!=", "ab c"}) EXPECT_FALSE(from_base64(damaged)) << damaged;
}

}  // namespace
}  // namespace n2nq::measure
