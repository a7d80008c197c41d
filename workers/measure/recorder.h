// Hands what an event loop measured to another thread without a lock: two buffers, one being written, one being read.
// States of the second: free (the loop may swap) or lent (the reader holds it). T has reset().
#pragma once

#include <array>
#include <atomic>

#include "broker/base/assert.h"

namespace n2nq::measure {

template <class T>
class IntervalRecorder {
 public:
  // Loop thread. Where to record now; changes with swap().
  T& active() { return buffers_[active_]; }

  // Loop thread. Ends the interval and lends it to the reader until release(); null while the reader still holds the
  // one before, and then the interval simply goes on: nothing is lost. How the pointer reaches the reader is up to the
  // caller (that hand-over must order memory, as a queue or an atomic does).
  const T* swap() {
    if (lent_.load(std::memory_order_acquire)) return nullptr;
    T* const ended = &buffers_[active_];
    active_ ^= 1;
    lent_.store(true, std::memory_order_relaxed);
    return ended;
  }

  // Reader thread (or the loop's, where it reads by itself). The lent interval must not be touched afterwards.
  void release() {
    N2NQ_ASSERT(lent_.load(std::memory_order_relaxed));
    buffers_[active_ ^ 1].reset();
    lent_.store(false, std::memory_order_release);
  }

 private:
  std::array<T, 2> buffers_;
  std::atomic<bool> lent_ = false;
  unsigned active_ = 0;  // written by the loop while nothing is lent, so the reader may read it while it holds one
};

}  // namespace n2nq::measure
