// Which messages a receiver wants: any set of senders, a payload size range, an index range, in any combination.
// A plain value with a canonical form (ranges ascending, merged), so that equal wishes compare equal.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "broker/base/number_ranges.h"
#include "broker/base/result.h"

namespace n2nq::wire {

inline constexpr size_t kMaxFilterRanges = 1024;
inline constexpr size_t kFilterFixedBytes = 32;

struct Filter {
  using Range = NumberRange;
  struct Bounds {
    uint64_t min = 0;
    uint64_t max = std::numeric_limits<uint64_t>::max();
    bool contains(uint64_t value) const { return value >= min && value <= max; }
    bool operator==(const Bounds&) const = default;
  };

  std::optional<NumberRanges> senders;  // absent: any sender; empty: none
  std::optional<Bounds> size;           // bytes of payload
  std::optional<Bounds> index;

  bool everything() const { return !senders && !size && !index; }
  bool wants_sender(uint32_t sender) const { return !senders || contains(*senders, sender); }
  bool matches(uint32_t sender, uint64_t payload_size, uint64_t message_index) const {
    return (!size || size->contains(payload_size)) && (!index || index->contains(message_index)) &&
           (!senders || wants_sender(sender));
  }
  bool operator==(const Filter&) const = default;
};

// The wire form. An everything-filter is no bytes at all.
size_t encoded_size(const Filter& filter);
void encode(const Filter& filter, uint8_t* out);
Result<Filter> decode_filter(std::span<const uint8_t> bytes);

// The form people type: "senders=1..5,9;size=10B..1KiB;index=1..100". `self` among the senders is the given number.
Result<Filter> parse_filter(std::string_view text, uint32_t self);
std::string to_text(const Filter& filter);

}  // namespace n2nq::wire
