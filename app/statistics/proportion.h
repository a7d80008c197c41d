// How often something holds, by a few runs. Pure; any thread.
#pragma once

#include <cstddef>

namespace n2nq::statistics {

struct Share {
  double low = 0;
  double high = 1;
};

// Wilson's score interval for the share of runs that it holds in, of `held` out of `runs`. Of no run: 0 to 1.
Share share_interval(size_t held, size_t runs, double confidence = 0.95);

}  // namespace n2nq::statistics
