// One T for each service number, made when it is first asked for: an array for numbers as runs have them, a map for the
// rest. References hold until the next at(). One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace n2nq::measure {

template <class T>
class NumberTable {
 public:
  T& at(uint32_t number) {
    if (number < near_.size()) [[likely]]
      return near_[number];
    return make(number);
  }

  template <class Visit>
  void each(Visit visit) const {
    for (size_t number = 0; number < near_.size(); number++) visit(static_cast<uint32_t>(number), near_[number]);
    for (const auto& [number, value] : far_) visit(number, value);
  }

 private:
  static constexpr uint32_t kNear = 16384;

  T& make(uint32_t number) {
    if (number >= kNear) return far_[number];
    near_.resize(std::min<size_t>(kNear, std::max<size_t>(number + 1, near_.size() + near_.size() / 2)));
    return near_[number];
  }

  std::vector<T> near_;
  std::unordered_map<uint32_t, T> far_;
};

}  // namespace n2nq::measure
