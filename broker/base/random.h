// Random numbers: splitmix64, a small seeded generator whose sequence is the same on every machine, so that a run can
// be repeated; and ids, which never repeat.
#pragma once

#include <cstdint>
#include <string>

#include "broker/base/uint128.h"

namespace n2nq {

inline uint64_t mix64(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    const uint64_t value = mix64(state_);
    state_ += 0x9E3779B97F4A7C15ull;
    return value;
  }
  // Uniform in [0, n), n > 0; the bias is below 2^-32 for every n that fits in 32 bits.
  uint64_t below(uint64_t n) { return static_cast<uint64_t>((static_cast<uint128>(next()) * n) >> 64); }

 private:
  uint64_t state_;
};

// Of the system's randomness; never 0.
uint64_t random_id();
// As ids are written: 16 hexadecimal digits.
std::string id_text(uint64_t id);

}  // namespace n2nq
