// Cuts the bytes of one connection into frames. Reads go into a buffer that all connections of an event loop share;
// a connection keeps only the frame that a read cut in two. A frame too large for that is assembled in place.
// One thread, the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "broker/base/result.h"
#include "broker/wire/frames.h"

namespace n2nq::transport {

class ReadBuffer {
 public:
  static constexpr size_t kBytes = 256 * 1024;
  ReadBuffer() : bytes_(std::make_unique_for_overwrite<uint8_t[]>(kBytes)) {}
  uint8_t* data() { return bytes_.get(); }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
};

class FrameSplitter {
 public:
  explicit FrameSplitter(ReadBuffer& shared) : shared_(shared) {}

  // Longer frames are nonsense. WELCOME raises the limit.
  void allow(size_t max_frame) { max_frame_ = max_frame; }

  // Where the next bytes go; valid until any other connection of the loop reads.
  std::span<uint8_t> space();

  // `n` > 0 bytes came there. Calls bool sink(wire::Header, wire::Frame) for each whole frame; false stops for good.
  template <class Sink>
  Result<void> take(size_t n, Sink&& sink);

  // Bytes of an unfinished frame.
  size_t held() const { return assembling() ? filled_ : remainder_.size(); }
  void clear();

 private:
  // Frames above this are assembled where they lie, so that a slow large frame is not copied again at each read.
  static constexpr size_t kLarge = 64 * 1024;

  bool assembling() const { return large_ != nullptr; }
  Result<size_t> length_at(const uint8_t* at) const;
  Result<void> keep(const uint8_t* at, size_t n);

  ReadBuffer& shared_;
  size_t max_frame_ = wire::kMaxControlFrame;
  std::vector<uint8_t> remainder_;
  std::unique_ptr<uint8_t[]> large_;
  size_t large_length_ = 0;
  size_t filled_ = 0;
};

template <class Sink>
Result<void> FrameSplitter::take(size_t n, Sink&& sink) {
  if (assembling()) {
    filled_ += n;
    if (filled_ < large_length_) return {};
    const auto frame = std::exchange(large_, nullptr);
    filled_ = 0;
    sink(wire::read_header(frame.get()), wire::Frame(frame.get(), large_length_));
    return {};
  }
  const uint8_t* at = shared_.data();
  size_t left = remainder_.size() + n;
  remainder_.clear();
  while (left >= wire::kHeaderBytes) {
    const auto length = length_at(at);
    if (!length) return std::unexpected(length.error());
    if (*length > left) break;
    if (!sink(wire::read_header(at), wire::Frame(at, *length))) return {};
    at += *length;
    left -= *length;
  }
  return keep(at, left);
}

}  // namespace n2nq::transport
