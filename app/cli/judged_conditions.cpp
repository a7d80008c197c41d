#include "app/cli/judged_conditions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace n2nq::cli {
namespace {

// For people, and for scripts.
struct OutcomeWords {
  const char* told;
  const char* word;
};

OutcomeWords words_of(compare::Outcome outcome) {
  switch (outcome) {
    case compare::Outcome::met:
      return {"FAILED", "met"};
    case compare::Outcome::not_met:
      return {"passed", "not_met"};
    case compare::Outcome::unknown:
      break;
  }
  return {"unknown", "unknown"};
}

}  // namespace

compare::Outcome outcome_of(const JudgedConditions& conditions) {
  const auto any = [&conditions](compare::Outcome outcome) {
    return std::ranges::any_of(conditions, [outcome](const auto& one) { return one.judgement.outcome == outcome; });
  };
  if (any(compare::Outcome::met)) return compare::Outcome::met;
  return any(compare::Outcome::unknown) ? compare::Outcome::unknown : compare::Outcome::not_met;
}

BenchExit exit_code_of(compare::Outcome outcome) {
  switch (outcome) {
    case compare::Outcome::met:
      return BenchExit::failed;
    case compare::Outcome::unknown:
      return BenchExit::no_statement;
    case compare::Outcome::not_met:
      break;
  }
  return BenchExit::passed;
}

std::string to_line(const JudgedCondition& one) {
  return std::string(words_of(one.judgement.outcome).told) + "  " + one.condition.text + ": " + one.judgement.reason;
}

nlohmann::ordered_json to_json(const JudgedConditions& conditions) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& [condition, judgement] : conditions)
    all.push_back(
        {{"condition", condition.text}, {"outcome", words_of(judgement.outcome).word}, {"reason", judgement.reason}});
  return all;
}

}  // namespace n2nq::cli
