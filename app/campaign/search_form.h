// A search as a person edits it: every field as it was typed, whole or half. Pure; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign/search_spec.h"
#include "app/plan/run_plan.h"
#include "broker/base/result.h"

namespace n2nq::campaign {

// "p99", "<=", "5 ms".
struct LimitForm {
  std::string metric = "p99";
  std::string relation = "<=";
  std::string value{};
  bool operator==(const LimitForm&) const = default;
};

// The defaults are those of docs/search.md.
struct SearchForm {
  bool on = false;  // instead of axes
  std::string vary = "rate";
  std::string from{};
  std::string to{};
  std::vector<LimitForm> limits{1};
  std::string precision = "5%";
  std::string confirm = "3";
  bool operator==(const SearchForm&) const = default;
};

SearchForm form_of(const SearchSpec& search);  // that is on
// One to begin with: from the rate of the plan to twenty times as much, until p99 is above 5 ms. Without a rate the
// ends are left to be typed.
SearchForm first_search_of(const plan::RunPlan& plan);

// What is wrong with one field: "vary", "from", "to", "limits", "limit 1" and so on, "precision", "confirm".
struct FieldProblem {
  std::string field{};
  std::string text{};
  std::string needs{};  // of one that is empty, and nothing else is wrong with it: "a duration such as 5ms"
  bool operator==(const FieldProblem&) const = default;
};
// For every field that has one, the first of it; in the order of the form.
std::vector<FieldProblem> problems_of(const SearchForm& form, const plan::RunPlan& base);
// The error names the first field with a problem.
Result<SearchSpec> search_of(const SearchForm& form, const plan::RunPlan& base);

// What is varied, for people: "messages a second of all senders together".
std::string meaning_of_variable(std::string_view name);

nlohmann::ordered_json to_object(const SearchForm& form);
SearchForm parse_search_form(const nlohmann::json& object);  // what is missing has its default

}  // namespace n2nq::campaign
