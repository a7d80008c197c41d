// How far the mean of one long run may be off, where neighbouring values have much in common (a message waits long
// because the one before it did): by the spread of the means of batches. Pure; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace n2nq::analysis {

// So many values with this sum, in the order of time.
struct Batch {
  double count = 0;
  double sum = 0;
};

struct BatchMean {
  double mean = 0;
  double low = 0;  // of the mean's confidence interval, by Student's t
  double high = 0;
  size_t batches = 0;       // that the interval rests on, after neighbours were put together
  bool independent = true;  // false: still autocorrelated, and the interval is too narrow
};

inline constexpr size_t kMostBatches = 32;
inline constexpr size_t kFewestBatches = 8;

// Neighbours are put together until at most kMostBatches are left, and further, down to kFewestBatches, as long as the
// batches are still autocorrelated. Nothing of fewer batches than that which hold something.
std::optional<BatchMean> batch_mean(std::span<const Batch> batches, double confidence = 0.95);

}  // namespace n2nq::analysis
