#include "app/cli/compare_text.h"

#include <nlohmann/json.hpp>

#include "app/cli/table_text.h"

namespace n2nq::cli {
namespace {

using compare::MetricComparison;
using compare::Side;
using Ordered = nlohmann::ordered_json;

constexpr size_t kNameWidth = 20;
constexpr size_t kFigureWidth = 12;

const char* verdict_word(compare::Outcome outcome) {
  switch (outcome) {
    case compare::Outcome::met:
      return "failed";
    case compare::Outcome::not_met:
      return "passed";
    case compare::Outcome::unknown:
      break;
  }
  return "no_statement";
}

Ordered side_json(const Side& side) {
  Ordered runs = Ordered::array();
  for (const record::RunRecord& run : side.runs) runs.push_back(run.id);
  return {{"plan", side.runs.empty() ? Ordered(nullptr) : Ordered(side.runs.front().plan.name)},
          {"result_ids", runs},
          {"left_out", side.left_out}};
}

Ordered metric_json(const MetricComparison& found) {
  const std::string base = figures::form_of(found.metric->quantity).base;
  Ordered object{{"metric", found.metric->name},
                 {"unit", base.empty() ? "1" : base},
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

std::string to_table(const CompareResult& result) {
  std::string out = to_text(result.a) + "\n" + to_text(result.b) + "\n\n";
  out += left("geometric mean", kNameWidth) + right("A", kFigureWidth) + right("B", kFigureWidth) + "\n";
  for (size_t i = 0; const compare::MeanRow& row : compare::mean_rows(result.metrics))
    out += left(row.metric, kNameWidth) + right(row.a, kFigureWidth) + right(row.b, kFigureWidth) + "  " +
           result.metrics[i++].statement + "\n";
  if (!result.remarks.empty()) out += "\n";
  for (const std::string& remark : result.remarks) out += remark + "\n";
  if (!result.conditions.empty()) out += "\n";
  for (const JudgedCondition& one : result.conditions) out += to_line(one) + "\n";
  return out;
}

std::string to_json(const CompareResult& result) {
  Ordered object{{"verdict", verdict_word(outcome_of(result.conditions))},
                 {"a", side_json(result.a)},
                 {"b", side_json(result.b)},
                 {"metrics", Ordered::array()},
                 {"remarks", result.remarks},
                 {"conditions", to_json(result.conditions)}};
  for (const MetricComparison& found : result.metrics) object["metrics"].push_back(metric_json(found));
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

}  // namespace n2nq::cli
