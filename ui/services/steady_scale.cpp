#include "ui/services/steady_scale.h"

#include <algorithm>
#include <cmath>

namespace n2nq::services {
namespace {

bool same(const text::Scale& a, const text::Scale& b) {
  return a.divisor == b.divisor && a.decimals == b.decimals;
}

}  // namespace

SteadyScale::SteadyScale(Of of) : of_(of) {
  reset();
}

void SteadyScale::reset() {
  scale_ = fitting(0);
  largest_ = since_ = 0;
  patience_ = kPatience;
}

// Below ten of a unit one more decimal, so that small values beside a large one still say something: "0.08 ms".
text::Scale SteadyScale::fitting(double largest) const {
  if (of_ == Of::rate) return {.unit = "/s", .divisor = 1, .decimals = largest < 99.95 ? 1 : 0};
  text::Scale scale = of_ == Of::duration ? text::duration_scale(largest) : text::bytes_scale(largest);
  const bool whole = scale.decimals == 0;
  if (!whole && largest / scale.divisor < 9.995) scale.decimals = 2;
  return scale;
}

const text::Scale& SteadyScale::look(double largest) {
  largest = std::fabs(largest);
  if (largest >= largest_) {
    largest_ = largest;
    scale_ = fitting(largest);
    since_ = 0;
    patience_ = kPatience;
    return scale_;
  }
  since_ = std::max(since_, largest);
  if (same(fitting(largest), scale_)) {
    since_ = 0;
    patience_ = kPatience;
  } else if (--patience_ == 0) {
    largest_ = since_;
    scale_ = fitting(since_);
    since_ = 0;
    patience_ = kPatience;
  }
  return scale_;
}

}  // namespace n2nq::services
