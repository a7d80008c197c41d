// Whether messages of one sender reach one receiver service in order. One a (receiver service, sender) pair; one
// thread.
#pragma once

#include <cstdint>

namespace n2nq::measure {

struct SequenceCheck {
  uint64_t highest = 0;
  uint64_t reordered = 0;

  // True when the message came after one with a higher index, though nobody sent it again.
  bool note(uint64_t index, bool resent) {
    if (index >= highest) {
      highest = index;
      return false;
    }
    if (resent) return false;
    reordered++;
    return true;
  }
};

}  // namespace n2nq::measure
