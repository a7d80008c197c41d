#include "app/compare/limit.h"

#include <array>
#include <cmath>

#include "app/plan/exact_text.h"
#include "app/plan/filter_text.h"

namespace n2nq::compare {
namespace {

// The longer ones first: "<" is the beginning of "<=".
constexpr std::array kRelations{Relation::at_most, Relation::at_least, Relation::below, Relation::above,
                                Relation::equal};
constexpr const char* kLimitForm = "a limit is a metric, one of <=, >=, <, > and =, and a value: p99 <= 5ms, lost = 0";

}  // namespace

std::string_view to_text(Relation relation) {
  switch (relation) {
    case Relation::below:
      return "<";
    case Relation::at_most:
      return "<=";
    case Relation::equal:
      return "=";
    case Relation::at_least:
      return ">=";
    case Relation::above:
      break;
  }
  return ">";
}

Result<Limit> parse_limit(std::string_view text) {
  const size_t at = text.find_first_of("<>=");
  if (at == std::string_view::npos) return fail("\"" + std::string(text) + "\": " + kLimitForm);
  Limit limit;
  std::string_view value = text.substr(at);
  for (const Relation relation : kRelations) {
    if (!value.starts_with(to_text(relation))) continue;
    limit.relation = relation;
    value = plan::trimmed(value.substr(to_text(relation).size()));
    break;
  }
  const std::string_view name = plan::trimmed(text.substr(0, at));
  limit.metric = figures::find_metric(name);
  if (limit.metric == nullptr)
    return fail("\"" + std::string(name) + "\" is not a metric; there are " + figures::metric_names());
  const auto number = parse_value(*limit.metric, value);
  if (!number)
    return fail("\"" + std::string(value) + "\" is not a limit for " + std::string(name) + "; expected " +
                form_of_values(*limit.metric));
  limit.value = *number;
  return limit;
}

std::string to_text(const Limit& limit) {
  return std::string(limit.metric->name) + " " + std::string(to_text(limit.relation)) + " " +
         (limit.metric->quantity == figures::Quantity::duration_ns
              ? plan::told(plan::exact_duration(std::llround(limit.value)))
              : value_text(*limit.metric, limit.value));
}

std::optional<bool> holds(const Limit& limit, const record::RunRecord& run) {
  const auto value = limit.metric->value(run);
  if (!value) return std::nullopt;
  switch (limit.relation) {
    case Relation::below:
      return *value < limit.value;
    case Relation::at_most:
      return *value <= limit.value;
    case Relation::equal:
      return *value == limit.value;
    case Relation::at_least:
      return *value >= limit.value;
    case Relation::above:
      break;
  }
  return *value > limit.value;
}

}  // namespace n2nq::compare
