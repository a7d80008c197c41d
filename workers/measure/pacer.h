// When messages are due: the absolute schedule of one sender, and the queue of all senders of an event loop ordered by
// their next message. Due times never depend on when the loop woke up. One thread; pass the time in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "broker/base/random.h"
#include "workers/measure/load_profile.h"

namespace n2nq::measure {

// How the senders of a fleet are staggered within the delay.
enum class PhaseKind { even, together, random };

// Whether all delays of a sender are alike, or exponentially distributed about their mean: arrivals as of many people
// who know nothing of each other, whose phases mean nothing.
enum class Pacing { fixed, poisson };

// The phase of sender k (from 0) of n: spread evenly over the delay, 0, or uniform and the same for the same seed.
int64_t phase_of(PhaseKind kind, uint64_t k, uint64_t n, int64_t delay_ns, uint64_t seed);

// With a load shape: how many messages of all n senders are due before the first of sender k.
double first_of(PhaseKind kind, uint64_t k, uint64_t n, uint64_t seed);

class Schedule {
 public:
  Schedule() = default;
  // A delay of 0 is not a schedule: as fast as the bus takes them.
  Schedule(int64_t begin_ns, int64_t phase_ns, int64_t delay_ns);

  // Exponential delays with this mean above 0; the first message comes one after the begin. The same for the same seed
  // and sender.
  static Schedule poisson(int64_t begin_ns, int64_t mean_delay_ns, uint64_t seed, uint32_t sender);

  // Message i is due where the profile has had `first` + i * `step` messages; it outlives the schedule.
  static Schedule shaped(int64_t begin_ns, const LoadProfile& profile, double first, double step);
  // As exponential delays about the rate that the profile has just then.
  static Schedule shaped_poisson(int64_t begin_ns, const LoadProfile& profile, double step, uint64_t seed,
                                 uint32_t sender);

  bool exists() const { return delay_ns_ > 0; }
  bool is_poisson() const { return poisson_; }
  int64_t delay_ns() const { return delay_ns_; }  // or the mean
  bool is_shaped() const { return profile_ != nullptr; }
  // Of a shape: when it is due without the pauses.
  int64_t in_shape_ns(int64_t due_ns) const { return due_ns - first_ns_; }
  // When message i (from 0), not yet sent, is to be sent; asserts exists(). Of a Poisson schedule cheap for the first
  // that is not sent and those that follow, one after the other.
  int64_t intended_ns(uint64_t i) const;
  // Without the pauses.
  int64_t since_begin_ns(uint64_t i) const { return intended_ns(i) - first_ns_; }
  // Messages before i will not be asked for again.
  void forget_before(uint64_t i);

  // From pause to resume nothing is due; what is left moves by as much. Repeating either changes nothing.
  void pause(int64_t now_ns);
  void resume(int64_t now_ns);
  bool paused() const { return paused_at_.has_value(); }

 private:
  int64_t begin_ns_ = 0;
  int64_t first_ns_ = 0;
  int64_t delay_ns_ = 0;
  std::optional<int64_t> paused_at_;

  // A place in a Poisson schedule: each delay follows from the key and its number alone, so that a message that did not
  // go out has the same time when it is asked for again.
  struct Place {
    uint64_t i = 0;
    int64_t after_ns = 0;  // the begin
  };
  void be_poisson(int64_t mean_gap_ns, uint64_t seed, uint32_t sender);
  int64_t gap_ns(uint64_t i) const;
  int64_t shaped_ns(uint64_t i) const;
  void move_to(Place& place, uint64_t i) const;
  bool by_delay_ = true;  // and nothing else: first, as each message asks
  bool poisson_ = false;
  uint64_t key_ = 0;
  int64_t mean_gap_ns_ = 0;  // with a profile it is not time that passes: a message takes kOneMessage
  Place base_{};             // the first that may still be asked for
  mutable Place last_{};     // the one that was asked for last

  static constexpr int64_t kOneMessage = 1'000'000'000;
  const LoadProfile* profile_ = nullptr;
  double amount_ = 0;  // of the first
  double step_ = 1;
  mutable size_t near_ = 0;       // in the profile
  mutable uint64_t known_i_ = 0;  // the last that was worked out, and where
  mutable int64_t known_ns_ = -1;
};

// A binary heap: thousands of services cost a dozen comparisons a message. Allocates only beyond the reserved size.
class DueQueue {
 public:
  struct Due {
    int64_t due_ns = 0;
    uint32_t service = 0;
    auto operator<=>(const Due&) const = default;  // among equals the lower service goes first
  };
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  void reserve(size_t services) { heap_.reserve(services); }
  void push(int64_t due_ns, uint32_t service);
  int64_t next_due() const { return heap_.empty() ? kNever : heap_.front().due_ns; }
  // The earliest one that is due by now, if any; push() it again with its next time.
  std::optional<Due> pop_due(int64_t now_ns);
  size_t size() const { return heap_.size(); }
  bool empty() const { return heap_.empty(); }
  void clear() { heap_.clear(); }

 private:
  std::vector<Due> heap_;
};

}  // namespace n2nq::measure
