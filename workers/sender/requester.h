// What a sender does in request-reply besides sending: checks, counts and times the replies to its requests, and gives
// up those that got none in time. Sends nothing. Thread: its loop's.
#pragma once

#include <cstdint>

#include "broker/base/result.h"
#include "broker/wire/frames.h"
#include "workers/control/counts.h"
#include "workers/sender/requests.h"

namespace n2nq::sender {

class SenderLoop;

struct ReplyCounters : control::Counts {  // of which a requester uses those of request-reply
  uint64_t outstanding = 0;
  int64_t turnaround_sum_ns = 0;  // over the replies
  ReplyCounters& operator+=(const ReplyCounters& other) {
    Counts::operator+=(other);
    outstanding += other.outstanding;
    turnaround_sum_ns += other.turnaround_sum_ns;
    return *this;
  }
};

class Requester {
 public:
  // `repliers`: how many there are; `begin_ns`: BEGIN.
  Requester(SenderLoop& loop, uint32_t slot, uint32_t number, uint32_t repliers, int64_t begin_ns);

  ReplyCounters counters() const;
  // How many more requests may go out now.
  uint64_t room() const;
  // Every request was answered or given up.
  bool settled() const { return requests_.outstanding() == 0; }

  // The next request went out.
  void sent(const Requests::Sent& request);
  // A REPLY frame; says what it is by flags for the log. The error says what is wrong with the frame.
  struct Taken {
    wire::ReplyHeader reply;
    uint32_t flags = 0;
  };
  Result<Taken> take(wire::Frame frame, int64_t read_ns);
  // The loop's: the oldest request was to time out by now.
  void time_out();
  // No reply can come any more.
  void give_up();

 private:
  void give_up_by(int64_t now_ns) { counters_.timeouts += static_cast<int64_t>(requests_.time_out(now_ns)); }
  void count_answer(const Requests::Sent& request, const wire::ReplyHeader& reply, int64_t read_ns);
  void watch();

  SenderLoop& loop_;
  uint32_t slot_;
  uint32_t number_;
  int64_t begin_ns_;
  Requests requests_;
  uint64_t sent_ = 0;
  ReplyCounters counters_;
  bool watched_ = false;  // the loop calls time_out()
};

}  // namespace n2nq::sender
