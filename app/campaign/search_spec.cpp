#include "app/campaign/search_spec.h"

#include <algorithm>
#include <cmath>

#include "app/plan/exact_text.h"
#include "app/plan/plan_fields.h"
#include "app/plan/plan_limits.h"
#include "app/text/number.h"
#include "app/text/quantity.h"

namespace n2nq::campaign {
namespace {

using Problem = std::optional<std::string>;

constexpr double kLargestWhole = 9e15;  // every whole number up to it is a double of its own

std::optional<double> number_of(Unit unit, std::string_view written) {
  const std::string plain = plain_quantity(written);
  std::string_view text = plain;
  const auto whole = [](const auto& read) { return read ? std::optional(static_cast<double>(*read)) : std::nullopt; };
  switch (unit) {
    case Unit::rate_per_s:
      if (text.ends_with("/s")) text.remove_suffix(2);
      return text::parse_real(text);
    case Unit::whole:
      return whole(parse_whole(text));
    case Unit::duration_ns:
      return whole(parse_duration(text));
    case Unit::bytes:
      break;
  }
  return whole(parse_size(text));
}

int64_t delay_of(double rate_per_s, const plan::RunPlan& plan) {
  return std::llround(plan.senders.fleet.count * 1e9 / rate_per_s);
}

Result<void> put_rate(double rate_per_s, plan::RunPlan& plan) {
  if (!plan.senders.fleet.attach.empty()) return fail("senders.attach: a sender started by hand sets its own rate");
  if (plan.senders.shape.exists())
    return fail("senders.shape: a load shape has its own rate; search one of its parts, such as senders.shape.to");
  if (plan::closed_loop(plan) > 0)
    return fail("senders.outstanding: a closed loop has no rate of its own; set it to 0 to search a rate");
  const auto duration_ns = plan::planned_duration_ns(plan);
  if (!duration_ns || *duration_ns == 0)
    return fail("senders.duration: without a delay the plan does not tell how long a run lasts; set it, such as 5s");
  const double exact_ns = plan.senders.fleet.count * 1e9 / rate_per_s;
  if (exact_ns < 1 || exact_ns > static_cast<double>(plan::kLongestDelay))
    return fail(text::rate(rate_per_s) + " is beyond what " + text::count(plan.senders.fleet.count) +
                " senders can reach: senders.delay ranges from 1ns to " + plan::exact_duration(plan::kLongestDelay));
  if (exact_ns > static_cast<double>(*duration_ns))
    return fail("at " + text::rate(rate_per_s) + " a run of " + plan::exact_duration(*duration_ns) +
                " has no messages from some senders; increase senders.duration");
  plan.senders.duration_ns = std::min(*duration_ns, plan::kLongestDuration);
  plan.senders.delay_ns = delay_of(rate_per_s, plan);
  return {};
}

Problem problem_of_limits(const SearchSpec& search, const plan::RunPlan& base) {
  if (search.limits.empty()) return "search.limits: none given; expected some such as p99 <= 5ms";
  if (search.limits.size() > kMostLimits) return "search.limits: there are more than " + std::to_string(kMostLimits);
  for (size_t i = 0; i < search.limits.size(); i++)
    if (const auto limit = limit_for(search.limits[i], base); !limit)
      return "search.limits[" + std::to_string(i) + "]: " + limit.error().text;
  return {};
}

}  // namespace

Result<Variable> find_variable(std::string_view name) {
  if (name == "rate") return Variable{.name = "rate", .unit = Unit::rate_per_s};
  if (name == "services")
    return Variable{.name = "services", .unit = Unit::whole, .fields = {"senders.count", "receivers.count"}};
  const plan::PlanField* field = plan::find_field(name);
  if (field == nullptr)
    return fail("\"" + std::string(name) + "\" is neither rate nor services nor a plan field; did you mean " +
                std::string(plan::nearest_key(name)) + "?");
  if (!field->unit) return fail(std::string(name) + " is not a number, a duration or a size");
  return Variable{.name = std::string(name), .unit = *field->unit, .fields = {std::string(name)}};
}

std::vector<std::string> variable_names() {
  std::vector<std::string> names{"rate", "services"};
  for (const plan::PlanField& field : plan::settable_fields())
    if (field.unit) names.emplace_back(field.key);
  return names;
}

std::string form_of_values(const Variable& variable) {
  switch (variable.unit) {
    case Unit::rate_per_s:
      return "messages per second, such as 2000";
    case Unit::whole:
      return "a whole number from 1";
    case Unit::duration_ns:
      return "a duration such as 20ms";
    case Unit::bytes:
      break;
  }
  return "a size such as 4KiB";
}

Result<double> read_value(const Variable& variable, std::string_view text) {
  const auto value = number_of(variable.unit, text);
  if (!value || *value <= 0 || *value > kLargestWhole)
    return fail("\"" + std::string(text) + "\" is not a value of " + variable.name + "; expected " +
                form_of_values(variable) + ", above 0");
  return *value;
}

std::string value_text(const Variable& variable, double value) {
  if (variable.unit == Unit::whole) return text::count(std::llround(value));
  return variable.unit == Unit::rate_per_s ? text::rate(value) : plan::told(exact_value(variable, value));
}

std::string exact_value(const Variable& variable, double value) {
  switch (variable.unit) {
    case Unit::rate_per_s: {
      std::string text = measure::exact_rate(value);
      return text.substr(0, text.size() - 2);
    }
    case Unit::whole:
      return std::to_string(std::llround(value));
    case Unit::duration_ns:
      return plan::exact_duration(std::llround(value));
    case Unit::bytes:
      break;
  }
  return plan::exact_size(static_cast<uint64_t>(std::llround(value)));
}

Result<void> put_value(const Variable& variable, double value, plan::RunPlan& plan) {
  if (variable.fields.empty()) return put_rate(value, plan);
  for (const std::string& field : variable.fields)
    if (auto set = plan::set_field(plan, field + "=" + exact_value(variable, value)); !set) return set;
  return {};
}

bool has_value(const Variable& variable, double value, const plan::RunPlan& plan) {
  plan::RunPlan wanted = plan;
  return put_value(variable, value, wanted) && wanted == plan;
}

Result<compare::Limit> limit_for(std::string_view text, const plan::RunPlan& base) {
  auto limit = compare::parse_limit(text);
  if (limit && !figures::concerns(*limit->metric, base))
    return fail(plan::not_in_plan(*plan::find_limit_metric(plan::LimitUse::search, limit->metric->name), base));
  return limit;
}

Result<double> read_precision(std::string_view text) {
  const bool percent = text.ends_with('%');
  const auto value = text::parse_real(percent ? text.substr(0, text.size() - 1) : text);
  const double precision = value.value_or(0) / (percent ? 100 : 1);
  if (precision < kFinestPrecision || precision > kCoarsestPrecision)
    return fail("\"" + std::string(text) + "\" is not a precision; expected " + precision_text(kFinestPrecision) +
                " to " + precision_text(kCoarsestPrecision));
  return precision;
}

std::string precision_text(double precision) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g%%", precision * 100);
  return text;
}

