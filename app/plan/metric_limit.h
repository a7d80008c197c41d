// What people and scripts write of a figure: a metric, a relation and a value ("p99 <= 5ms"). One list of the metrics,
// one parser and one printer for all who read it: the limits of a plan and of a search, which say what must hold, and
// the conditions of --fail-if, which say what must not. They are here, in the lowest folder that reads any, as a plan
// is read where nothing is known of how a figure is made; app/figures/metric.cpp gives each metric its value, and takes
// its unit from here. Values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "broker/base/result.h"

namespace n2nq::plan {

enum class MetricUnit : uint8_t { duration, rate, messages, percent, bytes, mb_per_s, number };

// In which runs there is one.
enum class MetricOf : uint8_t { all, replies, answers, other_buses, copies };

struct LimitMetric {
  std::string_view name{};
  MetricUnit unit = MetricUnit::duration;
  std::string_view label{};  // what people call it in a plan's limits; empty: it is known only when a run is over
  MetricOf of = MetricOf::all;
  bool compared = true;  // else in limits of plans alone
};

inline constexpr auto kLimitMetrics = [] {
  using enum MetricUnit;
  using enum MetricOf;
  return std::array{LimitMetric{"p50", duration, "latency p50"},
                    LimitMetric{"p90", duration, "latency p90"},
                    LimitMetric{"p95", duration, "latency p95"},
                    LimitMetric{"p99", duration, "latency p99"},
                    LimitMetric{"p99.9", duration, "latency p99.9"},
                    LimitMetric{"max", duration, "longest latency"},
                    LimitMetric{"mean", duration, "mean latency"},
                    LimitMetric{"trimmed", duration, "trimmed mean latency"},
                    LimitMetric{"min"},
                    LimitMetric{"stddev"},
                    LimitMetric{"scheduled-p50"},
                    LimitMetric{"scheduled-p99"},
                    LimitMetric{"delay-p50"},
                    LimitMetric{"lateness-p50"},
                    LimitMetric{"lateness-p99"},
                    LimitMetric{"turnaround-p50", duration, "turnaround p50", replies},
                    LimitMetric{"turnaround-p90", duration, "turnaround p90", replies},
                    LimitMetric{"turnaround-p95", duration, "turnaround p95", replies},
                    LimitMetric{"turnaround-p99", duration, "turnaround p99", replies},
                    LimitMetric{"turnaround-p99.9", duration, "turnaround p99.9", replies},
                    LimitMetric{"turnaround-max", duration, "longest turnaround", replies},
                    LimitMetric{"turnaround-mean", duration, "mean turnaround", replies},
                    LimitMetric{"turnaround-trimmed", duration, "trimmed mean turnaround", replies},
                    LimitMetric{"turnaround-min", duration, "", replies},
                    LimitMetric{"turnaround-stddev", duration, "", replies},
                    LimitMetric{"scheduled-turnaround-p50", duration, "", replies},
                    LimitMetric{"scheduled-turnaround-p99", duration, "", replies},
                    LimitMetric{"reply-p50", duration, "", replies},
                    LimitMetric{"publish-p50", duration, "publish latency p50", answers},
                    LimitMetric{"publish-p90", duration, "publish latency p90", answers},
                    LimitMetric{"publish-p95", duration, "publish latency p95", answers},
                    LimitMetric{"publish-p99", duration, "publish latency p99", answers},
                    LimitMetric{"publish-p99.9", duration, "publish latency p99.9", answers},
                    LimitMetric{"publish-max", duration, "longest publish latency", answers},
                    LimitMetric{"publish-mean", duration, "mean publish latency", answers},
                    LimitMetric{"publish-trimmed", duration, "trimmed mean publish latency", answers},
                    LimitMetric{"publish-min", duration, "", answers},
                    LimitMetric{"publish-stddev", duration, "", answers},
                    LimitMetric{"rate", rate, "received per second"},
                    LimitMetric{"sent-rate", rate, "sent per second"},
                    LimitMetric{"reply-rate", rate, "replies per second", replies},
                    LimitMetric{"wire-bytes-per-message", bytes, "bytes on the wire a message"},
                    LimitMetric{"lost", messages, "lost"},
                    LimitMetric{"timeouts", messages, "timed out", replies},
                    LimitMetric{"undeliverable", messages, "undeliverable", all, false},
                    LimitMetric{"duplicates", messages, "duplicates"},
                    LimitMetric{"reordered", messages, "out of order", all, false},
                    LimitMetric{"corrupt", messages, "corrupt", all, false},
                    LimitMetric{"redelivered", messages, "delivered again", all, false},
                    LimitMetric{"waiting"},
                    LimitMetric{"queue-length", number},
                    LimitMetric{"in-system"},
                    LimitMetric{"in-system-count", number},
                    LimitMetric{"recovery"},
                    LimitMetric{"outage"},
                    LimitMetric{"answer-outage"},
                    LimitMetric{"failover"},
                    LimitMetric{"host-cpu", percent, "processor of the queue's host"},
                    LimitMetric{"host-cpu-user", percent},
                    LimitMetric{"host-cpu-system", percent},
                    LimitMetric{"memory", bytes},
                    LimitMetric{"written", bytes},
                    LimitMetric{"cpu-per-delivery", duration, "processor time a delivery"},
                    LimitMetric{"written-per-message", bytes, "written to disk a message"},
                    LimitMetric{"retransmits", messages, "TCP segments sent again"},
                    LimitMetric{"network-rtt"},
                    LimitMetric{"tcp-rtt"},
                    LimitMetric{"throughput", mb_per_s}};
}();

enum class Relation : uint8_t { below, at_most, equal, at_least, above };
std::string_view to_text(Relation relation);  // "<", "<=", "=", ">=", ">"
bool holds(double value, Relation relation, double limit);
// Of what may rise to a value, or fall to it.
constexpr Relation relation_of(bool at_most) {
  return at_most ? Relation::at_most : Relation::at_least;
}

// Who reads it, which decides what may be given: a plan has <= and >= of what is known while a run goes on, a search
// all relations; a condition has > and <, and of a comparison also a ratio ("1.1x").
enum class LimitUse : uint8_t { plan, search, run_condition, comparison };
bool takes(LimitUse use, Relation relation);
bool takes(LimitUse use, const LimitMetric& metric);
const LimitMetric* find_limit_metric(LimitUse use, std::string_view name);
Result<const LimitMetric*> limit_metric_named(LimitUse use, std::string_view name);
std::string limit_metric_names(LimitUse use);  // "p50, p90, ..."

struct MetricLimit {
  const LimitMetric* metric = nullptr;
  Relation relation = Relation::at_most;
  double value = 0;    // in ns, messages, a second, percent, bytes or MB/s, as the metric has it
  bool ratio = false;  // `value` is how many times another one it is
};
// Its three parts as they stand there, half or whole; without a relation, all of it is the metric.
struct LimitParts {
  std::string_view metric{};
  std::optional<Relation> relation{};
  std::string_view value{};
};
LimitParts limit_parts(std::string_view text);
Result<MetricLimit> parse_metric_limit(LimitUse use, std::string_view text);

// A value alone, as people type it: "5 ms", "20,000 /s", "80 %", "1.5 kB"; all but durations also without the unit.
Result<double> parse_limit_value(LimitUse use, const LimitMetric& metric, std::string_view text);
std::string limit_value_form(const LimitMetric& metric);           // "a duration such as 5ms"
std::string limit_value_example(const LimitMetric& metric);        // "5ms"
std::string exact_value(const LimitMetric& metric, double value);  // "5ms", "20000/s": reads back as the same

}  // namespace n2nq::plan
