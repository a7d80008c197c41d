// When messages are due: the absolute schedule of one sender, and the queue of all senders of an event loop ordered by
// their next message. Due times never depend on when the loop woke up. One thread; pass the time in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace n2nq::measure {

// How the senders of a fleet are staggered within the delay.
enum class PhaseKind { even, together, random };

// The phase of sender k (from 0) of n: spread evenly over the delay, 0, or uniform and the same for the same seed.
int64_t phase_of(PhaseKind kind, uint64_t k, uint64_t n, int64_t delay_ns, uint64_t seed);

class Schedule {
 public:
  Schedule() = default;
  // A delay of 0 is no schedule: as fast as the bus takes them.
  Schedule(int64_t begin_ns, int64_t phase_ns, int64_t delay_ns);

  bool exists() const { return delay_ns_ > 0; }
  int64_t delay_ns() const { return delay_ns_; }
  // When message i (from 0), not yet sent, is to be sent; asserts exists().
  int64_t intended_ns(uint64_t i) const;

  // From pause to resume nothing is due; what is left moves by as much. Repeating either changes nothing.
  void pause(int64_t now_ns);
  void resume(int64_t now_ns);
  bool paused() const { return paused_at_.has_value(); }

 private:
  int64_t begin_ns_ = 0;
  int64_t first_ns_ = 0;
  int64_t delay_ns_ = 0;
  std::optional<int64_t> paused_at_;
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
