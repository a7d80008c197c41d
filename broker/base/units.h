// Sizes and durations as people write them: 50B, 4KiB, 1.5kB, 500ms, 2s. kB = 1000 bytes, KiB = 1024.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq {

struct SizeRange {
  uint64_t min = 0;
  uint64_t max = 0;
  bool operator==(const SizeRange&) const = default;
};

// "250us", "500ms", "2s", "1.5s", "2min", "1h" and "0" (which needs no unit), in nanoseconds.
Result<int64_t> parse_duration(std::string_view text);
// "50B", "4KiB", "1.5kB", "2MiB", "1GB"; a bare number is bytes.
Result<uint64_t> parse_size(std::string_view text);
// The error says the bounds.
Result<uint64_t> parse_size_between(const std::string& text, uint64_t min, uint64_t max);
// "50B" or "10B..1KiB", inclusive.
Result<SizeRange> parse_size_range(std::string_view text);
// A whole number without sign, blanks or leftovers.
Result<uint64_t> parse_whole(std::string_view text);
// "1.5" and "2", as thousandths: at most three digits behind the point.
Result<int64_t> parse_thousandths(std::string_view text);

// A number as people write it, as the functions above take it: "20 ms" is "20ms", "1,000" is "1000", "1.5 µs" is
// "1.5us", "10 B .. 1 KiB" is "10B..1KiB". Commas stand between thousands only. Any other text comes back without the
// blanks around it.
std::string plain_quantity(std::string_view written);

// The shortest exact-enough form with a unit: "500ms", "1.5s", "86.2us".
std::string format_duration(int64_t ns);
// "50B", "4KiB", "1.5KiB".
std::string format_size(uint64_t bytes);

}  // namespace n2nq
