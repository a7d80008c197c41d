#include "broker/queue/store.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <fstream>
#include <vector>

namespace n2nq::queue {
namespace {

std::vector<uint8_t> frame_of(uint32_t length) {
  std::vector<uint8_t> frame(length, 'x');
  wire::write_data_header(frame.data(), {.length = length, .sender = 1, .checksum = 0, .index = 1});
  return frame;
}

TEST(Store, FindsEveryMessageByItsSequenceNumber) {
  Store store(64 << 20);
  const auto frame = frame_of(90);
  for (int i = 0; i < 20000; i++) store.add(frame.data(), 90, 0);
  for (uint64_t sequence = 0; sequence < 20000; sequence += 997) EXPECT_EQ(store.find(sequence).sequence(), sequence);
  EXPECT_EQ(store.find(20000), store.end());
}

TEST(Store, SaysThereIsNoRoomBeforeItsBoundIsCrossed) {
  const uint64_t bound = Store::least_max_bytes(1 << 20) + (2 << 20);
  Store store(bound);
  const auto frame = frame_of(90);
  while (store.has_room(128 * 1024, 1 << 20))
    for (int i = 0; i < 128 * 1024 / 90; i++) store.add(frame.data(), 90, 0);
  EXPECT_LE(store.bytes_held(), bound);
  EXPECT_GT(store.bytes_held(), bound / 2);
}

#ifndef N2NQ_SANITIZED  // whose own memory is without bound
// As a limit of the shell or of a container: senders can be left unread, which a process that is ended cannot.
TEST(Store, SaysThereIsNoRoomWhenTheSystemGivesNoMore) {
  Store store(uint64_t{1} << 40);
  ASSERT_TRUE(store.has_room(512 * 1024, 1 << 20));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlimit little{.rlim_cur = pages * 4096 + (8 << 20), .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &little), 0);
  const auto frame = frame_of(60'000);
  int reads = 0;
  for (; reads < 1000 && store.has_room(512 * 1024, 1 << 20); reads++)
    for (int i = 0; i < 8; i++) store.add(frame.data(), 60'000, 0);
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_LT(reads, 1000);
  EXPECT_TRUE(store.memory_refused());
  EXPECT_EQ(store.end_sequence(), 8U * static_cast<unsigned>(reads));
  EXPECT_TRUE(store.has_room(512 * 1024, 1 << 20)) << "and has it again when there is some";
}
#endif

TEST(Store, TakesSmallestAndLargestFramesSideBySide) {
  Store store(64 << 20);
  const auto small = frame_of(40);
  const auto large = frame_of(3 << 20);
  for (int i = 0; i < 5; i++) {
    store.add(large.data(), 3 << 20, 0);
    for (int k = 0; k < 10000; k++) store.add(small.data(), 40, 0);
  }
  EXPECT_EQ(store.end_sequence(), 5u * 10001);
  EXPECT_EQ(store.find(10001).segment->header(store.find(10001).entry).length, 3u << 20);
}

TEST(Store, TakesLittleMoreMemoryThanPayloadsOfAPowerOfTwo) {
  constexpr uint64_t kBytes = 64 << 20;
  for (uint32_t payload = 65536; payload <= 16 << 20; payload *= 2) {
    Store store(4 * kBytes);
    const auto length = static_cast<uint32_t>(payload + wire::kDataHeaderBytes);
    const auto frame = frame_of(length);
    for (uint64_t i = 0; i < kBytes / payload; i++) {
      store.space(64 * 1024);  // as a session reads the frame's beginning
      store.add(frame.data(), length, 0);
    }
    EXPECT_LT(store.bytes_held(), kBytes * 13 / 10) << "payload " << payload;
  }
}

TEST(Store, KeepsPositionsInALastSegmentThatGetsLargerMemory) {
  Store store(64 << 20);
  const auto large = frame_of(4 << 20);
  store.add(large.data(), 4 << 20, 0);
  store.space(64 * 1024);
  const Position before = store.end();
  store.add(large.data(), 4 << 20, 0);
  EXPECT_EQ(before, store.find(1));
  EXPECT_EQ(before.segment->header(before.entry).length, 4u << 20);
}

TEST(Store, ReusesReleasedMemory) {
  Store store(8 << 20);
  const auto frame = frame_of(1000);
  for (int i = 0; i < 100000; i++) {
    store.add(frame.data(), 1000, 0);
    while (store.head() != store.tail()) store.release(store.head());
  }
  EXPECT_LT(store.bytes_held(), 1u << 20);
}

}  // namespace
}  // namespace n2nq::queue
