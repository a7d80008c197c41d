// What is known of one message, or one reply, at one service, for its log file. A value of fixed size; the payload
// travels beside it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace n2nq::log {

inline constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();  // written as "-"

enum LogFlags : uint32_t {
  kLogAgain = 1,      // flagged by the broker as a re-delivery
  kLogDuplicate = 2,  // had before, whether flagged or not
  kLogCorrupt = 4,    // the checksum does not match
  kLogReordered = 8,  // an index below the sender's highest, not flagged
  kLogCut = 16,       // set by the queue: the payload was too large for it, so the content is only its beginning
  kLogReply = 32,     // request-reply: not a message, but the reply to one
  kLogLate = 64,      // a reply to a request that had timed out
  kLogFurther = 128,  // a reply after the one that counted, where the first of all counts
};

struct LogRecord {
  uint32_t service_slot = 0;  // which file: 0 for the first service of this process
  uint32_t sender = 0;        // service number; of a reply that of the other side: who replied, or who asked
  uint64_t index = 0;
  uint32_t payload_bytes = 0;  // of the message; the content kept may be its head
  uint32_t checksum = 0;       // CRC-32C of the whole content, where only its head is kept
  uint32_t flags = 0;
  int64_t intended_ns = kAbsent;  // raw stamps: the sender's clock
  int64_t sent_ns = kAbsent;      // of a reply in a requester's log: when it came
  int64_t received_ns = kAbsent;  // the receiver's clock
  int64_t latency_ns = kAbsent;   // received - sent, corrected by the clock offset
};

// What a log keeps of a content: all of it, of a long one the head. Its length and checksum stand beside that.
inline constexpr size_t kWholeContent = 256;  // bytes
inline constexpr size_t kContentHead = 64;
inline std::span<const uint8_t> logged_part(std::span<const uint8_t> payload) {
  return payload.size() > kWholeContent ? payload.first(kContentHead) : payload;
}

}  // namespace n2nq::log
