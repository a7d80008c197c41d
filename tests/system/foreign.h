// What the tests with hand-written clients share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/helpers/accounts.h"
#include "tests/helpers/foreign_client.h"
#include "tests/helpers/run.h"

namespace n2nq::test {

// How long a test looks on when nothing may happen. Too short a look can only miss a bug, never invent one.
inline constexpr auto kLook = std::chrono::milliseconds(150);

inline std::vector<MessageId> ids(const std::vector<Delivery>& deliveries) {
  std::vector<MessageId> out;
  for (const auto& delivery : deliveries) out.push_back(delivery.id);
  return out;
}

inline std::vector<uint64_t> indices(const std::vector<Delivery>& deliveries) {
  std::vector<uint64_t> out;
  for (const auto& delivery : deliveries) out.push_back(delivery.id.second);
  return out;
}

inline std::vector<uint64_t> range(uint64_t first, uint64_t last) {
  std::vector<uint64_t> out;
  for (uint64_t i = first; i <= last; ++i) out.push_back(i);
  return out;
}

// The numbers of an END frame to a receiver, in the words of docs/protocol.md.
struct EndCounts {
  uint64_t expected = 0, delivered = 0, expired = 0, undeliverable = 0, redelivered = 0;
  int why = -1;
  bool operator==(const EndCounts&) const = default;
};

inline EndCounts counts(const std::optional<Frame>& end) {
  if (!end) return {};
  return {end->u64(8), end->u64(16), end->u64(24), end->u64(32), end->u64(40), end->u8(48)};
}

inline void PrintTo(const EndCounts& end, std::ostream* out) {
  *out << "expected " << end.expected << ", delivered " << end.delivered << ", expired " << end.expired
       << ", undeliverable " << end.undeliverable << ", redelivered " << end.redelivered << ", why " << end.why;
}

// The broker's books as numbers, by the names of its summary.
struct Books {
  int64_t accepted = 0, owed = 0, delivered = 0, expired = 0, undeliverable = 0;
  bool operator==(const Books&) const = default;
};

inline void PrintTo(const Books& books, std::ostream* out) {
  *out << "accepted " << books.accepted << ", owed " << books.owed << ", delivered " << books.delivered << ", expired "
       << books.expired << ", undeliverable " << books.undeliverable;
}

inline Books books(const Ended& broker) {
  return {broker.total("accepted"), broker.total("owed"), broker.total("delivered"), broker.total("expired"),
          broker.total("undeliverable")};
}

}  // namespace n2nq::test
