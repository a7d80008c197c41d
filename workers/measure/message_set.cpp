#include "workers/measure/message_set.h"

#include <algorithm>
#include <array>

#include "workers/measure/from_file.h"

namespace n2nq::measure {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 45;  // for indices up to 2^48, as of a run
constexpr uint8_t kFull = 0xFF;

// Modulo 2^64, which dividing comes before.
uint64_t product(std::array<uint64_t, 3> factors, std::initializer_list<uint64_t> divisors) {
  for (const uint64_t divisor : divisors)
    for (uint64_t& factor : factors)
      if (factor % divisor == 0) {
        factor /= divisor;
        break;
      }
  return factors[0] * factors[1] * factors[2];
}

}  // namespace

void MessageSums::add_up_to(uint32_t sender, uint64_t last) {
  count += last;
  indices += weight(sender) * product({last, last + 1, 1}, {2});
  squares += weight(sender) * product({last, last + 1, 2 * last + 1}, {2, 3});
}

MessageSums& MessageSums::operator+=(const MessageSums& other) {
  count += other.count;
  indices += other.indices;
  squares += other.squares;
  return *this;
}

void SetWriter::end_run() {
  if (run_ == 0) return;
  bytes_ += static_cast<char>(run_of_);
  for (uint64_t more = run_ - 1;; more >>= 7) {
    bytes_ += static_cast<char>((more & 0x7F) | (more > 0x7F ? 0x80 : 0));
    if (more <= 0x7F) break;
  }
  run_ = 0;
}

void SetWriter::add_byte() {
  if (run_ > 0 && byte_ != run_of_) end_run();
  if (byte_ == 0 || byte_ == kFull) {
    run_of_ = byte_;
    run_++;
  } else {
    bytes_ += static_cast<char>(byte_);
  }
  at_++;
  byte_ = 0;
}

void SetWriter::go_to(uint64_t byte) {
  if (byte == at_) return;
  add_byte();
  if (byte == at_) return;
  if (run_ > 0 && run_of_ != 0) end_run();
  run_of_ = 0;
  run_ += byte - at_;
  at_ = byte;
}

void SetWriter::add(const Stretch& stretch) {
  uint64_t bit = stretch.first - 1;
  const uint64_t beyond = stretch.last;
  go_to(bit / 8);
  for (; bit < beyond && bit % 8 != 0; bit++) byte_ |= static_cast<uint8_t>(1U << (bit % 8));
  if (bit < beyond && bit / 8 > at_) add_byte();
  if (const uint64_t whole = (beyond - bit) / 8; bit < beyond && whole > 0) {
    if (run_ > 0 && run_of_ != kFull) end_run();
    run_of_ = kFull;
    run_ += whole;
    at_ += whole;
    bit += whole * 8;
  }
  for (; bit < beyond; bit++) byte_ |= static_cast<uint8_t>(1U << (bit % 8));
}

std::string SetWriter::text() {
  if (byte_ != 0) add_byte();
  end_run();
  return base64(bytes_);
}

std::optional<std::vector<Stretch>> read_set(std::string_view text) {
  const auto bytes = from_base64(text);
  if (!bytes) return std::nullopt;
  std::vector<Stretch> stretches;
  const auto add = [&stretches](uint64_t first, uint64_t last) {
    if (!stretches.empty() && stretches.back().last + 1 == first)
      stretches.back().last = last;
    else
      stretches.push_back({first, last});
  };
  uint64_t at = 0;
  for (size_t i = 0; i < bytes->size(); i++) {
    const auto byte = static_cast<uint8_t>((*bytes)[i]);
    if (byte != 0 && byte != kFull) {
      for (uint64_t bit = 0; bit < 8; bit++)
        if ((byte >> bit) & 1) add(at * 8 + bit + 1, at * 8 + bit + 1);
      at++;
      continue;
    }
    uint64_t more = 0;
    for (int shift = 0;; shift += 7) {
      if (++i == bytes->size() || shift > 42) return std::nullopt;
      const auto part = static_cast<uint8_t>((*bytes)[i]);
      more |= static_cast<uint64_t>(part & 0x7F) << shift;
      if ((part & 0x80) == 0) break;
    }
    if (at + more + 1 > kMostBytes) return std::nullopt;
    if (byte == kFull) add(at * 8 + 1, (at + more + 1) * 8);
    at += more + 1;
  }
  return stretches;
}

uint64_t size_of_all(std::vector<Stretch> stretches) {
  std::ranges::sort(stretches, {}, &Stretch::first);
  uint64_t size = 0, beyond = 1;
  for (const Stretch& one : stretches) {
    const uint64_t first = std::max(one.first, beyond);
    if (one.last < first) continue;
    size += one.last - first + 1;
    beyond = one.last + 1;
  }
  return size;
}

}  // namespace n2nq::measure
