// What a search looks for: the hardest value of one thing (a rate, the services, a field of the plan) at which a run
// still meets its limits. A plain value, and how such values are read, shown and put into a plan. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/compare/limit.h"
#include "app/plan/plan_fields.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

struct SearchSpec {
  std::string vary = "rate";  // find_variable()
  // Messages a second, services, nanoseconds or bytes: as the unit of what is varied says. It starts at `from`, which
  // should be easy, and goes no further than `to`, which may be below `from`.
  double from = 0;
  double to = 0;
  std::vector<std::string> limits{};  // compare::parse_limit(); all of them have to hold
  double precision = 0.05;            // the ends of the bracket are no further apart than this part of the smaller
  uint32_t confirm = 3;               // runs of each end of the bracket
  bool operator==(const SearchSpec&) const = default;
};

inline constexpr double kFinestPrecision = 0.001;
inline constexpr double kCoarsestPrecision = 0.5;
inline constexpr uint32_t kMostConfirm = 25;
inline constexpr size_t kMostLimits = 8;

using Unit = plan::FieldUnit;

struct Variable {
  std::string name{};  // "rate", "services", "senders.size"
  Unit unit = Unit::rate_per_s;
  std::vector<std::string> fields{};  // of the plan that take the value; of a rate: the delay follows from it
};

// "rate": messages a second of all senders together. "services": as many senders as receivers. Else a field of the plan
// that takes a number, a duration or a size.
Result<Variable> find_variable(std::string_view name);
std::vector<std::string> variable_names();  // all of them

std::string form_of_values(const Variable& variable);                        // "a duration such as 20ms"
Result<double> read_value(const Variable& variable, std::string_view text);  // "2000/s", "20", "20ms", "4KiB"
std::string value_text(const Variable& variable, double value);              // for people: "2,000 /s", "20", "20 ms"
std::string exact_value(const Variable& variable, double value);             // reads back as the same

// The error says what keeps the plan from it. A rate keeps how long the plan sends.
Result<void> put_value(const Variable& variable, double value, plan::RunPlan& plan);
// Whether this plan has that value.
bool has_value(const Variable& variable, double value, const plan::RunPlan& plan);

// One that can hold, or not, in runs of this plan: without replies it has none of their figures.
Result<compare::Limit> limit_for(std::string_view text, const plan::RunPlan& base);

Result<double> read_precision(std::string_view text);  // "5%", "0.05"
std::string precision_text(double precision);          // "5%"

// What keeps a plan from being run at this value: "senders.duration: ...".
std::optional<std::string> problem_of_value(const Variable& variable, double value, const plan::RunPlan& base);
// What makes it impossible, with the field to change, for this plan: "search.from: ...".
std::optional<std::string> problem_of(const SearchSpec& search, const plan::RunPlan& base);

}  // namespace n2nq::campaign
