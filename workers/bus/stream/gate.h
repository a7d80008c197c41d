// How many connections of a loop are begun at a time, so that no handshake waits for the thousands before it until
// somebody takes it for dead. Who finds no room is called by its alarm once there is some. One thread, the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "workers/bus/stream/stream_loop.h"

namespace n2nq::bus {

// Between two tries to reach the same place; each time twice as long.
constexpr int64_t kFirstRetryNs = 20'000'000;
constexpr int64_t kLastRetryNs = 500'000'000;

class Gate {
 public:
  static constexpr size_t kRoom = 256;

  // 0: it is in; else the number under which it waits.
  uint64_t enter(Alarm& alarm) {
    if (inside_ < kRoom) {
      inside_++;
      return 0;
    }
    waiting_.emplace(++last_, &alarm);
    return last_;
  }
  void leave() {
    inside_--;
    if (waiting_.empty()) return;
    waiting_.begin()->second->set_soon();
    waiting_.erase(waiting_.begin());
  }
  void forget(uint64_t number) { waiting_.erase(number); }

 private:
  size_t inside_ = 0;
  uint64_t last_ = 0;
  std::map<uint64_t, Alarm*> waiting_;
};

}  // namespace n2nq::bus
