// How long a receiver works on a message before it goes on to the next: not at all, always as long, or exponentially
// distributed, and longer for larger messages; it waits meanwhile, or uses a processor. ServiceTime is a value;
// ServiceTimes draws those of one receiver, the same for the same seed. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "broker/base/random.h"
#include "broker/base/result.h"

namespace n2nq::measure {

struct ServiceTime {
  enum class Kind { none, fixed, exponential };
  Kind kind = Kind::none;
  int64_t mean_ns = 0;       // of an empty message; above 0, unless there is none or it has a part by size
  int64_t piece_ns = 0;      // more for each piece of a message, in proportion
  uint64_t piece_bytes = 0;  // 0: as long whatever the size
  bool computes = false;     // it is so much time of a processor
  bool exists() const { return kind != Kind::none; }
  bool by_size() const { return piece_bytes > 0; }
  int64_t mean_of(uint64_t bytes) const;  // at most kLongestServiceNs
  bool operator==(const ServiceTime&) const = default;
};
inline constexpr int64_t kLongestServiceNs = 3'600'000'000'000;

// "none", "fixed:5ms", "exponential:5ms", "busy:5ms", "busy-exponential:5ms"; "fixed:5ms+1us/1KiB" by size; a bare
// "5ms" is fixed.
Result<ServiceTime> parse_service_time(std::string_view text);
std::string_view word_of(const ServiceTime& time);  // "none", "fixed", ...

class ServiceTimes {
 public:
  ServiceTimes(const ServiceTime& time, uint64_t seed, uint32_t receiver)
      : time_(time), random_(mix64(mix64(seed) ^ (uint64_t{receiver} | kReceivers))) {}
  int64_t next_ns(uint64_t bytes);
  bool compute() const { return time_.computes; }

 private:
  static constexpr uint64_t kReceivers = uint64_t{1} << 32;  // so that senders of this seed draw something else

  ServiceTime time_;
  Random random_;
};

// What the receivers of a process share, such as connections to one database: so many places, each for one message that
// is worked on, or so many messages a second that are begun with.
struct SharedLimit {
  enum class Kind { none, pool, rate };
  Kind kind = Kind::none;
  uint32_t places = 0;
  double per_s = 0;
  bool exists() const { return kind != Kind::none; }
  bool operator==(const SharedLimit&) const = default;
};
inline constexpr uint32_t kMostPlaces = 10'000;
inline constexpr double kLeastSharedPerS = 0.001;

// "none", "pool:4", "rate:200/s".
Result<SharedLimit> parse_shared_limit(std::string_view text);
std::string exact_shared_limit(const SharedLimit& limit);

}  // namespace n2nq::measure
