#include "workers/measure/load_parts.h"

#include <algorithm>
#include <cmath>

#include "workers/measure/load_profile.h"

namespace n2nq::measure {
namespace {

constexpr int64_t kRecordedPartNs = 10'000'000'000;  // such times have no parts of their own

struct Part {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
};

Part step_at(const LoadShape& shape, int64_t t_ns) {
  const auto start_of = [&](int64_t step) { return shape.over_ns * step / shape.steps; };
  int64_t step = t_ns / std::max<int64_t>(shape.over_ns / shape.steps, 1);
  while (step > 0 && start_of(step) > t_ns) step--;
  return {.start_ns = start_of(step), .end_ns = start_of(step + 1)};
}

Part spike_part_at(const LoadShape& shape, int64_t t_ns) {
  const int64_t end_ns = shape.at_ns + shape.for_ns;
  if (t_ns < shape.at_ns) return {.start_ns = 0, .end_ns = shape.at_ns};
  return t_ns < end_ns ? Part{shape.at_ns, end_ns} : Part{end_ns, shape.over_ns};
}

Part burst_part_at(const LoadShape& shape, int64_t t_ns) {
  const int64_t begin_ns = t_ns - t_ns % shape.every_ns;
  const int64_t pause_ns = begin_ns + shape.for_ns;
  return t_ns < pause_ns ? Part{begin_ns, std::min(pause_ns, shape.over_ns)}
                         : Part{pause_ns, std::min(begin_ns + shape.every_ns, shape.over_ns)};
}

Part part_at(const LoadShape& shape, int64_t t_ns) {
  using Kind = LoadShape::Kind;
  t_ns = std::clamp<int64_t>(t_ns, 0, shape.over_ns - 1);
  switch (shape.kind) {
    case Kind::steps:
      return step_at(shape, t_ns);
    case Kind::spike:
      return spike_part_at(shape, t_ns);
    case Kind::burst:
      return burst_part_at(shape, t_ns);
    case Kind::recorded: {
      const int64_t start_ns = t_ns - t_ns % kRecordedPartNs;
      return {.start_ns = start_ns, .end_ns = std::min(start_ns + kRecordedPartNs, shape.over_ns)};
    }
    case Kind::constant:
    case Kind::ramp:
      break;
  }
  return {.start_ns = 0, .end_ns = shape.over_ns};
}

}  // namespace

int64_t part_length_ns(const LoadShape& shape, int64_t t_ns) {
  const Part part = part_at(shape, t_ns);
  return part.end_ns - part.start_ns;
}

// Within a part the rate rises or falls in one line or not at all, so that the longest time begins or ends with one.
int64_t longest_ns(const LoadShape& shape, double messages) {
  const LoadProfile load(shape);
  if (load.messages() <= 0) return load.length_ns();
  if (load.is_recorded()) return load.longest_between(static_cast<size_t>(std::ceil(std::max(messages, 1.0))));
  int64_t longest_ns = 0;
  size_t near = 0;
  const auto look = [&](int64_t t_ns) {
    const double until = load.messages_until(t_ns);
    const int64_t from_ns = until >= messages ? load.time_of(until - messages, near) : 0;
    longest_ns =
        std::max({longest_ns, load.time_of(until + messages, near) - t_ns, load.time_of(until, near) - from_ns});
  };
  for (int64_t t_ns = 0; t_ns < load.length_ns(); t_ns = part_at(shape, t_ns).end_ns) look(t_ns);
  look(load.length_ns());
  return longest_ns;
}

}  // namespace n2nq::measure
