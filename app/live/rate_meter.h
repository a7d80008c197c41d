// How fast a counter rises, over the last second, from looks at it that come when they come. A value of fixed size;
// one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace n2nq::live {

class RateMeter {
 public:
  static constexpr int64_t kWindowNs = 1'000'000'000;

  // Looks come in the order of time; one that does not is passed over.
  void add(int64_t time_ns, int64_t count);
  bool empty() const { return used_ == 0; }
  int64_t last_ns() const { return empty() ? 0 : at(0).time_ns; }

  // Over the second before `now_ns`, or since the first look if that is less. After the last look the counter is taken
  // to stand still.
  double per_s(int64_t now_ns) const;

 private:
  struct Look {
    int64_t time_ns = 0;
    int64_t count = 0;
  };
  static constexpr size_t kLooks = 8;
  // Looks that are closer than this share a place, so that few places reach back for more than the window.
  static constexpr int64_t kSpacingNs = 150'000'000;

  const Look& at(size_t back) const { return looks_[(newest_ + kLooks - back) % kLooks]; }  // 0: the newest
  double count_at(int64_t time_ns) const;

  std::array<Look, kLooks> looks_{};
  uint32_t newest_ = 0;
  uint32_t used_ = 0;
};

}  // namespace n2nq::live
