// A campaign: a plan times axes, each point of which is run and repeated; or a plan and a search, whose points come
// from what the runs before them gave. A plain value; any thread. campaign_file.h reads and writes it, points.h says
// what it comes to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/search_spec.h"
#include "app/campaign/start_times.h"
#include "app/compare/spread.h"
#include "app/plan/plan_file.h"
#include "app/plan/run_plan.h"
#include "broker/base/number_ranges.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

// The name in an axis' values of hosts that are chosen when the campaign starts. Where none are, it stands for further
// processes on this computer, and the figures say so.
inline constexpr const char* kExternal = "external";
// The same of the computer that the queue is on.
inline constexpr const char* kInternal = "internal";

// The hosts that kExternal stands for in either fleet. A fleet without any takes those of the other.
struct ExternalHosts {
  std::vector<std::string> senders{};
  std::vector<std::string> receivers{};

  bool empty() const { return senders.empty() && receivers.empty(); }
  const std::vector<std::string>& of_senders() const { return senders.empty() ? receivers : senders; }
  const std::vector<std::string>& of_receivers() const { return receivers.empty() ? senders : receivers; }
  bool operator==(const ExternalHosts&) const = default;
};

struct AxisValue {
  std::string label{};    // "100 B"
  plan::Overrides set{};  // of the plan; those of a later axis come after those of an earlier one
  bool operator==(const AxisValue&) const = default;
};

struct Axis {
  std::string name{};  // "message size"
  std::vector<AxisValue> values{};
  bool operator==(const Axis&) const = default;
};

// By the name of an axis, labels of it: the points that have one of them on each axis that is named.
using Selection = std::map<std::string, std::vector<std::string>>;

// grid: every value with every other. paired: the first values of all axes, the second ones, ...
enum class Combine { grid, paired };
// sequential: all repeats of a point, then the next point. interleaved: every point once, then again. random: shuffled.
enum class Order { sequential, interleaved, random };

// After which run a campaign goes no further; all points that were not made are listed as such.
struct StopRules {
  bool failure = false;   // a point that failed in all its tries
  bool overload = false;  // senders could not keep their schedule, or messages were lost by the plan's own rule
  std::string limit{};    // "p99 > 5ms" of a run; empty: none
  bool operator==(const StopRules&) const = default;
};

// means: of a metric, over an axis. The others: what all messages (or requests) of each curve look like, or of each run
// of it, in the order in which they began.
enum class FigureKind { means, percentiles, cdf, boxes, raincloud, runs };

// A picture with a curve, or a box, for each value of an axis.
struct FigureSpec {
  std::string id{};     // "figure-14"
  std::string title{};  // "Impact of message size"
  FigureKind kind = FigureKind::means;
  std::string x{};                    // of means: an axis
  std::string curves{};               // another axis; empty: one curve
  Selection where{};                  // the points that are shown
  std::string metric = "trimmed";     // of means: figures::find_metric
  std::string scale{};                // figures that have one of the same name have the same axes
  std::optional<bool> logarithmic{};  // the axis of values; nothing: of messages where it is needed to see anything
  compare::AxisPart part{};           // of latencies, that is in sight
  NumberRanges repeats{};             // whose runs are shown; empty: all
  // Of messages:
  compare::Whiskers whiskers{};
  compare::Without without{};
  bool operator==(const FigureSpec&) const = default;
};

struct Campaign {
  std::string name = "untitled";
  std::string description{};
  plan::RunPlan base{};
  std::vector<Axis> axes{};
  std::optional<SearchSpec> search{};  // instead of axes, repeats and order
  Combine combine = Combine::grid;
  std::vector<Selection> except{};  // combinations that are left out
  uint32_t repeats = 1;
  Order order = Order::sequential;
  uint64_t seed = 1;  // of a random order
  int64_t pause_ns = 0;
  std::optional<StartTimes> every{};  // runs start at these; nothing: one after another
  uint32_t tries = 2;                 // of a run that fails
  StopRules stop{};
  ExternalHosts external{};
  std::vector<FigureSpec> figures{};
  bool operator==(const Campaign&) const = default;
};

inline constexpr size_t kMostAxes = 6;
inline constexpr size_t kMostValues = 1000;  // of an axis
inline constexpr size_t kMostPoints = 100'000;
inline constexpr uint32_t kMostRepeats = 1000;
inline constexpr uint32_t kMostTries = 100;
inline constexpr size_t kMostFigureSpecs = 1000;

// "senders.messages=10" for every point, whatever its values say of that field.
Result<void> set_in_all_points(Campaign& campaign, std::string_view assignment);

const Axis* find_axis(const Campaign& campaign, const std::string& name);
// The point whose values are at these places of their axes.
bool is_in(const Campaign& campaign, const std::vector<size_t>& at, const Selection& selection);
// The axis, or the label, that there is not.
std::optional<std::string> problem_of(const Campaign& campaign, const Selection& selection);

std::string to_text(const Selection& selection);  // "bus: Redis; workload: B or I"
std::string to_text(Combine combine);
std::string to_text(Order order);
std::string to_text(FigureKind kind);
inline constexpr std::string_view kBetweenRepeats = ", ";  // in their text: "1-12, 18"
Result<NumberRanges> parse_repeats(std::string_view text);

// What makes a campaign impossible, with the place to change: "axes[1].values[3]: ...". Nothing: it can be started.
std::optional<std::string> problem_of(const Campaign& campaign);

}  // namespace n2nq::campaign