Problem problem_of_value(const Variable& variable, double value, const plan::RunPlan& base) {
  plan::RunPlan plan = base;
  if (auto put = put_value(variable, value, plan); !put) return put.error().text;
  if (const auto problems = plan::problems_of(plan); !problems.empty())
    return problems.front().key + ": " + problems.front().text;
  return {};
}

Problem problem_of(const SearchSpec& search, const plan::RunPlan& base) {
  const auto variable = find_variable(search.vary);
  if (!variable) return "search.vary: " + variable.error().text;
  if (auto problem = problem_of_limits(search, base)) return problem;
  for (const auto& [name, value] : {std::pair("search.from", search.from), std::pair("search.to", search.to)}) {
    if (!(value > 0)) return std::string(name) + ": it is missing; expected " + form_of_values(*variable);
    if (const auto problem = problem_of_value(*variable, value, base)) return std::string(name) + ": " + *problem;
  }
  if (search.from == search.to) return "search.to: it equals search.from: there is nothing between them";
  if (!(search.precision >= kFinestPrecision && search.precision <= kCoarsestPrecision))
    return "search.precision: expected " + precision_text(kFinestPrecision) + " to " +
           precision_text(kCoarsestPrecision);
  if (search.confirm == 0 || search.confirm > kMostConfirm)
    return "search.confirm: expected 1 to " + std::to_string(kMostConfirm);
  return {};
}

}  // namespace n2nq::campaign
