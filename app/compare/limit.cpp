#include "app/compare/limit.h"

#include "app/figures/limit_text.h"

namespace n2nq::compare {

Result<Limit> parse_limit(std::string_view text, plan::LimitUse use) {
  const auto limit = plan::parse_metric_limit(use, text);
  if (!limit) return std::unexpected(limit.error());
  return Limit{.metric = figures::find_metric(limit->metric->name),
               .relation = limit->relation,
               .value = limit->value,
               .ratio = limit->ratio};
}

std::string to_text(const Limit& limit) {
  return std::string(limit.metric->name) + " " + std::string(to_text(limit.relation)) + " " +
         figures::limit_value_text(*limit.metric, limit.value);
}

std::optional<bool> holds(const Limit& limit, const record::RunRecord& run) {
  const auto value = limit.metric->value(run);
  return value ? std::optional(plan::holds(*value, limit.relation, limit.value)) : std::nullopt;
}

}  // namespace n2nq::compare
