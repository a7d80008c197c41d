// The unit and the decimals of a column, or of a group of figures, that change with every look: for larger values and
// for smaller ones that would not be seen at once, back only after the values have been others for a while, so that
// nothing flickers.
#pragma once

#include "app/text/quantity.h"

namespace n2nq::ui {

class SteadyScale {
 public:
  static constexpr int kPatience = 20;  // looks: two seconds at 10 Hz

  enum class Of { duration, bytes, rate };
  // `keeps`: its unit, once chosen, until a value cannot be read in it.
  explicit SteadyScale(Of of, bool keeps = false);

  const text::Scale& scale() const { return scale_; }
  // One look: of the values that are shown together the largest, and the one nearest to zero that is not zero.
  const text::Scale& look(double largest, double least);
  void reset();

 private:
  text::Scale fitting(double largest, double least) const;
  text::Scale kept(double largest, double least) const;

  Of of_;
  bool keeps_;
  text::Scale scale_;
  double largest_ = 0;  // that scale_ fits
  double least_ = 0;
  double since_largest_ = 0;  // of the looks that asked for less
  double since_least_ = 0;
  int patience_ = kPatience;
};

}  // namespace n2nq::ui
