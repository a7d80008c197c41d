#include "app/live/merged_histogram.h"

#include <optional>
#include <span>

#include "app/live/exported_moments.h"

namespace n2nq::live {
namespace {

bool is_bucket(int32_t index) {
  const int64_t counter = index >= 0 ? int64_t{index} : -(int64_t{index} + 1);
  return counter < measure::Histogram::Layout::kCounters;
}

// How many values the buckets hold; nothing if there are more than `most`, or no such bucket.
std::optional<uint64_t> values_in(std::span<const control::BucketCount> buckets, uint64_t most) {
  uint64_t values = 0;
  for (const control::BucketCount& bucket : buckets) {
    if (!is_bucket(bucket.index) || bucket.count > most - values) return {};
    values += bucket.count;
  }
  return values;
}

}  // namespace

bool MergedHistogram::take(uint32_t worker, const control::HistogramDelta& delta) {
  if (worker >= parts_.size()) parts_.resize(worker + 1);
  Part& part = parts_[worker];
  if (delta.moments.count < part.announced) return false;
  const auto added = values_in(delta.buckets, delta.moments.count - part.counted);
  if (!added) return false;
  if (part.counted + *added > 0) {
    const auto moments = moments_of(delta.moments, part.counted + *added);
    if (!moments) return false;
    part.moments = *moments;
  }
  part.announced = delta.moments.count;
  part.counted += *added;
  for (const control::BucketCount& bucket : delta.buckets) histogram_.add_bucket(bucket.index, bucket.count);
  replace_moments();
  return true;
}

// A histogram's moments only ever add up, so it is given what they lack; the unsigned difference may wrap and comes out
// right. Extremes only widen, as they do in truth.
void MergedHistogram::replace_moments() {
  measure::Moments lacking;
  for (const Part& part : parts_) lacking.add(part.moments);
  const measure::Moments& now = histogram_.moments();
  lacking.count -= now.count;
  lacking.sum_ns -= now.sum_ns;
  lacking.wild_squares -= now.wild_squares;
  histogram_.add_moments(lacking, 0);
}

}  // namespace n2nq::live
