// The messages that wait at one receiver for their service, and the one in service. It knows no clock and no timer: its
// owner says when a service begins and calls again when it is to end. Allocates only while it grows. One thread.
// States: idle (nothing in it); waiting for what receivers share, the first one too; or one in service. The rest is
// behind it in the order of delivery.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "broker/base/ring.h"
#include "workers/measure/saturate.h"
#include "workers/measure/service_time.h"

namespace n2nq::receiver {

// A delivery as far as it matters after it has been taken in.
struct Delivered {
  uint64_t index = 0;
  uint32_t sender = 0;
  uint32_t bytes = 0;    // of its payload
  bool good = true;      // its checksum matches
  bool again = false;    // a re-delivery
  bool fresh = false;    // the first of its message: it alone is served, the others only answered
  bool measured = true;  // not in the warm-up
  int64_t due_ns = 0;    // when it was intended to be sent, else sent, by the receiver's clock
  int64_t read_ns = 0;   // when it came
};

// What came of a service. Times by the receiver's clock.
struct Served {
  bool measured = true;
  int64_t waiting_ns = 0;    // due to begin of service
  int64_t service_ns = 0;    // begin to end
  int64_t in_system_ns = 0;  // due to end
  int64_t handover_ns = 0;   // from when it was due and the receiver was free to the begin: what the bus took
  int64_t occupied_ns = 0;   // the service, and the hand-over where it could have begun at once: how long one message
                             // keeps a receiver from the next that waits
};

class ServiceLine {
 public:
  // Beyond this the rest is better left to the queue.
  static constexpr size_t kFull = size_t{1} << 20;

  ServiceLine(const measure::ServiceTime& time, uint64_t seed, uint32_t receiver) : times_(time, seed, receiver) {}

  bool empty() const { return line_.empty(); }
  bool full() const { return line_.size() >= kFull; }
  bool in_service() const { return end_ns_.has_value(); }
  // Of what a processor is used for nobody knows until it is done.
  static constexpr int64_t kNotYet = INT64_MAX;
  int64_t end_ns() const { return *end_ns_; }
  bool computes() const { return times_.compute(); }
  bool waits() const { return waits_; }
  void wait() { waits_ = true; }
  const Delivered& front() const { return line_.front(); }
  void push(const Delivered& delivered) { line_.push_back(delivered); }
  void pop_front() { line_.pop_front(); }

  // The first one; it is fresh. How long it takes.
  int64_t begin(int64_t now_ns) {
    const int64_t ns = times_.next_ns(line_.front().bytes);
    waits_ = false;
    begun_ns_ = now_ns;
    end_ns_ = computes() ? kNotYet : now_ns + ns;
    return ns;
  }
  void is_done(int64_t now_ns) { end_ns_ = now_ns; }
  // Removes it.
  Served end(int64_t now_ns) {
    const Delivered& one = line_.front();
    const int64_t free_ns = std::max(free_ns_, one.due_ns);
    Served served{.measured = one.measured,
                  .waiting_ns = measure::minus(begun_ns_, one.due_ns),
                  .service_ns = now_ns - begun_ns_,
                  .in_system_ns = measure::minus(now_ns, one.due_ns),
                  .handover_ns = measure::minus(begun_ns_, free_ns),
                  .occupied_ns = now_ns - begun_ns_};
    if (free_ns_ > one.due_ns) served.occupied_ns = measure::plus(served.occupied_ns, served.handover_ns);
    free_ns_ = now_ns;
    end_ns_.reset();
    line_.pop_front();
    return served;
  }
  // What is in service goes on no more; it stays the first.
  void break_off() {
    end_ns_.reset();
    waits_ = false;
  }

 private:
  measure::ServiceTimes times_;
  Ring<Delivered> line_;
  int64_t begun_ns_ = 0;
  std::optional<int64_t> end_ns_;
  bool waits_ = false;
  int64_t free_ns_ = INT64_MIN;  // since when it was free before this service
};

}  // namespace n2nq::receiver
