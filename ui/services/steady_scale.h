// The unit of a column, or of a group of figures, that changes with every look: up at once, down only after the
// values have stayed small for a while, so that the unit does not flicker. Decimals follow, within a fixed width.
#pragma once

#include "app/text/quantity.h"

namespace n2nq::services {

class SteadyScale {
 public:
  static constexpr int kPatience = 20;  // looks: two seconds at 10 Hz

  enum class Of { duration, bytes, rate };
  explicit SteadyScale(Of of);

  const text::Scale& scale() const { return scale_; }
  // One look: the largest value of those that are shown together.
  const text::Scale& look(double largest);
  void reset();

 private:
  text::Scale fitting(double largest) const;

  Of of_;
  text::Scale scale_;
  double largest_ = 0;  // that scale_ fits
  double since_ = 0;    // the largest of the looks that asked for less
  int patience_ = kPatience;
};

}  // namespace n2nq::services
