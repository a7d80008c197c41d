#include "workers/fleet/message_source.h"

#include <algorithm>

#include "broker/wire/checksum.h"

namespace n2nq::fleet {
namespace {

// Beyond this, computing the checksums beforehand would delay the start more than it saves.
constexpr uint64_t kLargestPrepared = 64 * 1024;

// Where text is asked for, whoever packs many messages into one piece is to find no more in common than within each:
// two slices share no letter, or of large messages little that is near enough. 16 MiB at most.
constexpr uint64_t kLargestStep = 4096;

uint64_t letters_of_starts(SizeRange size, const measure::Payload& payload) {
  if (payload.file.content) return payload.file.content->size();
  const bool text = payload.kind == measure::Payload::Kind::text;
  return MessagePool::kSlices * (text ? std::clamp<uint64_t>(size.max, 1, kLargestStep) : 1);
}

}  // namespace

MessagePool::MessagePool(SizeRange size, uint64_t seed, const measure::Payload& payload)
    : size_(size),
      seed_(seed),
      starts_(letters_of_starts(size, payload)),
      letters_(measure::content_of(payload, starts_ + size.max, seed)) {
  if (size.min != size.max || size.max > kLargestPrepared) return;
  checksums_.reserve(kSlices);
  for (uint32_t i = 0; i < kSlices; i++) checksums_.push_back(wire::crc32c(slice(i, static_cast<uint32_t>(size.max))));
}

uint32_t MessagePool::checksum(uint32_t slice_number, uint32_t size) const {
  return checksums_.empty() ? wire::crc32c(slice(slice_number, size)) : checksums_[slice_number];
}

}  // namespace n2nq::fleet
