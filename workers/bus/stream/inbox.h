// The bytes that a connection has read and not yet used up, always in one piece. Reads go into the buffer that all
// connections of the loop share; a connection keeps only what a read cut in two, and what is large is assembled where
// it lies. One thread, the loop's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

class Inbox {
 public:
  explicit Inbox(StreamLoop& loop) : loop_(loop) {}

  // Where the next bytes go; valid until any other connection of the loop reads.
  std::span<uint8_t> space() {
    if (large_) return {large_.get() + filled_, whole_ - filled_};
    const auto shared = loop_.read_buffer();
    if (!kept_.empty()) std::memcpy(shared.data(), kept_.data(), kept_.size());
    return shared.subspan(kept_.size());
  }
  // After space(): so many came; bytes() is valid until keep().
  void add(size_t n) {
    if (large_) {
      filled_ += n;
      bytes_ = {large_.get(), filled_};
    } else {
      bytes_ = loop_.read_buffer().first(kept_.size() + n);
      kept_.clear();
    }
  }
  std::span<uint8_t> bytes() const { return bytes_; }
  void drop(size_t n) { bytes_ = bytes_.subspan(n); }
  // What is left begins with something of `whole` bytes, which may be there already; 0: it is not known yet.
  void keep(size_t whole) {
    if (large_ && bytes_.data() == large_.get() && bytes_.size() == filled_ && whole == whole_) return;
    if (whole > kLarge) {
      const size_t room = std::max(whole, bytes_.size());
      auto larger = std::make_unique_for_overwrite<uint8_t[]>(room);
      if (!bytes_.empty()) std::memcpy(larger.get(), bytes_.data(), bytes_.size());
      large_ = std::move(larger);
      whole_ = room;
      filled_ = bytes_.size();
    } else {
      kept_.assign(bytes_.begin(), bytes_.end());
      large_.reset();
    }
    bytes_ = {};
  }
  bool empty() const { return !large_ && kept_.empty(); }

 private:
  static constexpr size_t kLarge = 64 * 1024;

  StreamLoop& loop_;
  std::vector<uint8_t> kept_;
  std::unique_ptr<uint8_t[]> large_;
  size_t whole_ = 0;
  size_t filled_ = 0;
  std::span<uint8_t> bytes_;
};

}  // namespace n2nq::bus
