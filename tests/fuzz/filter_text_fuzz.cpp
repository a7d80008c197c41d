#include <string>

#include "broker/base/assert.h"
#include "broker/wire/filter.h"
#include "tests/fuzz/entries.h"

namespace n2nq::fuzz {

void filter_text_fuzz(std::span<const uint8_t> input) {
  const std::string text(input.begin(), input.end());
  const auto filter = wire::parse_filter(text, 7);
  if (!filter) {
    N2NQ_ASSERT(!filter.error().text.empty());
    return;
  }
  const auto from_text = wire::parse_filter(wire::to_text(*filter), 7);
  N2NQ_ASSERT(from_text && *from_text == *filter);

  std::vector<uint8_t> bytes(wire::encoded_size(*filter));
  wire::encode(*filter, bytes.data());
  const auto from_bytes = wire::decode_filter(bytes);
  N2NQ_ASSERT(from_bytes && *from_bytes == *filter);
}

}  // namespace n2nq::fuzz
