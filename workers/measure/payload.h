// What messages consist of: a value, as a plan and a worker's command line have it. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"
#include "workers/measure/from_file.h"

namespace n2nq::measure {

struct Payload {
  // random: letters. repeated: one letter. text: lines that compress to a part of their size. file: that of a file.
  enum class Kind { random, repeated, text, file };
  Kind kind = Kind::random;
  uint32_t percent = 50;  // of text: what deflate leaves of a message of some KiB
  RecordedBytes file{};
  bool operator==(const Payload&) const = default;
};
inline constexpr uint32_t kLeastPercent = 5;
inline constexpr uint32_t kMostPercent = 75;

// "random", "repeated", "text 30%"; "file FILE" reads the file.
Result<Payload> parse_payload(std::string_view text);
std::string exact_payload(const Payload& payload);

// So many bytes of it, the same for the same seed. Of a file: from its begin, again and again.
std::vector<uint8_t> content_of(const Payload& payload, size_t count, uint64_t seed);

}  // namespace n2nq::measure
