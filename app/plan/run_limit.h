// What must hold while a run goes on: figures that may not rise above, or fall below, a value. In a plan, in one line
// of text ("p99 <= 5ms stop; rate >= 20000") and as JSON ({"metric": "p99", "at_most": "5ms", "stop": true}).
// Values; any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::plan {

// A figure that can have a limit: its name in app/figures/metric.cpp, which has its value, and what people call it.
struct LimitMetric {
  std::string_view name{};
  std::string_view label{};
  bool duration = false;    // in ns; else a number
  bool of_replies = false;  // in request-reply mode alone
};
std::span<const LimitMetric> limit_metrics();
const LimitMetric* find_limit_metric(std::string_view name);

struct RunLimit {
  std::string metric{};
  bool at_most = true;  // else at least
  double value = 0;     // in ns, messages, or messages a second
  bool stop = false;    // it ends the run
  bool operator==(const RunLimit&) const = default;
};

// What a person typed as its value: "5 ms" of a latency, "20,000" of everything else.
Result<double> parse_limit_value(const LimitMetric& metric, std::string_view text);
std::string value_text(const RunLimit& limit);  // "5ms", "20000": reads back as the same
std::string to_text(const RunLimit& limit);     // "p99 <= 5ms stop"
std::string to_text(const std::vector<RunLimit>& limits);
Result<std::vector<RunLimit>> parse_limits(std::string_view text);
// Of the same figure on the same side there is one limit at most: the key of what is there twice.
std::optional<std::string> limit_given_twice(const std::vector<RunLimit>& limits);

}  // namespace n2nq::plan
