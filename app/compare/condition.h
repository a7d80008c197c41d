// What must not be: "p99 > 1.1x", "p99 > 5ms", "lost > 0", "doubtful". For scripts that compare a change with what was
// before. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "app/compare/comparison.h"
#include "app/compare/limit.h"

namespace n2nq::compare {

struct Condition {
  std::string text{};            // as it was given
  std::optional<Limit> limit{};  // a ratio, or the mean of B; nothing: that figures are doubtful
};
inline constexpr std::string_view kDoubtful = "doubtful";

Result<Condition> parse_condition(std::string_view text);
// Of runs by themselves, which have nothing to be a multiple of: not a ratio.
Result<Condition> parse_run_condition(std::string_view text);

enum class Outcome { not_met, met, unknown };
struct Judgement {
  Outcome outcome = Outcome::unknown;
  std::string reason{};  // for people, always there
};

// A relative condition is met where the ratio is beyond the limit and the runs show that A and B differ; unknown where
// the runs allow no statement. An absolute one is about the mean over B's runs, of counts their sum. Where runs of B
// failed, nothing is "not met".
Judgement judge(const Limit& limit, const MetricComparison& found);
// Any condition of two sides: figures are doubtful where those of any run of either are.
Judgement judge(const Condition& condition, const Side& a, const Side& b);
// One that is no ratio, of one run. Of a run that did not pass only counts of messages count, and these only where they
// are beyond the limit.
Judgement judge(const Condition& condition, const record::RunRecord& run);

}  // namespace n2nq::compare
