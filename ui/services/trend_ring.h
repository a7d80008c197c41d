// What each service of a table did in its last minute, a value for each second: one figure of all services at once, in
// a ring of fixed size, so that ten thousand rows cost one pass a second and nothing while they are out of sight. A
// value; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/services/service_columns.h"

namespace n2nq::ui {

class TrendRing {
 public:
  static constexpr size_t kPoints = 60;
  static constexpr int64_t kEveryNs = 1'000'000'000;

  bool empty() const { return samples_ == 0; }
  bool due(int64_t now_ns) const { return empty() || now_ns - last_ns_ >= kEveryNs; }
  // Seconds that were missed are gaps. Services without a value have none.
  void sample(int64_t now_ns, std::span<const live::ServiceFigures> figures);
  void clear();
  // Rises with each sample: what was drawn before is old.
  uint32_t samples() const { return samples_; }

  // Of the service with this index, from its first value on; gaps are not numbers.
  std::vector<double> of(uint32_t service) const;

 private:
  std::array<std::vector<float>, kPoints> slots_{};  // by service
  uint32_t samples_ = 0;
  size_t newest_ = 0;
  int64_t last_ns_ = 0;
};

}  // namespace n2nq::ui
