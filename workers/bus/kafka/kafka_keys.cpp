#include "workers/bus/kafka/kafka_keys.h"

#include <algorithm>
#include <array>

#include "broker/base/random.h"

namespace n2nq::bus {
namespace {

// How many of 2^32 messages have this key or one before it: the k-th is as frequent as 1 / k.
std::array<uint64_t, kKafkaKeys> zipf_bounds() {
  double whole = 0;
  for (uint64_t k = 1; k <= kKafkaKeys; k++) whole += 1.0 / static_cast<double>(k);
  std::array<uint64_t, kKafkaKeys> bounds{};
  double so_far = 0;
  for (uint64_t k = 1; k <= kKafkaKeys; k++) {
    so_far += 1.0 / static_cast<double>(k);
    bounds[k - 1] = static_cast<uint64_t>(so_far / whole * 4294967296.0);
  }
  bounds.back() = uint64_t{1} << 32;
  return bounds;
}

}  // namespace

bool key_of(std::string_view kind, uint32_t sender, uint64_t index, std::string& key) {
  if (kind == "none") return false;
  if (kind == "sender") {
    key = std::to_string(sender);
    return true;
  }
  const uint64_t random = mix64(mix64(sender) ^ index);
  if (kind == "uniform") {
    key = std::to_string(random % kKafkaKeys);
    return true;
  }
  static const auto bounds = zipf_bounds();
  key = std::to_string(std::ranges::upper_bound(bounds, random >> 32) - bounds.begin());
  return true;
}

}  // namespace n2nq::bus
