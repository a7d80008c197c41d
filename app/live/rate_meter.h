// How fast a counter rises: its steps within about the last second, over the time from step to step, so that a slow
// counter is measured over whole intervals and not over what a window cuts off them. A value of fixed size; one thread
// at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace n2nq::live {

class RateMeter {
 public:
  static constexpr int64_t kWindowNs = 1'000'000'000;

  // The counter came to `count` at `time_ns`. Looks come in the order of time; one that does not, or that has no news,
  // is passed over. With a count of 0 it is when counting began, which is not a step.
  void add(int64_t time_ns, int64_t count);
  bool empty() const { return used_ == 0; }
  int64_t last_ns() const { return empty() ? 0 : at(0).time_ns; }  // of the last step

  // From the last step that is a second old or older to the newest, or over one interval if that takes longer; nothing
  // before there is one. When the next step is overdue it is taken to come just now, and after a second (or two
  // intervals) not to come any more.
  double per_s(int64_t now_ns) const;

 private:
  struct Look {
    int64_t time_ns = 0;
    int64_t count = 0;
  };
  static constexpr size_t kLooks = 8;
  // Looks that are closer than this share a place, so that few places reach back for more than the window.
  static constexpr int64_t kSpacingNs = 170'000'000;
  static_assert((kLooks - 2) * kSpacingNs > kWindowNs);

  const Look& at(size_t back) const { return looks_[(newest_ + kLooks - back) % kLooks]; }  // 0: the newest

  std::array<Look, kLooks> looks_{};
  uint32_t newest_ = 0;
  uint32_t used_ = 0;
};

}  // namespace n2nq::live
