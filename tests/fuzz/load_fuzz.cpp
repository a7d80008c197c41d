#include <algorithm>
#include <string>

#include "broker/base/assert.h"
#include "tests/fuzz/entries.h"
#include "workers/measure/load_parts.h"
#include "workers/measure/load_profile.h"
#include "workers/measure/payload.h"

namespace n2nq::fuzz {
namespace {

using measure::LoadProfile;
using measure::LoadShape;

// The times of some of its messages, in order, from all over it.
void check_times(const LoadShape& shape, const LoadProfile& profile) {
  constexpr int kTimes = 50;
  size_t near = 0;
  int64_t before_ns = 0;
  for (int i = 0; i <= kTimes; i++) {
    const double amount = profile.messages() * i / kTimes;
    const int64_t at_ns = profile.time_of(amount, near);
    N2NQ_ASSERT(at_ns >= before_ns && at_ns <= profile.length_ns());
    const double until = profile.messages_until(at_ns);
    N2NQ_ASSERT(until >= 0 && until <= profile.messages());
    N2NQ_ASSERT(measure::part_length_ns(shape, at_ns) > 0);
    before_ns = at_ns;
  }
  for (const double step : {1.0, 7.5, 1e6}) {
    const int64_t longest_ns = measure::longest_ns(shape, step);
    N2NQ_ASSERT(longest_ns >= 0 && longest_ns <= profile.length_ns());
  }
}

void take_shape(const std::string& text) {
  const auto shape = measure::parse_shape(text);
  if (!shape) {
    N2NQ_ASSERT(!shape.error().text.empty());
    return;
  }
  const auto again = measure::parse_shape(measure::exact_shape(*shape));
  N2NQ_ASSERT(again && *again == *shape);
  const LoadProfile profile(*shape);
  if (!shape->exists() || !measure::problems_of(*shape).empty()) {
    N2NQ_ASSERT(profile.messages() == 0 && profile.length_ns() == 0);
    return;
  }
  N2NQ_ASSERT(profile.length_ns() == shape->over_ns);
  check_times(*shape, profile);
}

void take_payload(const std::string& text) {
  const auto payload = measure::parse_payload(text);
  if (!payload) {
    N2NQ_ASSERT(!payload.error().text.empty());
    return;
  }
  N2NQ_ASSERT(measure::parse_payload(measure::exact_payload(*payload)) == *payload);
  N2NQ_ASSERT(measure::content_of(*payload, text.size(), 1).size() == text.size());
}

}  // namespace

// One text, as it may stand in a plan or on a command line.
void load_fuzz(std::span<const uint8_t> input) {
  const std::string text(input.begin(), input.end());
  take_shape(text);
  take_payload(text);
}

}  // namespace n2nq::fuzz
