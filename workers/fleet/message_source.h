// What senders send, and repliers reply: messages whose size and content follow from (seed, service, index) alone, so
// that a run can be repeated, and a message that did not go out can be made again. Content is a slice of a pool, so
// that millions a second cost little. MessagePool is immutable and shared by all loops; MessageSource is a value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "broker/base/random.h"
#include "broker/base/units.h"
#include "workers/measure/payload.h"

namespace n2nq::fleet {

class MessagePool {
 public:
  static constexpr size_t kSlices = 4096;

  MessagePool(SizeRange size, uint64_t seed, const measure::Payload& payload = {});

  SizeRange size() const { return size_; }
  uint64_t seed() const { return seed_; }
  std::span<const uint8_t> slice(uint32_t slice, uint32_t size) const {
    return {letters_.data() + (uint64_t{slice} * starts_ / kSlices), size};
  }
  uint32_t checksum(uint32_t slice, uint32_t size) const;

 private:
  SizeRange size_;
  uint64_t seed_;
  uint64_t starts_;  // over so many letters slices begin, at equal distances: of a file over all of it
  std::vector<uint8_t> letters_;
  std::vector<uint32_t> checksums_;  // of each slice, where all messages have one size
};

class MessageSource {
 public:
  struct Message {
    std::span<const uint8_t> payload;
    uint32_t checksum = 0;
  };

  MessageSource(const MessagePool& pool, uint32_t sender)
      : pool_(pool), key_(mix64(mix64(pool.seed()) ^ sender)), sizes_(pool.size().max - pool.size().min + 1) {}

  // Message `index`, from 1.
  Message at(uint64_t index) const {
    const uint64_t dice = mix64(key_ ^ index);
    const auto slice = static_cast<uint32_t>(dice % MessagePool::kSlices);
    const auto size = static_cast<uint32_t>(pool_.size().min + (((dice >> 32) * sizes_) >> 32));
    return {.payload = pool_.slice(slice, size), .checksum = pool_.checksum(slice, size)};
  }

 private:
  const MessagePool& pool_;
  uint64_t key_;
  uint64_t sizes_;  // how many different ones, at most 2^32
};

}  // namespace n2nq::fleet
