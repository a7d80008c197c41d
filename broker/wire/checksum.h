// CRC-32C of payloads: the processor's instruction where there is one, a table elsewhere.
#pragma once

#include <cstdint>
#include <span>

namespace n2nq::wire {

uint32_t crc32c(std::span<const uint8_t> bytes);
// The table form, so that tests can hold one against the other.
uint32_t crc32c_table(std::span<const uint8_t> bytes);

}  // namespace n2nq::wire
