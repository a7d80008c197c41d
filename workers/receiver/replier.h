// What a receiver owes in request-reply: an answer to each delivery, in the order in which they are to go. A reply's
// content follows from (seed, replier, index) alone. Knows no clock and no connection: its owner sends what it fills
// in. Allocates only while it grows. One thread.
#pragma once

#include <cstdint>

#include "broker/base/ring.h"
#include "broker/wire/frames.h"
#include "workers/bus/batch.h"
#include "workers/fleet/message_source.h"
#include "workers/receiver/service_line.h"

namespace n2nq::receiver {

class Replier {
 public:
  Replier(const fleet::MessagePool& pool, uint32_t number) : source_(pool, number), number_(number) {}

  void owe(const Delivered& delivered) { owed_.push_back(delivered); }
  bool empty() const { return owed_.empty(); }
  size_t size() const { return owed_.size(); }
  void drop() { owed_.clear(); }

  // The next is a request that came damaged: it is refused, not replied to.
  bool refuses() const { return !owed_.front().good; }
  wire::ResponseItem refusal() const {
    return {.index = owed_.front().index, .sender = owed_.front().sender, .verdict = wire::Verdict::refused};
  }
  // As many of the next replies as go into one write.
  void fill(bus::Batch& batch) const;
  // The first ones have gone.
  void gone(size_t count) {
    for (; count > 0; count--) owed_.pop_front();
  }

 private:
  fleet::MessageSource source_;
  uint32_t number_;
  Ring<Delivered> owed_;
};

}  // namespace n2nq::receiver
