#include "workers/measure/hlog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "broker/base/clock.h"
#include "broker/base/random.h"

namespace n2nq::measure {
namespace {

constexpr int64_t kStart = 1'700'000'000'250'000'000;
constexpr const char* kJar = "/usr/share/java/hdrhistogram.jar";

// A folder that goes with the test.
class Hlog : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "hlog_test_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path() const { return (folder / "run.hlog").string(); }

  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  std::filesystem::path folder;
};

struct Interval {
  std::string tag;
  int64_t start_ms = 0, end_ms = 0;
  int64_t count = 0, min = 0, max = 0, p50 = 0, p90 = 0, p99 = 0, p100 = 0;
  int64_t digits = 0, lowest = 0, highest = 0;
  std::vector<std::pair<int64_t, int64_t>> buckets;  // lowest value, count
};

std::vector<Interval> parse(std::istream& in, int64_t& start_ms) {
  std::vector<Interval> intervals;
  std::string word;
  while (in >> word) {
    if (word == "interval") {
      Interval& i = intervals.emplace_back();
      in >> i.tag >> i.start_ms >> i.end_ms >> i.count >> i.min >> i.max >> i.p50 >> i.p90 >> i.p99 >> i.p100 >>
          i.digits >> i.lowest >> i.highest;
    } else if (word == "bucket") {
      auto& bucket = intervals.back().buckets.emplace_back();
      in >> bucket.first >> bucket.second;
    } else if (word == "start") {
      in >> start_ms;
    }
  }
  return intervals;
}

// Why the reference implementation cannot be asked; empty when it can.
std::string reference_missing() {
  if (!std::filesystem::exists(kJar)) return std::string(kJar) + " is missing: apt-get install libhdrhistogram-java";
  if (std::system("java -version >/dev/null 2>&1") != 0) return "java is missing: apt-get install default-jdk-headless";
  return "";
}

void expect_same(const Interval& read, const Histogram& written) {
  std::vector<std::pair<int64_t, int64_t>> buckets;
  written.for_each([&](const Bucket& bucket) {
    if (bucket.index >= 0) buckets.emplace_back(bucket.lowest_ns, static_cast<int64_t>(bucket.count));
  });
  EXPECT_EQ(read.buckets, buckets) << read.tag;
  EXPECT_EQ(read.digits, 3);
  EXPECT_EQ(read.lowest, 1);
  EXPECT_EQ(read.highest, 3'600'000'000'000);
}

void expect_same_figures(const Interval& read, const Histogram& written) {
  using L = Histogram::Layout;
  EXPECT_EQ(read.count, static_cast<int64_t>(written.count()));
  EXPECT_EQ(L::index_of(static_cast<uint64_t>(read.min)), L::index_of(static_cast<uint64_t>(written.moments().min_ns)));
  EXPECT_EQ(L::index_of(static_cast<uint64_t>(read.max)), L::index_of(static_cast<uint64_t>(written.moments().max_ns)));
  EXPECT_EQ(read.p50, written.quantile(0.50));
  EXPECT_EQ(read.p90, written.quantile(0.90));
  EXPECT_EQ(read.p99, written.quantile(0.99));
  EXPECT_EQ(read.p100, written.quantile(1.0));
}

TEST_F(Hlog, IsReadByTheReferenceImplementationAsItWasWritten) {
  if (const std::string missing = reference_missing(); !missing.empty()) {
    if (std::getenv("CI") != nullptr) FAIL() << "THE REFERENCE READER WAS NOT ASKED: " << missing;
    GTEST_SKIP() << "THE REFERENCE READER WAS NOT ASKED, the log format is unchecked: " << missing;
  }

  Random random(1);
  Histogram latency;
  for (int i = 0; i < 10'000; i++)
    latency.record(static_cast<int64_t>(random.below(uint64_t{1} << (1 + random.below(41)))));
  Histogram scheduled;  // runs of one and of several empty counters, counts of one to nine bytes, both ends
  for (const int64_t value :
       {int64_t{0}, int64_t{1}, int64_t{3}, int64_t{2047}, int64_t{2048}, int64_t{3'600'000'000'000}}) {
    scheduled.record(value);
  }
  for (int bits = 5; bits < 62; bits += 7) {
    const uint64_t n = (uint64_t{1} << bits) - 3;
    ASSERT_TRUE(scheduled.add_bucket(4000 + bits, n));
  }
  Histogram negative;
  for (int i = 1; i <= 1000; i++) negative.record(i * 1000);
  for (int i = 1; i <= 10; i++) negative.record(-i * 1000);

  auto writer = HlogWriter::create(path(), kStart, "written by a test");
  ASSERT_TRUE(writer) << writer.error().text;
  ASSERT_TRUE(writer->interval("latency", 0, kSecond, latency));
  ASSERT_TRUE(writer->interval("scheduled", 0, kSecond, scheduled));
  ASSERT_TRUE(writer->interval("latency", kSecond, kSecond / 2, negative));
  ASSERT_TRUE(writer->interval("", 2 * kSecond, kSecond, Histogram{}));
  ASSERT_TRUE(writer->close());

  const std::string out = (folder / "out").string();
  const std::string command = std::string("java -cp ") + kJar + " " + N2NQ_TEST_FOLDER + "/ReadHlog.java " + path() +
                              " >" + out + " 2>" + out + ".err";
  ASSERT_EQ(std::system(command.c_str()), 0) << text_of(out + ".err");
  std::istringstream printed(text_of(out));
  int64_t start_ms = 0;
  const auto read = parse(printed, start_ms);
  EXPECT_EQ(start_ms, kStart / 1'000'000);
  ASSERT_EQ(read.size(), 5u);

  EXPECT_EQ(read[0].tag, "latency");
  EXPECT_EQ(read[0].start_ms, kStart / 1'000'000);
  EXPECT_EQ(read[0].end_ms, kStart / 1'000'000 + 1000);
  expect_same(read[0], latency);
  expect_same_figures(read[0], latency);

  EXPECT_EQ(read[1].tag, "scheduled");
  expect_same(read[1], scheduled);

  EXPECT_EQ(read[2].tag, "latency");
  EXPECT_EQ(read[2].start_ms, kStart / 1'000'000 + 1000);
  EXPECT_EQ(read[2].end_ms, kStart / 1'000'000 + 1500);
  EXPECT_EQ(read[2].count, 1000);
  expect_same(read[2], negative);

  EXPECT_EQ(read[3].tag, "latency-negative");
  EXPECT_EQ(read[3].count, 10);
  EXPECT_EQ(read[3].min, 1000);

  EXPECT_EQ(read[4].tag, "-");
  EXPECT_EQ(read[4].count, 0);
}

TEST_F(Hlog, OpensWithTheHeaderThatReadersLookFor) {
  auto writer = HlogWriter::create(path(), kStart, "two\nlines");
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->close());
  EXPECT_EQ(text_of(path()),
            "#[two lines]\n"
            "#[Histogram log format version 1.3]\n"
            "#[StartTime: 1700000000.250 (seconds since epoch), 2023-11-14T22:13:20.250000Z]\n"
            "#[BaseTime: 1700000000.250 (seconds since epoch)]\n"
            "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n");
}

TEST_F(Hlog, ReplacesLettersThatATagMustNotHave) {
  auto writer = HlogWriter::create(path(), kStart);
  ASSERT_TRUE(writer->interval("a,b c\n", 0, kSecond, Histogram{}));
  ASSERT_TRUE(writer->close());
  EXPECT_NE(text_of(path()).find("\nTag=a_b_c_,0.000,1.000,0.000000,"), std::string::npos);
}

TEST_F(Hlog, SaysWhichFileCannotBeWritten) {
  const auto writer = HlogWriter::create((folder / "absent" / "run.hlog").string(), kStart);
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().text.find("absent/run.hlog"), std::string::npos);
  EXPECT_EQ(writer.error().error_number, ENOENT);
}

TEST_F(Hlog, SaysWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  auto writer = HlogWriter::create("/dev/full", kStart);
  ASSERT_TRUE(writer);
  const auto closed = writer->close();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().error_number, ENOSPC);
}

}  // namespace
}  // namespace n2nq::measure
