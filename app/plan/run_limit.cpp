#include "app/plan/run_limit.h"

#include "app/plan/field_forms.h"
#include "app/plan/filter_text.h"
#include "app/plan/metric_limit.h"
#include "app/plan/text_list.h"
#include "broker/base/join.h"

namespace n2nq::plan {
namespace {

constexpr const char* kJsonForm =
    R"(expected {"metric": "p99", "at_most": "5ms"}, or at_least; with "stop": true or "warn": true)";
constexpr const char* kOneAction = " says both stop and warn: a limit that only warns does not stop the run";

// The word at the end, if it stands alone.
LimitAction take_action(std::string_view& text) {
  for (const LimitAction action : {LimitAction::stops, LimitAction::warns}) {
    const std::string_view word = word_of(action);
    if (!text.ends_with(word)) continue;
    const std::string_view before = text.substr(0, text.size() - word.size());
    if (before.empty() || (before.back() != ' ' && before.back() != ',')) continue;
    text = trimmed(before.substr(0, before.find_last_not_of(" ,") + 1));
    return action;
  }
  return LimitAction::fails;
}

Result<RunLimit> parse_limit(std::string_view text) {
  const Json whole = text;
  const LimitAction action = take_action(text);
  if (std::string_view rest = text; action != LimitAction::fails)
    if (const LimitAction other = take_action(rest); other != LimitAction::fails && other != action)
      return fail(quoted(whole) + kOneAction);
  const auto limit = parse_metric_limit(LimitUse::plan, text);
  if (!limit) return std::unexpected(limit.error());
  return RunLimit{.metric = std::string(limit->metric->name),
                  .at_most = limit->relation == Relation::at_most,
                  .value = limit->value,
                  .action = action};
}

Result<LimitAction> action_of_json(const Json& json) {
  LimitAction found = LimitAction::fails;
  for (const LimitAction action : {LimitAction::stops, LimitAction::warns}) {
    const auto said = json.find(std::string(word_of(action)));
    if (said == json.end()) continue;
    if (!said->is_boolean()) return fail(quoted(json) + " is not a limit; " + kJsonForm);
    if (!said->get<bool>()) continue;
    if (found != LimitAction::fails) return fail(quoted(json) + kOneAction);
    found = action;
  }
  return found;
}

Result<RunLimit> limit_of_json(const Json& json) {
  const auto wrong = [&json] { return fail(quoted(json) + " is not a limit; " + kJsonForm); };
  if (!json.is_object() || !json.contains("metric") || !json["metric"].is_string()) return wrong();
  const bool at_most = json.contains("at_most");
  if (at_most == json.contains("at_least")) return wrong();
  if (json.size() != 2u + json.contains("stop") + json.contains("warn")) return wrong();
  const auto action = action_of_json(json);
  if (!action) return std::unexpected(action.error());
  const auto metric = limit_metric_named(LimitUse::plan, json["metric"].get_ref<const std::string&>());
  if (!metric) return std::unexpected(metric.error());
  const Json& given = json[at_most ? "at_most" : "at_least"];
  if (!given.is_string() && !given.is_number()) return wrong();
  const auto value =
      parse_limit_value(LimitUse::plan, **metric, given.is_string() ? given.get<std::string>() : given.dump());
  if (!value) return std::unexpected(value.error());
  return RunLimit{.metric = std::string((*metric)->name), .at_most = at_most, .value = *value, .action = *action};
}

Json json_value(const RunLimit& limit) {
  const LimitMetric* metric = find_limit_metric(LimitUse::plan, limit.metric);
  if (metric != nullptr && metric->unit == MetricUnit::duration) return exact_value(*metric, limit.value);
  const auto whole = static_cast<uint64_t>(limit.value);
  return static_cast<double>(whole) == limit.value ? Json(whole) : Json(limit.value);
}

}  // namespace

std::string_view word_of(LimitAction action) {
  return action == LimitAction::stops ? "stop" : action == LimitAction::warns ? "warn" : "";
}

std::string value_text(const RunLimit& limit) {
  const LimitMetric* metric = find_limit_metric(LimitUse::plan, limit.metric);
  return exact_value(metric == nullptr ? LimitMetric{.unit = MetricUnit::number} : *metric, limit.value);
}

std::string to_text(const RunLimit& limit) {
  const std::string word(word_of(limit.action));
  return limit.metric + " " + std::string(to_text(relation_of(limit.at_most))) + " " + value_text(limit) +
         (word.empty() ? "" : " " + word);
}

std::string to_text(const std::vector<RunLimit>& limits) {
  return join(limits, "; ", [](const RunLimit& limit) { return to_text(limit); });
}

Result<std::vector<RunLimit>> parse_limits(std::string_view text) {
  auto limits = parse_list(text, parse_limit);
  if (limits && limits->size() > kMaxLimits) return fail("more than " + std::to_string(kMaxLimits) + " limits");
  return limits;
}

std::optional<std::string> limit_given_twice(const std::vector<RunLimit>& limits) {
  for (size_t i = 0; i < limits.size(); i++)
    for (size_t j = 0; j < i; j++)
      if (limits[i].metric == limits[j].metric && limits[i].at_most == limits[j].at_most)
        return limits[i].metric + " " + std::string(to_text(relation_of(limits[i].at_most)));
  return std::nullopt;
}

Result<std::vector<RunLimit>> LimitsForm::take(const Json& value) {
  if (value.is_string()) return parse_limits(value.get_ref<const std::string&>());
  if (!value.is_array()) return fail(quoted(value) + " is not a list of limits; " + kJsonForm);
  if (value.size() > kMaxLimits) return fail("more than " + std::to_string(kMaxLimits) + " limits");
  std::vector<RunLimit> limits;
  for (const Json& one : value) {
    auto limit = limit_of_json(one);
    if (!limit) return std::unexpected(limit.error());
    limits.push_back(std::move(*limit));
  }
  return limits;
}

Json LimitsForm::show(const std::vector<RunLimit>& limits) {
  Json list = Json::array();
  for (const RunLimit& limit : limits) {
    Json one{{"metric", limit.metric}, {limit.at_most ? "at_most" : "at_least", json_value(limit)}};
    if (limit.action != LimitAction::fails) one[std::string(word_of(limit.action))] = true;
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace n2nq::plan
