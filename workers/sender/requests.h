// What a requester waits for: its requests without a reply, in the order of their sending, and what a reply means to
// them. Knows no clock, no timer and no socket: its owner brings the time. The time-out is the same for all, so that
// the oldest request is the next to time out. Allocates only while it grows. One thread.
#pragma once

#include <cstdint>
#include <optional>

#include "broker/base/ring.h"
#include "broker/wire/frames.h"
#include "workers/measure/distinct.h"
#include "workers/measure/number_table.h"

namespace n2nq::sender {

class Requests {
 public:
  struct Sent {
    int64_t intended_ns = wire::kNoSchedule;
    int64_t sent_ns = 0;
    bool measured = true;  // not in the warm-up
  };
  enum class Meaning {
    answer,   // it counts
    further,  // of another replier, where only the first counts
    late,     // its request had timed out
    repeated  // that replier, or where one is asked anybody, had replied already
  };
  struct Reply {
    Meaning meaning = Meaning::answer;
    Sent request{};  // of an answer
  };

  // `repliers`: how many a request goes to where all are asked.
  Requests(wire::ReplyFrom from, uint32_t repliers, int64_t timeout_ns)
      : from_(from), awaited_(from == wire::ReplyFrom::all ? repliers : 1), timeout_ns_(timeout_ns) {}

  // The next one went out: index 1, 2, 3 ...
  void sent(const Sent& request);
  // `index` is of a request that went out.
  Reply replied(uint64_t index, uint32_t replier);
  // Gives up what has waited too long by now; how many those were.
  uint64_t time_out(int64_t now_ns);

  uint64_t outstanding() const { return outstanding_; }
  // When the oldest times out.
  std::optional<int64_t> next_deadline_ns() const;

 private:
  struct Slot {
    Sent request;
    uint32_t awaited = 0;  // replies; 0: answered
  };
  bool is_first_of_its_replier(uint64_t index, uint32_t replier);
  Slot* waiting(uint64_t index);
  void drop_answered();

  wire::ReplyFrom from_;
  uint32_t awaited_;
  int64_t timeout_ns_;
  Ring<Slot> slots_;          // from the oldest request that waits on
  uint64_t first_index_ = 1;  // of the first slot
  uint64_t outstanding_ = 0;
  measure::Distinct answered_;                          // where one reply counts, late or not
  measure::NumberTable<measure::Distinct> by_replier_;  // where all are asked
};

}  // namespace n2nq::sender
