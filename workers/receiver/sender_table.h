// One T for each sender number, made when it is first asked for: an array for numbers as runs have them, a map for the
// rest. References hold until the next at(). One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace n2nq::receiver {

template <class T>
class SenderTable {
 public:
  T& at(uint32_t sender) {
    if (sender < near_.size()) [[likely]]
      return near_[sender];
    return make(sender);
  }

 private:
  static constexpr uint32_t kNear = 16384;

  T& make(uint32_t sender) {
    if (sender >= kNear) return far_[sender];
    near_.resize(std::min<size_t>(kNear, std::max<size_t>(sender + 1, near_.size() + near_.size() / 2)));
    return near_[sender];
  }

  std::vector<T> near_;
  std::unordered_map<uint32_t, T> far_;
};

}  // namespace n2nq::receiver
