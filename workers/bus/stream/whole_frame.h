// Whether bytes from outside are exactly one frame of the kind that is expected there. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "broker/wire/frames.h"

namespace n2nq::bus {

inline constexpr size_t kLongestPayload = size_t{64} << 20;
inline constexpr size_t kLongestFrame = wire::kReplyHeaderBytes + kLongestPayload;

inline bool is_whole_message(std::span<const uint8_t> bytes) {
  return bytes.size() >= wire::kDataHeaderBytes && wire::is_sound_data_header(bytes.data()) &&
         wire::get<uint32_t>(bytes.data()) == bytes.size();
}

// A reply to this requester.
inline bool is_whole_reply(std::span<const uint8_t> bytes, uint32_t requester) {
  const auto reply = wire::decode_reply(bytes);
  return reply && reply->requester == requester;
}

}  // namespace n2nq::bus
