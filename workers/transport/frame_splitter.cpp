#include "workers/transport/frame_splitter.h"

#include <cstring>

namespace n2nq::transport {

std::span<uint8_t> FrameSplitter::space() {
  if (assembling()) return {large_.get() + filled_, large_length_ - filled_};
  if (!remainder_.empty()) std::memcpy(shared_.data(), remainder_.data(), remainder_.size());
  return {shared_.data() + remainder_.size(), ReadBuffer::kBytes - remainder_.size()};
}

void FrameSplitter::clear() {
  remainder_ = {};
  large_.reset();
  filled_ = 0;
}

Result<size_t> FrameSplitter::length_at(const uint8_t* at) const {
  const wire::Header header = wire::read_header(at);
  const size_t least = header.type == wire::Type::data    ? wire::kDataHeaderBytes
                       : header.type == wire::Type::reply ? wire::kReplyHeaderBytes
                                                          : wire::kHeaderBytes;
  if (header.length < least || header.length > max_frame_)
    return fail("a frame of type " + std::to_string(static_cast<unsigned>(header.type)) + " claims a length of " +
                std::to_string(header.length) + " bytes");
  return header.length;
}

Result<void> FrameSplitter::keep(const uint8_t* at, size_t n) {
  if (n >= wire::kHeaderBytes) {
    const size_t length = *length_at(at);  // take() has checked it
    if (length > kLarge) {
      large_ = std::make_unique_for_overwrite<uint8_t[]>(length);
      large_length_ = length;
      filled_ = n;
      std::memcpy(large_.get(), at, n);
      return {};
    }
  }
  remainder_.assign(at, at + n);
  return {};
}

}  // namespace n2nq::transport
