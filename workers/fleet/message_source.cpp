#include "workers/fleet/message_source.h"

#include "broker/wire/checksum.h"

namespace n2nq::fleet {
namespace {

// Beyond this, computing the checksums beforehand would delay the start more than it saves.
constexpr uint64_t kLargestPrepared = 64 * 1024;

}  // namespace

MessagePool::MessagePool(SizeRange size, uint64_t seed, const measure::Payload& payload)
    : size_(size),
      seed_(seed),
      starts_(payload.file.content ? payload.file.content->size() : kSlices),
      letters_(measure::content_of(payload, starts_ + size.max, seed)) {
  if (size.min != size.max || size.max > kLargestPrepared) return;
  checksums_.reserve(kSlices);
  for (uint32_t i = 0; i < kSlices; i++) checksums_.push_back(wire::crc32c(slice(i, static_cast<uint32_t>(size.max))));
}

uint32_t MessagePool::checksum(uint32_t slice_number, uint32_t size) const {
  return checksums_.empty() ? wire::crc32c(slice(slice_number, size)) : checksums_[slice_number];
}

}  // namespace n2nq::fleet
