#include "ui/services/steady_scale.h"

#include <algorithm>
#include <cmath>

namespace n2nq::ui {
namespace {

// 0: there is none.
double nearer(double one, double other) {
  return one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
}

}  // namespace

SteadyScale::SteadyScale(Of of, bool keeps) : of_(of), keeps_(keeps) {
  reset();
}

void SteadyScale::reset() {
  scale_ = fitting(0, 0);
  largest_ = least_ = since_largest_ = since_least_ = 0;
  patience_ = kPatience;
}

text::Scale SteadyScale::fitting(double largest, double least) const {
  if (of_ == Of::rate) return {.unit = "/s", .divisor = 1, .decimals = largest < 99.95 ? 1 : 0};
  return text::column_scale(of_ == Of::duration ? text::Unit::duration : text::Unit::bytes, least, largest);
}

text::Scale SteadyScale::kept(double largest, double least) const {
  constexpr double kMost = 3'000;
  const text::Scale other = fitting(largest, least);
  const bool smaller = other.divisor < scale_.divisor;
  const bool readable = largest_ > 0 && largest / scale_.divisor < kMost;
  if (other.unit == scale_.unit || smaller || !readable) return other;
  return scale_;
}

const text::Scale& SteadyScale::look(double largest, double least) {
  largest = std::fabs(largest);
  least = std::fabs(least);
  if (keeps_) {
    least = nearer(least, least_);
    scale_ = kept(std::max(largest, largest_), least);
    largest_ = std::max(largest, largest_);
    least_ = least;
    return scale_;
  }
  least_ = nearer(least, least_);
  if (largest >= largest_) {
    largest_ = largest;
    scale_ = fitting(largest_, least_);
    since_largest_ = since_least_ = 0;
    patience_ = kPatience;
    return scale_;
  }
  scale_ = fitting(largest_, least_);
  since_largest_ = std::max(since_largest_, largest);
  since_least_ = nearer(since_least_, least);
  if (fitting(largest, least) == scale_) {
    since_largest_ = since_least_ = 0;
    patience_ = kPatience;
  } else if (--patience_ == 0) {
    largest_ = since_largest_;
    least_ = since_least_;
    scale_ = fitting(largest_, least_);
    since_largest_ = since_least_ = 0;
    patience_ = kPatience;
  }
  return scale_;
}

}  // namespace n2nq::ui
