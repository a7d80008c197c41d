#include "workers/transport/frame_splitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/workers/fake_broker.h"

namespace n2nq::transport {
namespace {

using Frames = std::vector<std::vector<uint8_t>>;

wire::Bytes some_frames() {
  wire::Bytes bytes;
  append(bytes, wire::Again{.sender = 1, .attempt = 2, .index = 3});
  const auto data = test::data_frame(1, 3, "hello");
  bytes.insert(bytes.end(), data.begin(), data.end());
  append(bytes, wire::End{.expected = 9, .delivered = 9});
  return bytes;
}

// Feeds as much as the splitter has space for, and collects what it cuts.
Result<void> feed(FrameSplitter& splitter, std::span<const uint8_t> bytes, Frames& frames) {
  while (!bytes.empty()) {
    const auto space = splitter.space();
    const size_t n = std::min(space.size(), bytes.size());
    std::copy_n(bytes.begin(), n, space.begin());
    auto taken = splitter.take(n, [&](const wire::Header&, wire::Frame frame) {
      frames.emplace_back(frame.begin(), frame.end());
      return true;
    });
    if (!taken) return taken;
    bytes = bytes.subspan(n);
  }
  return {};
}

Frames in_one_piece(std::span<const uint8_t> bytes) {
  ReadBuffer buffer;
  FrameSplitter splitter(buffer);
  Frames frames;
  EXPECT_TRUE(feed(splitter, bytes, frames));
  return frames;
}

TEST(FrameSplitter, CutsTheSameFramesWhereverReadsEnd) {
  const wire::Bytes bytes = some_frames();
  const Frames whole = in_one_piece(bytes);
  ASSERT_EQ(whole.size(), 3u);
  for (size_t cut = 0; cut <= bytes.size(); cut++) {
    for (size_t second = cut; second <= bytes.size(); second++) {
      ReadBuffer buffer;
      FrameSplitter splitter(buffer);
      Frames frames;
      const std::span<const uint8_t> all(bytes);
      EXPECT_TRUE(feed(splitter, all.first(cut), frames));
      EXPECT_TRUE(feed(splitter, all.subspan(cut, second - cut), frames));
      EXPECT_TRUE(feed(splitter, all.subspan(second), frames));
      EXPECT_EQ(frames, whole) << cut << " " << second;
      EXPECT_EQ(splitter.held(), 0u);
    }
  }
}

TEST(FrameSplitter, KeepsConnectionsThatShareABufferApart) {
  const wire::Bytes bytes = some_frames();
  const std::span<const uint8_t> all(bytes);
  ReadBuffer buffer;
  FrameSplitter one(buffer);
  FrameSplitter two(buffer);
  Frames of_one;
  Frames of_two;
  for (size_t at = 0; at < bytes.size(); at++) {
    EXPECT_TRUE(feed(one, all.subspan(at, 1), of_one));
    EXPECT_TRUE(feed(two, all.subspan(at, 1), of_two));
  }
  EXPECT_EQ(of_one, in_one_piece(bytes));
  EXPECT_EQ(of_two, of_one);
}

TEST(FrameSplitter, AssemblesFramesLargerThanItsBuffer) {
  const std::string text(700'000, 'x');
  wire::Bytes bytes = test::data_frame(1, 1, text);
  const wire::Bytes small = some_frames();
  bytes.insert(bytes.end(), small.begin(), small.end());
  for (const size_t piece : {1'000u, 65'536u, 262'144u, 700'040u}) {
    ReadBuffer buffer;
    FrameSplitter splitter(buffer);
    splitter.allow(1 << 20);
    Frames frames;
    for (size_t at = 0; at < bytes.size(); at += piece)
      EXPECT_TRUE(
          feed(splitter, std::span<const uint8_t>(bytes).subspan(at, std::min(piece, bytes.size() - at)), frames));
    ASSERT_EQ(frames.size(), 4u);
    EXPECT_EQ(frames[0], test::data_frame(1, 1, text));
  }
}

TEST(FrameSplitter, RefusesLengthsThatCannotBe) {
  for (const uint32_t length : {0u, 7u, 70'000u, 0xFFFFFFFFu}) {
    wire::Bytes bytes(16);
    wire::put<uint32_t>(bytes.data(), length);
    bytes[4] = static_cast<uint8_t>(wire::Type::skip);
    ReadBuffer buffer;
    FrameSplitter splitter(buffer);
    Frames frames;
    EXPECT_FALSE(feed(splitter, bytes, frames)) << length;
  }
}

TEST(FrameSplitter, RefusesADataFrameWithoutAWholeHeader) {
  wire::Bytes bytes(39);
  wire::put<uint32_t>(bytes.data(), 39);
  bytes[4] = static_cast<uint8_t>(wire::Type::data);
  ReadBuffer buffer;
  FrameSplitter splitter(buffer);
  Frames frames;
  EXPECT_FALSE(feed(splitter, bytes, frames));
}

}  // namespace
}  // namespace n2nq::transport
