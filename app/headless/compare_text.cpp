#include "app/headless/compare_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace n2nq::headless {
namespace {

using compare::MetricComparison;
using compare::Outcome;
using compare::Side;
using Json = nlohmann::ordered_json;

constexpr size_t kNameWidth = 15;
constexpr size_t kFigureWidth = 12;

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

std::string right(const std::string& text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string mean_text(const compare::Metric& metric, const std::optional<statistics::MeanInterval>& interval) {
  return interval ? compare::value_text(metric, interval->mean) : "-";
}

std::string side_text(const Side& side) {
  std::string ids;
  for (const results::RunRecord& run : side.runs) ids += (ids.empty() ? "#" : ", #") + std::to_string(run.id);
  const std::string name = side.runs.empty() ? "no run" : side.runs.front().plan.name;
  return side.name + ": " + name + (ids.empty() ? "" : " (" + ids + ")");
}

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

const char* unit_of(const compare::Metric& metric) {
  switch (metric.quantity) {
    case results::Quantity::duration_ns:
      return "ns";
    case results::Quantity::rate_per_s:
      return "1/s";
    default:
      return "1";
  }
}

Json side_json(const Side& side) {
  Json runs = Json::array();
  for (const results::RunRecord& run : side.runs) runs.push_back(run.id);
  return {{"plan", side.runs.empty() ? Json(nullptr) : Json(side.runs.front().plan.name)},
          {"result_ids", runs},
          {"left_out", side.left_out}};
}

Json metric_json(const MetricComparison& found) {
  Json object{{"metric", found.metric->name},
              {"unit", unit_of(*found.metric)},
              {"a", found.a},
              {"b", found.b},
              {"a_mean", found.of_a ? Json(found.of_a->mean) : Json(nullptr)},
              {"b_mean", found.of_b ? Json(found.of_b->mean) : Json(nullptr)}};
  const auto& ratio = found.b_to_a;
  object["ratio"] = ratio ? Json(ratio->ratio) : Json(nullptr);
  object["ratio_low"] = ratio ? Json(ratio->low) : Json(nullptr);
  object["ratio_high"] = ratio ? Json(ratio->high) : Json(nullptr);
  object["confidence"] = ratio ? Json(ratio->confidence) : Json(nullptr);
  object["p_value"] = ratio ? Json(ratio->p_value) : Json(nullptr);
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
  std::string out = side_text(result.a) + "\n" + side_text(result.b) + "\n\n";
  out += padded("mean of runs", kNameWidth) + right("A", kFigureWidth) + right("B", kFigureWidth) + "\n";
  for (const MetricComparison& found : result.metrics)
    out += padded(std::string(found.metric->name), kNameWidth) +
           right(mean_text(*found.metric, found.of_a), kFigureWidth) +
           right(mean_text(*found.metric, found.of_b), kFigureWidth) + "  " + found.statement + "\n";
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
  Json object{{"verdict", verdict_word(outcome_of(result))},
              {"a", side_json(result.a)},
              {"b", side_json(result.b)},
              {"metrics", Json::array()},
              {"remarks", result.remarks},
              {"conditions", Json::array()}};
  for (const MetricComparison& found : result.metrics) object["metrics"].push_back(metric_json(found));
  for (const auto& [condition, judgement] : result.conditions)
    object["conditions"].push_back(
        {{"condition", condition.text}, {"outcome", word_of(judgement.outcome)}, {"reason", judgement.reason}});
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string failure_json(const std::string& reason) {
  return Json{{"verdict", "failed"},
              {"reason", reason},
              {"a", nullptr},
              {"b", nullptr},
              {"metrics", Json::array()},
              {"remarks", Json::array()},
              {"conditions", Json::array()}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace n2nq::headless
