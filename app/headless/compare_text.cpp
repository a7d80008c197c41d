#include "app/headless/compare_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/headless/table_text.h"

namespace n2nq::headless {
namespace {

using compare::MetricComparison;
using compare::Outcome;
using compare::Side;
using Ordered = nlohmann::ordered_json;

constexpr size_t kNameWidth = 20;
constexpr size_t kFigureWidth = 12;

const char* word_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::met:
      return "met";
    case Outcome::not_met:
      return "not_met";
    case Outcome::unknown:
      break;
  }
  return "unknown";
}

const char* verdict_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::met:
      return "failed";
    case Outcome::not_met:
      return "passed";
    case Outcome::unknown:
      break;
  }
  return "no_statement";
}

const char* json_unit_of(const compare::Metric& metric) {
  switch (metric.quantity) {
    case results::Quantity::duration_ns:
      return "ns";
    case results::Quantity::rate_per_s:
      return "1/s";
    default:
      return "1";
  }
}

Ordered side_json(const Side& side) {
  Ordered runs = Ordered::array();
  for (const results::RunRecord& run : side.runs) runs.push_back(run.id);
  return {{"plan", side.runs.empty() ? Ordered(nullptr) : Ordered(side.runs.front().plan.name)},
          {"result_ids", runs},
          {"left_out", side.left_out}};
}

Ordered metric_json(const MetricComparison& found) {
  Ordered object{{"metric", found.metric->name},
                 {"unit", json_unit_of(*found.metric)},
                 {"a", found.a},
                 {"b", found.b},
                 {"a_mean", found.of_a ? Ordered(found.of_a->mean) : Ordered(nullptr)},
                 {"b_mean", found.of_b ? Ordered(found.of_b->mean) : Ordered(nullptr)}};
  const auto& ratio = found.b_to_a;
  object["ratio"] = ratio ? Ordered(ratio->ratio) : Ordered(nullptr);
  object["ratio_low"] = ratio ? Ordered(ratio->low) : Ordered(nullptr);
  object["ratio_high"] = ratio ? Ordered(ratio->high) : Ordered(nullptr);
  object["confidence"] = ratio ? Ordered(ratio->confidence) : Ordered(nullptr);
  object["p_value"] = ratio ? Ordered(ratio->p_value) : Ordered(nullptr);
  object["statement"] = found.statement;
  return object;
}

}  // namespace

Outcome outcome_of(const CompareResult& result) {
  const auto any = [&result](Outcome outcome) {
    return std::ranges::any_of(result.conditions, [outcome](const auto& one) { return one.second.outcome == outcome; });
  };
  if (any(Outcome::met)) return Outcome::met;
  return any(Outcome::unknown) ? Outcome::unknown : Outcome::not_met;
}

std::string to_table(const CompareResult& result) {
  std::string out = to_text(result.a) + "\n" + to_text(result.b) + "\n\n";
  out += left("mean of runs", kNameWidth) + right("A", kFigureWidth) + right("B", kFigureWidth) + "\n";
  for (size_t i = 0; const compare::MeanRow& row : compare::mean_rows(result.metrics))
    out += left(row.metric, kNameWidth) + right(row.a, kFigureWidth) + right(row.b, kFigureWidth) + "  " +
           result.metrics[i++].statement + "\n";
  if (!result.remarks.empty()) out += "\n";
  for (const std::string& remark : result.remarks) out += remark + "\n";
  if (!result.conditions.empty()) out += "\n";
  for (const auto& [condition, judgement] : result.conditions) {
    const char* word = judgement.outcome == Outcome::met       ? "FAILED"
                       : judgement.outcome == Outcome::not_met ? "passed"
                                                               : "unknown";
    out += std::string(word) + "  " + condition.text + ": " + judgement.reason + "\n";
  }
  return out;
}

std::string to_json(const CompareResult& result) {
  Ordered object{{"verdict", verdict_word(outcome_of(result))},
                 {"a", side_json(result.a)},
                 {"b", side_json(result.b)},
                 {"metrics", Ordered::array()},
                 {"remarks", result.remarks},
                 {"conditions", Ordered::array()}};
  for (const MetricComparison& found : result.metrics) object["metrics"].push_back(metric_json(found));
  for (const auto& [condition, judgement] : result.conditions)
    object["conditions"].push_back(
        {{"condition", condition.text}, {"outcome", word_of(judgement.outcome)}, {"reason", judgement.reason}});
  return object.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

std::string failure_json(const std::string& reason) {
  return Ordered{{"verdict", "failed"},
                 {"reason", reason},
                 {"a", nullptr},
                 {"b", nullptr},
                 {"metrics", Ordered::array()},
                 {"remarks", Ordered::array()},
                 {"conditions", Ordered::array()}}
      .dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace n2nq::headless
