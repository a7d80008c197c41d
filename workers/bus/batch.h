// The messages, or the replies, that go into a bus together, as frames side by side: built, stamped at the last moment,
// and sorted out again after a write that the socket cut. One a loop, shared by its services. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "broker/wire/frames.h"

namespace n2nq::bus {

class Batch {
 public:
  static constexpr size_t kBytes = 16 * 1024;  // of one write; a larger message goes alone

  // `largest`: payload bytes.
  explicit Batch(size_t largest) : bytes_(std::max(kBytes, wire::kReplyHeaderBytes + largest)) {
    starts_.reserve(bytes_.size() / wire::kDataHeaderBytes + 1);
  }

  void clear() {
    filled_ = 0;
    starts_.clear();
  }
  size_t count() const { return starts_.size(); }
  std::span<const uint8_t> bytes() const { return {bytes_.data(), filled_}; }
  bool has_room_for(size_t payload) const {
    return filled_ == 0 || filled_ + wire::kDataHeaderBytes + payload <= kBytes;
  }
  bool has_room_for_reply(size_t payload) const {
    return filled_ == 0 || filled_ + wire::kReplyHeaderBytes + payload <= kBytes;
  }

  void add(uint32_t sender, uint64_t index, int64_t intended_ns, std::span<const uint8_t> content, uint32_t checksum) {
    uint8_t* at = bytes_.data() + filled_;
    const auto length = static_cast<uint32_t>(wire::kDataHeaderBytes + content.size());
    wire::write_data_header(
        at, {.length = length, .sender = sender, .checksum = checksum, .index = index, .intended_ns = intended_ns});
    if (!content.empty()) std::memcpy(at + wire::kDataHeaderBytes, content.data(), content.size());
    starts_.push_back(static_cast<uint32_t>(filled_));
    filled_ += length;
  }
  // Its length follows from the content.
  void add_reply(wire::ReplyHeader reply, std::span<const uint8_t> content) {
    uint8_t* at = bytes_.data() + filled_;
    reply.length = static_cast<uint32_t>(wire::kReplyHeaderBytes + content.size());
    wire::write_reply_header(at, reply);
    if (!content.empty()) std::memcpy(at + wire::kReplyHeaderBytes, content.data(), content.size());
    starts_.push_back(static_cast<uint32_t>(filled_));
    filled_ += reply.length;
  }
  // All of them are sent now.
  void stamp(int64_t sent_ns) {
    for (const uint32_t start : starts_) wire::set_sent_ns(bytes_.data() + start, sent_ns);
  }
  // This one is sent now, by a write of its own.
  void stamp(size_t i, int64_t sent_ns) { wire::set_sent_ns(bytes_.data() + starts_[i], sent_ns); }

  // After a write that took `written` bytes: how many frames are on their way, the one it cut included.
  size_t begun(size_t written) const {
    if (written >= filled_) return starts_.size();
    return static_cast<size_t>(std::lower_bound(starts_.begin(), starts_.end(), written) - starts_.begin());
  }
  // What is left of the frame it cut; empty if it ended between two.
  std::span<const uint8_t> rest_of_cut(size_t written) const {
    const size_t frames = begun(written);
    const size_t end = frames < starts_.size() ? starts_[frames] : filled_;
    return {bytes_.data() + written, end - written};
  }

  // One whole frame.
  std::span<const uint8_t> frame(size_t i) const {
    return {bytes_.data() + starts_[i], wire::get<uint32_t>(bytes_.data() + starts_[i])};
  }
  wire::DataHeader header(size_t i) const { return wire::read_data_header(bytes_.data() + starts_[i]); }
  std::span<const uint8_t> payload(size_t i) const {
    const uint8_t* at = bytes_.data() + starts_[i];
    return {at + wire::kDataHeaderBytes, wire::get<uint32_t>(at) - wire::kDataHeaderBytes};
  }

 private:
  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> starts_;
  size_t filled_ = 0;
};

}  // namespace n2nq::bus
