// Bytes that come in pieces, for decoders that must not mind how they are cut. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace n2nq::fuzz {

// After each so many bytes, hands over all that is not used up yet; `take` says how many it has used, or nothing where
// it wants no more.
template <class Take>
void in_chunks(std::span<const uint8_t> input, size_t chunk, Take take) {
  std::vector<uint8_t> held;
  while (!input.empty()) {
    const auto part = input.first(std::min(chunk, input.size()));
    input = input.subspan(part.size());
    held.insert(held.end(), part.begin(), part.end());
    const std::optional<size_t> used = take(std::span(held));
    if (!used) return;
    held.erase(held.begin(), held.begin() + static_cast<ptrdiff_t>(*used));
  }
}

}  // namespace n2nq::fuzz
