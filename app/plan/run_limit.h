// What must hold while a run goes on: figures that may not rise above, or fall below, a value. In a plan, in one line
// of text ("p99 <= 5ms stop; rate >= 20000/s warn") and as JSON ({"metric": "p99", "at_most": "5ms", "stop": true}).
// Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/base/result.h"

namespace n2nq::plan {

// What comes of a run that exceeds it. Of those that stop it fails, too.
enum class LimitAction : uint8_t { fails, stops, warns };
std::string_view word_of(LimitAction action);  // behind the limit: "stop", "warn"; a run fails without a word

struct RunLimit {
  std::string metric{};  // one that metric_limit.h has for plans
  bool at_most = true;   // else at least
  double value = 0;      // in its unit, as MetricLimit has it
  LimitAction action = LimitAction::fails;
  bool operator==(const RunLimit&) const = default;
};

std::string value_text(const RunLimit& limit);  // "5ms", "20000/s": reads back as the same
std::string to_text(const RunLimit& limit);     // "p99 <= 5ms stop"
std::string to_text(const std::vector<RunLimit>& limits);
Result<std::vector<RunLimit>> parse_limits(std::string_view text);
// Of the same figure on the same side there is one limit at most: the key of what is there twice.
std::optional<std::string> limit_given_twice(const std::vector<RunLimit>& limits);

}  // namespace n2nq::plan
