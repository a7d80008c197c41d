#include "workers/log/log_queue.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace n2nq::log {
namespace {

std::vector<uint8_t> payload_of(uint64_t index, size_t bytes) {
  std::vector<uint8_t> payload(bytes);
  for (size_t i = 0; i < bytes; i++) payload[i] = static_cast<uint8_t>(index * 31 + i);
  return payload;
}

std::vector<uint8_t> joined(const LogPayload& payload) {
  std::vector<uint8_t> bytes(payload.first.begin(), payload.first.end());
  bytes.insert(bytes.end(), payload.second.begin(), payload.second.end());
  return bytes;
}

bool room_told(const LogQueue& queue) {
  pollfd wait{.fd = queue.room_fd(), .events = POLLIN, .revents = 0};
  return ::poll(&wait, 1, 0) > 0;
}

size_t drain_all(LogQueue& queue) {
  return queue.drain(SIZE_MAX, [](const LogRecord&, const LogPayload&) {});
}

TEST(LogQueue, HandsOverWhatWasPushedInOrderAcrossItsEnd) {
  LogQueue queue(4096);
  uint64_t pushed = 0;
  uint64_t taken = 0;
  for (int round = 0; round < 500; round++) {
    for (int i = 0; i < 3; i++, pushed++)
      ASSERT_TRUE(queue.try_push({.service_slot = 7, .index = pushed}, payload_of(pushed, pushed % 300)));
    queue.drain(SIZE_MAX, [&](const LogRecord& record, const LogPayload& payload) {
      EXPECT_EQ(record.index, taken);
      EXPECT_EQ(record.service_slot, 7u);
      EXPECT_EQ(joined(payload), payload_of(taken, taken % 300));
      taken++;
    });
    EXPECT_EQ(taken, pushed);
  }
}

TEST(LogQueue, RefusesWhenFullAndTellsWhenThereIsRoomAgain) {
  LogQueue queue(4096);
  while (queue.try_push({}, payload_of(1, 100))) EXPECT_FALSE(room_told(queue));
  EXPECT_EQ(queue.refused(), 1u);
  EXPECT_FALSE(room_told(queue));
  drain_all(queue);
  EXPECT_TRUE(room_told(queue));
  EXPECT_TRUE(queue.try_push({}, payload_of(1, 100)));
}

TEST(LogQueue, DoesNotForgetALargeWishForASmallOne) {
  LogQueue queue(4096);
  while (queue.try_push({}, payload_of(1, 100))) continue;
  EXPECT_FALSE(queue.try_push({}, payload_of(1, 1000)));
  queue.drain(150, [](const LogRecord&, const LogPayload&) {});  // room for a small one
  EXPECT_TRUE(queue.try_push({}, payload_of(1, 8)));
  drain_all(queue);
  EXPECT_TRUE(room_told(queue));
}

TEST(LogQueue, CutsAPayloadThatIsTooLargeForIt) {
  LogQueue queue(4096);
  ASSERT_TRUE(queue.try_push({.payload_bytes = 5000, .flags = kLogAgain}, payload_of(3, 5000)));
  queue.drain(SIZE_MAX, [&](const LogRecord& record, const LogPayload& payload) {
    EXPECT_EQ(record.payload_bytes, 5000u);
    EXPECT_EQ(record.flags, uint32_t{kLogAgain | kLogCut});
    EXPECT_EQ(joined(payload).size(), queue.largest_content());
  });
}

TEST(LogQueue, WakesItsConsumerWhenAQuarterIsFull) {
  LogQueue queue(4096);
  LogWake wake;
  queue.set_wake(&wake);
  std::atomic<bool> woken = false;
  std::thread consumer([&] {
    wake.wait(20'000);
    woken = true;
  });
  while (!woken) {
    if (!queue.try_push({}, payload_of(1, 100))) break;
  }
  consumer.join();  // within its 20 s or never
  EXPECT_TRUE(woken);
}

// The producer waits for room like an event loop does: for the event and for nothing else. A lost wake-up is a timeout.
TEST(LogQueue, LosesNeitherARecordNorAWakeUpBetweenTwoThreads) {
  constexpr uint64_t kRecords = 200'000;
  LogQueue queue(8192);
  LogWake wake;
  queue.set_wake(&wake);
  std::atomic<uint64_t> taken = 0;
  std::thread consumer([&] {
    while (taken < kRecords) {
      queue.drain(1000, [&](const LogRecord& record, const LogPayload& payload) {
        EXPECT_EQ(record.index, taken);
        EXPECT_EQ(payload.first.size() + payload.second.size(), record.payload_bytes);
        taken.fetch_add(1, std::memory_order_relaxed);
      });
      if (taken % 64 == 0) wake.wait(0);
    }
  });
  const std::vector<uint8_t> payload(300, 'x');
  for (uint64_t i = 0; i < kRecords; i++) {
    const auto bytes = static_cast<uint32_t>(i % 300);
    while (!queue.try_push({.index = i, .payload_bytes = bytes}, std::span(payload).first(bytes))) {
      pollfd wait{.fd = queue.room_fd(), .events = POLLIN, .revents = 0};
      ASSERT_EQ(::poll(&wait, 1, 20'000), 1) << "a wake-up was lost at " << i;
      uint64_t count = 0;
      ASSERT_EQ(::read(queue.room_fd(), &count, sizeof count), 8);
    }
  }
  consumer.join();
  EXPECT_EQ(taken, kRecords);
  EXPECT_GT(queue.refused(), 0u);
}

}  // namespace
}  // namespace n2nq::log
