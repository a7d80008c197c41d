// Which kept messages a receiver of the broadcaster has had (or passed as its own), so that an index range can reach
// back to just the others. Remembers the filters that were in force over stretches of the queue, not the messages. One
// thread.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/wire/filter.h"

namespace n2nq::queue {

class History {
 public:
  static constexpr size_t kMaxStretches = 256;

  // The receiver has had everything from `from` up to before `to` that matches `filter`.
  void add(uint64_t from, uint64_t to, const wire::Filter& filter);
  bool had(uint64_t sequence, uint32_t sender, uint64_t size, uint64_t index) const;
  // Messages before `kept` are gone; what speaks only of them can go too.
  void forget_before(uint64_t kept);
  size_t stretches() const { return stretches_.size(); }

 private:
  struct Stretch {
    uint64_t from;
    uint64_t to;
    wire::Filter filter;
  };
  std::vector<Stretch> stretches_;
};

}  // namespace n2nq::queue
