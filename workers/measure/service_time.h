// How long a receiver holds a message before it goes on to the next: not at all, always as long, or exponentially
// distributed. ServiceTime is a value; ServiceTimes draws those of one receiver, the same for the same seed. One
// thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "broker/base/random.h"
#include "broker/base/result.h"

namespace n2nq::measure {

struct ServiceTime {
  enum class Kind { none, fixed, exponential };
  Kind kind = Kind::none;
  int64_t mean_ns = 0;  // above 0, unless there is none
  bool exists() const { return kind != Kind::none; }
  bool operator==(const ServiceTime&) const = default;
};
inline constexpr int64_t kLongestServiceNs = 3'600'000'000'000;

// "none", "fixed:5ms", "exponential:5ms"; a bare "5ms" is fixed.
Result<ServiceTime> parse_service_time(std::string_view text);

class ServiceTimes {
 public:
  ServiceTimes(const ServiceTime& time, uint64_t seed, uint32_t receiver)
      : time_(time), random_(mix64(mix64(seed) ^ (uint64_t{receiver} | kReceivers))) {}
  int64_t next_ns();

 private:
  static constexpr uint64_t kReceivers = uint64_t{1} << 32;  // so that senders of this seed draw something else

  ServiceTime time_;
  Random random_;
};

}  // namespace n2nq::measure
