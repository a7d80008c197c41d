#include "app/live/exported_moments.h"

#include <algorithm>
#include <cmath>

namespace n2nq::live {
namespace {

constexpr uint64_t kMostValues = uint64_t{1} << 53;
// Beyond any latency (73 years), so that the difference of two values always fits.
constexpr int64_t kFurthestNs = int64_t{1} << 61;

}  // namespace

std::optional<measure::Moments> moments_of(const control::HistogramMoments& exported, uint64_t counted) {
  if (counted == 0 || exported.count < counted || exported.count > kMostValues || exported.min > exported.max)
    return {};
  if (!std::isfinite(exported.sum) || !std::isfinite(exported.sum_squares)) return {};
  measure::Moments moments;
  moments.count = counted;
  moments.min_ns = std::clamp(exported.min, -kFurthestNs, kFurthestNs);
  moments.max_ns = std::clamp(exported.max, -kFurthestNs, kFurthestNs);
  const auto count = static_cast<double>(exported.count);
  const double said = exported.sum / count;
  const double mean = std::clamp(said, static_cast<double>(moments.min_ns), static_cast<double>(moments.max_ns));
  const bool whole = counted == exported.count && mean == said;
  const double sum = whole ? exported.sum : mean * static_cast<double>(counted);
  moments.sum_ns = static_cast<measure::int128>(sum);
  // A rounded sum of squares must not go through whole numbers, where less than sum * mean would wrap around.
  const double share = static_cast<double>(counted) / count;
  moments.wild_squares = std::max(exported.sum_squares * share, sum * mean);
  return moments;
}

control::HistogramMoments export_moments(const measure::Moments& moments) {
  if (moments.count == 0) return {};
  return {.count = moments.count,
          .min = moments.min_ns,
          .max = moments.max_ns,
          .sum = static_cast<double>(moments.sum_ns),
          .sum_squares = static_cast<double>(moments.squares) + moments.wild_squares};
}

}  // namespace n2nq::live
