// Little-endian numbers in byte buffers, whatever their alignment.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace n2nq::wire {

static_assert(std::endian::native == std::endian::little, "a big-endian host needs byte swaps here, and only here");

template <class T>
T get(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class T>
void put(uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace n2nq::wire
