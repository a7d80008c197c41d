// What is said of a figure of a run, as app/plan/metric_limit.h has it, with the figure itself: what must hold
// ("p99 <= 5ms", "lost = 0"), and in conditions what must not. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/figures/metric.h"
#include "app/plan/metric_limit.h"

namespace n2nq::compare {

struct Limit {
  const figures::Metric* metric = nullptr;
  plan::Relation relation = plan::Relation::at_most;
  double value = 0;    // in the metric's unit
  bool ratio = false;  // `value` is B / A
};

Result<Limit> parse_limit(std::string_view text, plan::LimitUse use = plan::LimitUse::search);
std::string to_text(const Limit& limit);  // for people: "p99 <= 5 ms"
// Nothing where the run does not have the figure.
std::optional<bool> holds(const Limit& limit, const record::RunRecord& run);

}  // namespace n2nq::compare
