// What must hold of a run: "p99 <= 5ms", "lost = 0", "rate >= 20000". Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/figures/metric.h"
#include "broker/base/result.h"

namespace n2nq::compare {

enum class Relation { below, at_most, equal, at_least, above };
std::string_view to_text(Relation relation);  // "<", "<=", "=", ">=", ">"

struct Limit {
  const figures::Metric* metric = nullptr;
  Relation relation = Relation::at_most;
  double value = 0;  // in the metric's unit
};

Result<Limit> parse_limit(std::string_view text);
std::string to_text(const Limit& limit);  // for people: "p99 <= 5 ms"
// Nothing where the run does not have the figure.
std::optional<bool> holds(const Limit& limit, const record::RunRecord& run);

}  // namespace n2nq::compare
