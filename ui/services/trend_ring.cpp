#include "ui/services/trend_ring.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace n2nq::ui {

void TrendRing::sample(int64_t now_ns, std::span<const live::ServiceFigures> figures) {
  const int64_t steps = empty() ? 1 : std::max<int64_t>((now_ns - last_ns_) / kEveryNs, 1);
  for (int64_t step = 0; step < std::min<int64_t>(steps, kPoints); step++) {
    newest_ = (newest_ + 1) % kPoints;
    slots_[newest_].clear();
  }
  last_ns_ = now_ns;
  samples_++;
  std::vector<float>& slot = slots_[newest_];
  slot.reserve(figures.size());
  for (const live::ServiceFigures& service : figures) {
    const bool begun = service.count > 0;
    const auto value = begun ? trend_value(service) : std::nullopt;
    slot.push_back(value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN());
  }
}

void TrendRing::clear() {
  for (auto& slot : slots_) slot.clear();
  samples_ = 0;
}

std::vector<double> TrendRing::of(uint32_t service) const {
  std::vector<double> values;
  for (size_t back = kPoints; back > 0; back--) {
    const std::vector<float>& slot = slots_[(newest_ + kPoints - back + 1) % kPoints];
    const double value = service < slot.size() ? static_cast<double>(slot[service]) : std::nan("");
    if (!values.empty() || !std::isnan(value)) values.push_back(value);
  }
  return values;
}

}  // namespace n2nq::ui
