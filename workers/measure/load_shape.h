// How the asked rate of all senders together changes over the time of a run: a value, as a plan and a worker's command
// line have it. load_profile.h says when each message is due. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"
#include "workers/measure/from_file.h"

namespace n2nq::measure {

struct LoadShape {
  // constant: every delay. spike: once. burst: again and again. recorded: each message at a time of its own.
  enum class Kind { constant, ramp, steps, spike, burst, recorded };
  Kind kind = Kind::constant;
  double from_per_s = 100;  // the rate at the begin, and outside of spikes and bursts
  double to_per_s = 1'000;
  int64_t over_ns = 30'000'000'000;  // the whole of it
  uint32_t steps = 10;
  int64_t at_ns = 10'000'000'000;    // where the spike begins
  int64_t every_ns = 5'000'000'000;  // from burst to burst
  int64_t for_ns = 1'000'000'000;    // of a spike or burst
  RecordedTimes recorded{};          // with these it lasts until behind the last of them
  bool exists() const { return kind != Kind::constant; }
  bool operator==(const LoadShape&) const = default;
};

// What shapes consist of besides their kind, by the words that introduce it.
enum class ShapePart { from, to, over, steps, at, every, for_ };
bool uses(LoadShape::Kind kind, ShapePart part);

inline constexpr double kHighestRatePerS = 1e9;
inline constexpr int64_t kShortestShapeNs = 1'000'000;
inline constexpr int64_t kLongestShapeNs = 168LL * 3'600'000'000'000;
inline constexpr uint32_t kMostSteps = 1'000;
inline constexpr int64_t kMostBursts = 10'000;

struct ShapeWord {
  LoadShape::Kind kind;
  std::string_view word;
};
std::span<const ShapeWord> shape_words();
std::string to_text(LoadShape::Kind kind);

// "constant", "ramp 100/s..5000/s over 30s", "steps 100/s..1000/s in 10 over 30s", "spike 500/s..5000/s at 10s for 2s
// over 30s", "burst 0/s..5000/s every 1s for 100ms over 30s"; parts that are left out are as in LoadShape. "recorded
// times.csv" reads the file.
Result<LoadShape> parse_shape(std::string_view text);
// "5000/s"; a bare number is as much.
Result<double> parse_rate(std::string_view text);
// Both read back as the very same.
std::string exact_rate(double per_s);
std::string exact_shape(const LoadShape& shape);

LoadShape recorded_shape(RecordedTimes times);

// What makes it impossible, with the word of the part to change ("for"); nothing: it can be sent.
struct ShapeProblem {
  std::string part{};
  std::string text{};
};
std::vector<ShapeProblem> problems_of(const LoadShape& shape);

}  // namespace n2nq::measure
